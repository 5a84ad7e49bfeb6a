# Times the labs' functions on a GPU: student, staged (the reference), fast, CUB and the copy limit in one run.
BENCH_WHO  := $(strip $(if $(filter file,$(origin SUBMISSION)),$(if $(wildcard reference),staged fast,student),$(subst reference,staged,$(strip $(SUBMISSION)))))
BENCH_LABS := $(filter $(TIMED_LABS),$(CHOSEN))
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
$(B)/cuda/peers.o: labs/bench/peers.cu labs/bench/peers.h $(B)/cuda/cccl $(FLAGS_OF_NVCC)
	@[ -z $(call quoted,$(value CCCL)) ] || [ -e $(call quoted,$(value CCCL))/cub/cub.cuh ] || \
	    { echo "CCCL: no cub/cub.cuh in "$(call quoted,$(value CCCL))"; it is the folder that holds cub and thrust" >&2; exit 2; }
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 $(if $(CCCL),-I$(call quoted,$(value CCCL))) -c $< -o $@
BENCH_CPP := labs/bench/options.cpp labs/bench/kinds.cpp labs/bench/rows.cpp
$(B)/bin/bench: labs/bench/bench.cu labs/bench/tasks.cu labs/bench/floors.cu $(BENCH_CPP) $(B)/cuda/peers.o $(wildcard labs/bench/*.h) labs/support/call/parts.h
	@mkdir -p $(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 -Ilabs/support/call $(filter %.cu %.cpp %.o,$^) -cudart shared \
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

# race times a hand-in and the reference in processes of their own, for points and the board: grader/judge/speed.py.
RACE_CPP := labs/bench/race.cpp labs/bench/kinds.cpp labs/bench/rows.cpp
RACE_O   := $(B)/support/call/call.o
$(B)/cpu/race: $(RACE_CPP) labs/bench/race_cpu.cpp $(RACE_O) $(wildcard labs/bench/*.h) $(SUITE_H) $(FLAGS)
	@mkdir -p $(@D)
	@$(CXX) $(patsubst -std=%,-std=gnu++17,$(CFLAGS)) $(SUITE_INCLUDE) $(filter %.cpp %.o,$^) -o $@
$(B)/cuda/race: $(RACE_CPP) labs/bench/race_cuda.cu labs/bench/tasks.cu labs/bench/floors.cu $(B)/cuda/peers.o $(RACE_O) $(B)/cuda/shared_cuda.o $(wildcard labs/bench/*.h) $(SUITE_H)
	@mkdir -p $(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 $(SUITE_INCLUDE) $(filter %.cpp %.cu %.o,$^) -cudart shared \
	    -Xlinker -rpath=$(CUDA_HOME)/lib64 -ldl -o $@
$(B)/cuda/shared_cuda.o: $(SHARED_CUDA) $(SHARED_CUDA:.c=.h) $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -isystem $(CUDA_HOME)/include -c $< -o $@
$(B)/cpu/parts/empty.so: labs/bench/race_empty.cu labs/support/call/parts.h $(FLAGS)
	@mkdir -p $(@D)
	@$(CXX) -x c++ $(patsubst -std=%,-std=c++17,$(CFLAGS)) $(SUITE_INCLUDE) -fPIC -shared $< -o $@
$(B)/cuda/parts/empty.so: labs/bench/race_empty.cu labs/support/call/parts.h
	@mkdir -p $(@D)
	@$(NVCC) $(NVCC_FLAGS) $(SUITE_INCLUDE) -shared $< -o $@
.PHONY: race
race: $(B)/$(DEVICE)/race $(B)/$(DEVICE)/parts/empty.so $(B)/$(DEVICE)/runner
	@:
