# Tests the suites with the course's own code, which is right, wrong or slow in a known way.
.PHONY: check-alternatives check-proofs check-bounds check-fast
check-alternatives: check-proofs check-bounds check-fast suites
	@reference/check_alternatives $(B)

check-proofs: suites
	@reference/check_proofs $(B)

check-bounds: suites
	@reference/check_bounds $(B)

# Runs the labs' own suites on the fast versions, on either device.
FAST_LABS := reduction compaction radix_sort arbitrary_length_scan summed_area_table
check-fast: setup suites
	+@set -e; taken=$$($(TAKEN) --third $(FAST_LABS)); \
	    for lab in $$taken; do $(call bench_build,fast) build-lab LAB=$$lab; done; \
	    reference/check_fast $(B) $(DEVICE) $$taken

# Finds out which races give a wrong result on a GPU, with and without delays, and compares with the CPU device. This takes
# minutes.
.PHONY: check-delays
check-delays:
	@[ $(DEVICE) = cuda ] || { echo "make check-delays DEVICE=cuda: only a GPU waits at random" >&2; exit 2; }
	@$(MAKE) --no-print-directory -j$$(nproc) suites DEVICE=cpu BUILDS="%.1024 %.64"
	@$(MAKE) --no-print-directory -j$$(nproc) suites BUILDS=%.1024
	@$(PYTHON) reference/check_delays.py $(B) $(DELAYS_OPTIONS)
