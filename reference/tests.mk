# Tests the suites with the course's own code, which is right, wrong or slow in a known way.
.PHONY: check-alternatives check-proofs check-bounds check-fast
check-alternatives: check-proofs check-bounds check-fast suites
	@reference/check_alternatives $(B)

check-proofs: suites
	@reference/check_proofs $(B)

check-bounds: suites
	@reference/check_bounds $(B)

# Runs the labs' own suites on the fast versions, on either device.
check-fast: suites
	@$(foreach l,1 4 5 6 7,$(call bench_build,fast) build-lab LAB=$(l);)
	@reference/check_fast $(B) $(DEVICE)
