# The meters, on kernels counted by hand.
$(B)/bin/check_meters: simt/tests/meters/check_meters.cu $(CUDAC) $(LIBSIMT) $(SIMT_H) simt/simt.h
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -Isimt -c $@.cpp -o $@.o
	@$(CXX) $@.o $(SIMT_LINK) -o $@

.PHONY: check-meters
check-simt: check-meters
check-meters: $(B)/bin/check_meters
	@$<
