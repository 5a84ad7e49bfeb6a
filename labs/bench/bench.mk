# Times the labs' functions on a GPU: student, staged (the reference), fast, CUB and the copy limit in one run.
BENCH_WHO  := $(strip $(if $(filter file,$(origin SUBMISSION)),$(if $(wildcard reference),staged fast,student),$(subst reference,staged,$(strip $(SUBMISSION)))))
BENCH_LABS := $(filter reduction naive_scan work_efficient_scan arbitrary_length_scan compaction radix_sort summed_area_table,$(CHOSEN))
# The folder of each contender's sources.
bench_source_staged  := reference
bench_source_fast    := reference/fast
bench_source_student := student
# Headers that a contender's files share are in the same folder.
bench_build = CPLUS_INCLUDE_PATH=$(bench_source_$(1)) $(MAKE) --no-print-directory WHO=$(1) SRC=$(bench_source_$(1))
bench_files = $(foreach l,$(BENCH_LABS),$(if $(wildcard $(bench_source_$(1))/$(l).cu),$(B)/cuda/$(1)/$(l).sum.so))

# CCCL: a folder with newer headers of CUB and Thrust than nvcc's own.
CCCL ?=
$(B)/cuda/cccl: always
	@mkdir -p $(@D) && printf '%s\n' $(call quoted,$(value CCCL)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(value CCCL)) >$@
$(B)/cuda/peers.o: labs/bench/peers.cu labs/bench/peers.h $(B)/cuda/cccl
	@[ -z $(call quoted,$(value CCCL)) ] || [ -e $(call quoted,$(value CCCL))/cub/cub.cuh ] || \
	    { echo "CCCL: no cub/cub.cuh in "$(call quoted,$(value CCCL))"; it is the folder that holds cub and thrust" >&2; exit 2; }
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 $(if $(CCCL),-I$(call quoted,$(value CCCL))) -c $< -o $@
BENCH_CPP := labs/bench/options.cpp labs/bench/kinds.cpp
$(B)/bin/bench: labs/bench/bench.cu labs/bench/tasks.cu $(BENCH_CPP) $(B)/cuda/peers.o $(wildcard labs/bench/*.h) labs/support/call/parts.h
	@mkdir -p $(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 -Ilabs/support/call labs/bench/bench.cu labs/bench/tasks.cu $(BENCH_CPP) $(B)/cuda/peers.o -cudart shared \
	    -Xlinker -rpath=$(CUDA_HOME)/lib64 -ldl -o $@

.PHONY: bench
bench: setup ## on a GPU, milliseconds beside CUB's and the copy limit: make bench DEVICE=cuda [LAB=6] [SUBMISSION=student] [CCCL=folder]
	@[ "$(DEVICE)" = cuda ] || { echo "make bench DEVICE=cuda: the CPU device has no time" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(B)/bin/bench
	@$(foreach w,$(BENCH_WHO),$(if $(call bench_files,$(w)),$(call bench_build,$(w)) LAB= $(call bench_files,$(w));))
	@mkdir -p $(B)/bench
	@status=0; $(B)/bin/bench $(if $(strip $(LAB)),--lab $(CHOSEN)) --json $(B)/bench/bench.json $(BENCH_OPTIONS) \
	    $(foreach w,$(BENCH_WHO),$(w)=$(B)/cuda/$(w)) || status=$$?; \
	    [ ! -s $(B)/bench/bench.json ] || $(PYTHON) labs/bench/plot.py $(B)/bench/bench.json $(B)/bench; exit $$status
