# Pairs of a faulty and a clean program: each must be told apart under every schedule. See check_pairs.py.
PAIRS := $(patsubst simt/tests/pairs/%.cu,$(B)/pairs/%,$(wildcard simt/tests/pairs/*.cu))

$(B)/pairs/%: simt/tests/pairs/%.cu $(SIMT_TOOLS)
	$(call simt_program,-Isimt/tests/pairs)
-include $(PAIRS:=.d)

.PHONY: check-pairs
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

.PHONY: check-race-model
check-race-model: $(B)/races/check_race_model_1 $(B)/races/check_race_model_0 ## compare the race check with a plain model
	@for model in $^; do $$model || failed=1; done; exit $${failed:-0}
