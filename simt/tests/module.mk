# The tests of the CPU device: README.md says what each proves, .ci/tests.toml how each ends. Programs that were written for GPUs
# have their rules in programs/programs.mk, and other machines in arm64.mk.
CHECKS_OF_SIMT := rooms cudac headers nvcc runtime findings sanitized programs exports race-model simtcc meters
.PHONY: check-simt check-pairs $(CHECKS_OF_SIMT:%=check-%)
check-simt: $(CHECKS_OF_SIMT:%=check-%)

# Every .cu of the tests is compiled by one of these two, from $<: an object, and a program. $(1) further flags. A
# rule names $(SIMT_TOOLS) as well, and includes the .d file that says which headers it takes.
SIMT_TOOLS := $(CUDAC) $(LIBSIMT) $(FLAGS)
define simt_object
	@mkdir -p $(@D) && rm -f $@
	@$(CUDAC) $< -o $(@:.o=).cpp
	@$(CXX) $(SIMT_CXXFLAGS) $(1) -MMD -MP -MT $@ -MF $@.d -c $(@:.o=).cpp -o $(@:.o=).o
endef
define simt_program
	$(call simt_object,$(1))
	@$(CXX) $@.o $(SIMT_LINK) -o $@
endef

# The device's own C under AddressSanitizer and UBSan: the same programs must say the same.
SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize=bounds -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
	-Wno-builtin-declaration-mismatch
SANITIZED_O := $(SIMT_C:simt/%.c=$(B)/sanitized/%.o)
$(B)/sanitized/%.o: simt/%.c $(FLAGS)
	$(call simt_compile,$(SANITIZE))
-include $(SANITIZED_O:.o=.d)
# The program of $<, whose object is beside it.
define simt_sanitized
	@mkdir -p $(@D)
	@$(CXX) -fsanitize=address,undefined $<.o -rdynamic $(SANITIZED_O) $(SIMT_LIBS) -o $@
endef
# The device has handlers of its own for these.
SANITIZED := ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:handle_sigbus=0:use_sigaltstack=0:detect_stack_use_after_return=0

# ---- what the device says of kernels ---------------------------------------------------------------------------
FINDINGS := $(patsubst simt/tests/findings/%.cu,$(B)/findings/%,$(wildcard simt/tests/findings/*.cu))
$(B)/findings/%: simt/tests/findings/%.cu $(SIMT_TOOLS)
	$(call simt_program,$(SIMT_ALIGNMENT) -Wno-sign-compare -Wno-infinite-recursion)
-include $(FINDINGS:=.d)
$(B)/sanitized/findings/%: $(B)/findings/% $(SANITIZED_O)
	$(call simt_sanitized)

check-findings: $(FINDINGS)
	@simt/tests/check_findings $(B)/findings
check-sanitized: $(FINDINGS:$(B)/%=$(B)/sanitized/%)
	@$(SANITIZED) simt/tests/check_findings $(B)/sanitized/findings

# Pairs of a faulty and a clean program: each must be told apart under every schedule. See check_pairs.py.
PAIRS := $(patsubst simt/tests/pairs/%.cu,$(B)/pairs/%,$(wildcard simt/tests/pairs/*.cu))
$(B)/pairs/%: simt/tests/pairs/%.cu $(SIMT_TOOLS)
	$(call simt_program,-Isimt/tests/pairs)
-include $(PAIRS:=.d)

check-pairs: ## run the pairs of a faulty and a clean kernel under 20 schedules
	@$(MAKE) --no-print-directory -j2 $(PAIRS)
	@$(PYTHON) simt/tests/check_pairs.py $(B)/pairs

# The same on a GPU, under NVIDIA's tools.
$(B)/cuda/pairs/%: simt/tests/pairs/%.cu simt/tests/pairs/pair.h
	@mkdir -p $(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 -lineinfo $< -o $@
.PHONY: sanitize-pairs
sanitize-pairs: $(PAIRS:$(B)/pairs/%=$(B)/cuda/pairs/%) ## on a GPU, what compute-sanitizer finds in those pairs
	@$(PYTHON) simt/tests/sanitize_pairs.py $(B)/cuda/pairs

# Random programs, judged by the device and by a plain model of the order that CUDA promises; _0: without fences.
$(B)/races/interpret_%.o: simt/tests/races/interpret.cu $(CUDAC) $(FLAGS)
	$(call simt_object,$(if $(filter 0,$*),-DWITHOUT_FENCES) -Isimt/tests/races)
-include $(wildcard $(B)/races/*.d)
$(B)/races/check_race_model_%: simt/tests/races/check_race_model.c simt/tests/races/race_model.h .ci/closing.h $(B)/races/interpret_%.o $(LIBSIMT)
	@$(CC) $(CFLAGS) $(if $(filter 0,$*),-DWITHOUT_FENCES) -Isimt -Isimt/tests/races -I.ci -c $< -o $@.o
	@$(CXX) $@.o $(B)/races/interpret_$*.o $(SIMT_LINK) -o $@

check-race-model: $(B)/races/check_race_model_1 $(B)/races/check_race_model_0 ## compare the race check with a plain model
	@for model in $^; do $$model || failed=1; done; exit $${failed:-0}

# ---- what it counts: kernels counted by hand, and once more under the sanitizers -------------------------------
METER_TESTS := check_meters check_steps check_sharing
$(METER_TESTS:%=$(B)/bin/%): $(B)/bin/%: simt/tests/meters/%.cu $(SIMT_TOOLS)
	$(call simt_program,-Isimt -Isimt/tests/meters -I.ci)
-include $(METER_TESTS:%=$(B)/bin/%.d)
$(METER_TESTS:%=$(B)/sanitized/%): $(B)/sanitized/%: $(B)/bin/% $(SANITIZED_O)
	$(call simt_sanitized)

check-meters: $(METER_TESTS:%=$(B)/bin/%) $(METER_TESTS:%=$(B)/sanitized/%)
	@set -e; for test in $(METER_TESTS); do $(B)/bin/$$test; $(SANITIZED) $(B)/sanitized/$$test 2>/dev/null; done

# ---- the runtime, from C ---------------------------------------------------------------------------------------
$(B)/bin/check_runtime $(B)/bin/check_runtime_device: $(B)/bin/%: simt/tests/%.c simt/tests/check_runtime.h simt/tests/cases.h $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $< $(SIMT_LINK) $(CHECK_LIBS) -o $@
$(B)/bin/check_rank: simt/tests/check_rank.c $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt $< $(SIMT_LINK) $(CHECK_LIBS) -o $@
# A function's parameters, as C declares and as CUDA C++ defines them.
$(B)/bin/check_signature: simt/tests/check_signature.cu simt/tests/check_signature_c.c $(SIMT_TOOLS)
	$(call simt_object,-Isimt -I.ci)
	@$(CC) $(CFLAGS) -c simt/tests/check_signature_c.c -o $@_c.o
	@$(CXX) $@.o $@_c.o $(SIMT_LINK) -o $@
-include $(B)/bin/check_signature.d

.PHONY: check-signature
check-runtime: $(B)/bin/check_runtime $(B)/bin/check_runtime_device $(B)/bin/check_rank check-signature
	@for suite in $(filter $(B)/%,$^); do $$suite || true; done | simt/tests/count runtime 3
check-signature: $(B)/bin/check_signature
	@$<

# ---- the translator, what compiles and what does not, simtcc ---------------------------------------------------
CUDAC_TESTS := check_cudac check_cudac_variables check_cudac_errors check_cudac_local
CUDAC_C := $(filter-out simt/cudac/main.c simt/cudac/headers.c simt/cudac/files.c,$(wildcard simt/cudac/*.c))
$(CUDAC_TESTS:%=$(B)/bin/%): $(B)/bin/%: simt/tests/%.c $(wildcard simt/tests/*.h) $(CUDAC_C) $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -O1 -fsanitize=address,undefined -Isimt/cudac $(filter %.c,$^) $(CHECK_LIBS) -o $@
$(B)/bin/check_cudac_program: simt/tests/check_cudac_program.c $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $< $(CHECK_LIBS) -o $@

check-cudac: $(CUDAC_TESTS:%=$(B)/bin/%) $(B)/bin/check_cudac_program $(CUDAC)
	@for suite in $(filter $(B)/bin/check_%,$^); do CUDAC=$(CUDAC) CXX=$(CXX) $$suite || true; done | simt/tests/count cudac 5
check-headers: $(CUDAC)
	@simt/tests/check_headers $(CUDAC) $(B)/headers $(CXX) $(SIMT_CXXFLAGS) -Wno-sign-compare
# Snippets that nvcc accepts and refuses, on which lines: the course's reading of a source says the same.
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
