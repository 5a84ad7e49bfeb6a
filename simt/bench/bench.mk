# How fast the CPU device is, beside Oclgrind.
$(B)/bench/blelloch: simt/bench/blelloch.cu $(CUDAC) $(LIBSIMT) $(SIMT_H)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -c $@.cpp -o $@.o
	@$(CXX) $@.o $(SIMT_LINK) -o $@

.PHONY: bench-simt
bench-simt: $(B)/bench/blelloch ## elements a second on the CPU device and on Oclgrind
	@simt/bench/bench_simt $< $(B)/bench
