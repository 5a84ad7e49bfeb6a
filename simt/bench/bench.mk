# How fast the CPU device is, beside Oclgrind.
$(B)/bench/blelloch: simt/bench/blelloch.cu $(SIMT_TOOLS)
	$(call simt_program)
-include $(B)/bench/blelloch.d

.PHONY: bench-simt
bench-simt: $(B)/bench/blelloch ## elements a second on the CPU device and on Oclgrind
	@simt/bench/bench_simt $< $(B)/bench
