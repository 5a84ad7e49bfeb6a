# The tests of the CPU device. README.md says what each shows, and .ci/tests.toml how each ends. The rules for programs
# that were written for GPUs are in programs/programs.mk, and those for other machines in arm64.mk.
CHECKS_OF_SIMT := rooms cudac headers nvcc runtime findings sanitized programs exports race-model simtcc meters
.PHONY: check-simt $(CHECKS_OF_SIMT:%=check-%)
check-simt: $(CHECKS_OF_SIMT:%=check-%)

# Prints which of the names after it belong to PORTION.
TAKEN = $(PYTHON) -m grader.audit.portion

# simtcc compiles every .cu of the tests, as it compiles a user's. An object depends on its sources but not on the
# device, which is only linked to the program. $(1) further options.
OBJECT_NEEDS := $(CUDAC) $(SIMTCC_PCH) $(SPACES_PCH) $(SPACES) $(SIMT_H) simt/simtcc/simtcc | $(SIMTCC)
define simt_object
	@mkdir -p $(@D)
	@$(SIMTCC) -c $(1) $< -o $@
endef
# Options for the tests that look into the device, and for those of meters: their code has no checks that the device
# does not need.
OF_DEVICE := -Xcompiler -fno-sanitize=alignment -Isimt -I.ci
OF_DEVICE_NEEDS := simt/simt.h $(MESSAGES) .ci/closing.h $(OBJECT_NEEDS)

# The device's own C under AddressSanitizer and UBSan: the same programs must have the same output.
SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize=bounds -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
	-Wno-builtin-declaration-mismatch
CUDAC_C := $(filter-out simt/cudac/main.c simt/cudac/headers.c simt/cudac/files.c,$(wildcard simt/cudac/*.c))
SANITIZED_O := $(patsubst simt/%.c,$(B)/sanitized/%.o,$(SIMT_C) simt/simtcc/program.c)
$(B)/sanitized/%.o: simt/%.c $(FLAGS)
	$(call simt_compile,$(SANITIZE))
-include $(SANITIZED_O:.o=.d) $(CUDAC_C:simt/%.c=$(B)/sanitized/%.d)
define simt_sanitized
	@mkdir -p $(@D)
	@$(CXX) -fsanitize=address,undefined $(SIMT_BLOCKS) $< -rdynamic $(SANITIZED_O) $(SIMT_LIBS) -o $@
endef
# Signals for which the device has handlers of its own.
SANITIZED := ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:handle_sigbus=0:use_sigaltstack=0:detect_stack_use_after_return=0

# ---- what the device reports about kernels ----------------------------------------------------------------------
# check_findings.py describes how the programs of findings/SUBJECT/ state what they expect.
FINDINGS_CU := $(wildcard simt/tests/findings/*/*.cu)
# $(1) a program
define finding
$(B)/findings/$(basename $(notdir $(1))).o: $(1) simt/tests/findings/pair.h $(OBJECT_NEEDS)
	$$(call simt_object,-Isimt/tests/findings)
$(B)/cuda/findings/$(basename $(notdir $(1))): $(1) simt/tests/findings/pair.h
	@mkdir -p $$(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -lineinfo -Isimt/tests/findings $$< -o $$@
endef
$(foreach program,$(FINDINGS_CU),$(eval $(call finding,$(program))))
$(B)/findings/%: $(B)/findings/%.o $(LIBSIMT) $(SIMTCC)
	@$(SIMTCC) $< -o $@
$(B)/sanitized/findings/%: $(B)/findings/%.o $(SANITIZED_O)
	$(call simt_sanitized)

check-findings: setup $(SIMTCC) ## run kernels with a mistake, and their clean twins, under 20 schedules
	@set -e; taken=$$($(TAKEN) --third $(basename $(notdir $(FINDINGS_CU)))); \
	$(MAKE) --no-print-directory -k --output-sync=target $$(printf '$(B)/findings/%s ' $$taken) || true; \
	$(PYTHON) simt/tests/check_findings.py $(B)/findings $$taken
# The programs that state the text of their findings. Of those that belong to PORTION, the device runs under the
# sanitizers.
FINDINGS_IN_WORDS = $(basename $(notdir $(shell grep -l '^//=' $(FINDINGS_CU))))
check-sanitized: setup $(FINDINGS_IN_WORDS:%=$(B)/findings/%.o) $(SANITIZED_O)
	@set -e; taken=$$($(TAKEN) $(FINDINGS_IN_WORDS)); \
	$(MAKE) --no-print-directory -k -j2 --output-sync=target $$(printf '$(B)/sanitized/findings/%s ' $$taken) || true; \
	$(SANITIZED) $(PYTHON) simt/tests/check_findings.py $(B)/sanitized/findings --words $$taken

# The pairs of programs on a GPU, under NVIDIA's tools.
PAIRS = $(basename $(notdir $(shell grep -l '"pair.h"' $(FINDINGS_CU))))
.PHONY: sanitize-pairs
sanitize-pairs: setup ## on a GPU, what compute-sanitizer finds in pairs of a faulty and a clean kernel
	@$(MAKE) --no-print-directory $(PAIRS:%=$(B)/cuda/findings/%)
	@$(PYTHON) simt/tests/sanitize_pairs.py $(B)/cuda/findings

# Random programs, for which the verdict of the device and of a plain model of CUDA's memory order must agree; _0:
# without fences.
$(B)/races/interpret_%.o: simt/tests/races/interpret.cu simt/tests/races/race_model.h $(OBJECT_NEEDS)
	$(call simt_object,$(OF_DEVICE) $(if $(filter 0,$*),-DWITHOUT_FENCES) -Isimt/tests/races)
$(B)/races/check_race_model_%: simt/tests/races/check_race_model.c simt/tests/races/race_model.h .ci/closing.h $(B)/races/interpret_%.o $(LIBSIMT)
	@$(CC) $(CFLAGS) $(if $(filter 0,$*),-DWITHOUT_FENCES) -Isimt -Isimt/tests/races -I.ci -c $< -o $@.o
	@$(CXX) $@.o $(B)/races/interpret_$*.o $(SIMT_LINK) -o $@

check-race-model: $(B)/races/check_race_model_1 $(B)/races/check_race_model_0 ## compare the race check with a plain model
	@for model in $^; do $$model || failed=1; done; exit $${failed:-0}

# ---- what it counts: kernels with counts by hand, and once more under the sanitizers ---------------------------
METER_TESTS := check_meters check_steps check_sharing check_instructions check_budget check_late
$(METER_TESTS:%=$(B)/meters/%.o): $(B)/meters/%.o: simt/tests/meters/%.cu simt/tests/meters/meters.h $(OF_DEVICE_NEEDS)
	$(call simt_object,$(OF_DEVICE) -Isimt/tests/meters)
$(METER_TESTS:%=$(B)/meters/%): %: %.o $(LIBSIMT) $(SIMTCC)
	@$(SIMTCC) $< -o $@
$(METER_TESTS:%=$(B)/sanitized/meters/%): $(B)/sanitized/%: $(B)/%.o $(SANITIZED_O)
	$(call simt_sanitized)

check-meters: $(METER_TESTS:%=$(B)/meters/%) $(METER_TESTS:%=$(B)/sanitized/meters/%)
	@set -e; for test in $(METER_TESTS); do $(B)/meters/$$test; $(SANITIZED) $(B)/sanitized/meters/$$test 2>/dev/null; done

# ---- the runtime, from C ---------------------------------------------------------------------------------------
$(B)/bin/check_runtime $(B)/bin/check_runtime_device: $(B)/bin/%: simt/tests/%.c simt/tests/check_runtime.h simt/tests/cases.h $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt $< $(SIMT_LINK) $(CHECK_LIBS) -o $@
$(B)/bin/check_rank: simt/tests/check_rank.c $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt $< $(SIMT_LINK) $(CHECK_LIBS) -o $@
# A function's parameters, declared in C and defined in CUDA C++.
$(B)/bin/check_signature.o: simt/tests/check_signature.cu $(OF_DEVICE_NEEDS)
	$(call simt_object,$(OF_DEVICE))
$(B)/bin/check_signature: simt/tests/check_signature_c.c $(B)/bin/check_signature.o $(LIBSIMT)
	@$(CC) $(CFLAGS) -c $< -o $@_c.o
	@$(CXX) $@.o $@_c.o $(SIMT_LINK) -o $@

.PHONY: check-signature
check-runtime: $(B)/bin/check_runtime $(B)/bin/check_runtime_device $(B)/bin/check_rank check-signature
	@for suite in $(filter $(B)/%,$^); do $$suite || true; done | simt/tests/count runtime 3
check-signature: $(B)/bin/check_signature
	@$<

# ---- the translator, what compiles and what does not, simtcc ---------------------------------------------------
CUDAC_TESTS := check_cudac check_cudac_variables check_cudac_errors check_cudac_local check_cudac_delays
$(CUDAC_TESTS:%=$(B)/bin/%): $(B)/bin/%: simt/tests/%.c $(wildcard simt/tests/*.h) $(CUDAC_C:simt/%.c=$(B)/sanitized/%.o) $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -O1 -fsanitize=address,undefined -Isimt/cudac $(filter %.c %.o,$^) $(CHECK_LIBS) -o $@
$(B)/bin/check_cudac_program: simt/tests/check_cudac_program.c $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $< $(CHECK_LIBS) -o $@

check-cudac: $(CUDAC_TESTS:%=$(B)/bin/%) $(B)/bin/check_cudac_program $(CUDAC)
	@for suite in $(filter $(B)/bin/check_%,$^); do CUDAC=$(CUDAC) CXX=$(CXX) $$suite || true; done | simt/tests/count cudac 6
check-headers: $(CUDAC)
	@simt/tests/check_headers $(CUDAC) $(B)/headers $(CXX) $(SIMT_CXXFLAGS) -Wno-sign-compare
# Snippets that nvcc accepts or refuses, with the lines of the errors: the course's check of a source must give the
# same.
check-nvcc: setup $(CUDAC)
	@$(PYTHON) simt/tests/check_nvcc.py $(CUDAC) $(B)/nvcc labs/support/tools/diagnose.py simt/spaces $(NVCC) $(CXX) $(SIMT_SPACES_FLAGS)
check-simtcc: $(SIMTCC)
	@simt/tests/check_simtcc $< $(B)/simtcc

# ---- its structure ---------------------------------------------------------------------------------------------
check-rooms: setup $(LIBSIMT)
	@$(PYTHON) simt/tests/check_rooms.py $(B)/simt
check-exports: $(B)/cpu/runner
	@simt/tests/check_exports $< $(LIBSIMT)

include simt/tests/programs/programs.mk
include simt/tests/arm64.mk
