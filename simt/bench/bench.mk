# Times the CPU device and Oclgrind.
$(B)/bench/blelloch: simt/bench/blelloch.cu $(LIBSIMT) $(SIMTCC)
	@mkdir -p $(@D)
	@$(SIMTCC) -Xcompiler -fno-sanitize=alignment $< -o $@

.PHONY: bench-simt
bench-simt: $(B)/bench/blelloch ## elements a second on the CPU device and on Oclgrind
	@simt/bench/bench_simt $< $(B)/bench
