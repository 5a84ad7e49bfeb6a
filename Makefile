# Scan Labs. `make` alone prints the targets. Settings go on the command line: make test LAB=2
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

DEVICE     ?= cpu#        cpu | cuda
WHO        ?= student#    which code: student, reference, or the name of a submission being graded
SUBMISSION ?= $(WHO)#     what to grade, test or run: student, reference, a directory or .cu files
LAB        ?=#            1 to 8; empty: all
PART       ?=#            one function of a lab; empty: all
MONOID     ?= interval
N          ?= 16
SHAPE      ?=#            ROWSxCOLUMNS, instead of N in a lab of images
SEED       ?= 1
FROM       ?= $(B)/grade/$(notdir $(SUBMISSION))/results.json#  the file that make report reads
TILE       ?=#            64, 512 or 1024, or any for trace and debug: the build to use; empty: 512, and all for tests
HUGE       ?=#            on a GPU: also lengths past 2^31
DELAYS     ?=#            on a GPU: 1 lets threads wait at random, so that races show; other numbers draw other threads

# SUBMISSION and FROM may contain any character of a file name. Make must not expand them, and shells get them quoted.
ifneq ($(origin SUBMISSION),file)
override SUBMISSION := $(value SUBMISSION)
endif
ifneq ($(origin FROM),file)
override FROM := $(value FROM)
endif
quoted = '$(subst ','\'',$(1))'

CC  := gcc
CXX := g++
NVCC ?= nvcc
# The architecture for nvcc: that of the machine's first GPU. A login node without a GPU compiles for H100 and H200.
ifeq ($(origin CUDA_ARCH),undefined)
CUDA_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/^\([0-9]*\)\.\([0-9]\)$$/sm_\1\2/p')
CUDA_ARCH := $(or $(CUDA_ARCH),sm_90)
endif
export CUDA_ARCH

B := build

# Files of a release have no timestamps. A new release unpacked over an old one is recognised by .scan-labs-release, and everything
# is rebuilt.
RELEASE := $(wildcard .scan-labs-release)
ifneq ($(and $(RELEASE),$(shell cmp -s $(RELEASE) $(B)/.release || echo other)),)
$(shell [ ! -e $(B)/.release ] || find $(B) -mindepth 1 -maxdepth 1 ! -name venv ! -name grade -exec rm -rf {} +)
$(shell mkdir -p $(B) && cp $(RELEASE) $(B)/.release)
endif

WARNINGS := -Wall -Wextra -Werror
# -fsigned-char and -ffp-contract=off give the same results on every machine.
# The folder of headers is there only if grader/setup made it.
CFLAGS   := -std=gnu11 -O2 -g -fsigned-char -ffp-contract=off $(WARNINGS) -isystem $(B)/libraries/include

# Debug information names the real path, even when the folder is entered through a symlink.
export PWD := $(CURDIR)

# The compilers, their flags and the course's folder. When they change, everything is compiled again. FLAGS is empty inside the
# sandbox of a grading, where everything except the hand-in is built already.
FLAGS := $(B)/flags
FLAGS_ARE = $(CURDIR) | $(CC) $(CFLAGS) | $(CXX) $(SIMT_CXXFLAGS) $(SIMT_ALIGNMENT) $(SIMT_SPACES_FLAGS) | \
	$(foreach l,$(LABS),$(l): $(call all_builds,$(l))) $(foreach p,$(PARTS_OF_FEWER),$(p): $(MONOIDS_OF_$(p)))
.PHONY: always
$(B)/flags: always
	@mkdir -p $(@D) && printf '%s\n' $(call quoted,$(FLAGS_ARE)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(FLAGS_ARE)) >$@
# Apart, so that nodes of a cluster with different GPUs, which share build/, compile the CPU device once.
FLAGS_OF_NVCC = $(if $(FLAGS),$(B)/cuda/flags)
$(B)/cuda/flags: always
	@mkdir -p $(@D) && printf '%s\n' '$(NVCC) $(NVCC_FLAGS)' | cmp -s - $@ || printf '%s\n' '$(NVCC) $(NVCC_FLAGS)' >$@

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ \
	    line = sprintf("  make %-16s", $$1); count = split($$2, word, " "); \
	    for (i = 1; i <= count; i++) { \
	        if (length(line " " word[i]) > 80) { print line; line = sprintf("%23s", "") } line = line " " word[i] } \
	    print line }' $(MAKEFILE_LIST)
	@echo "Settings: LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7 DEVICE=cuda"

# The files that are included with a leading `-` are for tests, benchmarks and the course as a project. Students do not get them.
include simt/module.mk
-include simt/tests/module.mk
-include simt/trace/tests/tests.mk
-include simt/bench/bench.mk
include labs/module.mk
include labs/settings.mk
include datasets/datasets.mk
include grader/module.mk
-include grader/instructor.mk
-include .ci/project.mk
-include simt/tests/fuzz/fuzz.mk

.PHONY: build clean
build: suites $(SIMTCC) ## build the CPU device, the runner, the suites and student/
	@$(MAKE) --no-print-directory build-lab

compile_commands.json: setup $(LISTS) labs/support/tools/compile_commands.py ## what clangd and other editors read
	@$(PYTHON) labs/support/tools/compile_commands.py > $@

clean: ## remove build/
	@rm -rf $(B) compile_commands.json
