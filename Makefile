# Scan Labs. `make` alone prints the targets. Settings go on the command line: make test LAB=2
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

DEVICE     ?= cpu#        cpu | cuda
WHO        ?= student#    whose code: student, reference, or the name of a submission being graded
SUBMISSION ?= $(WHO)#     what to grade, test or run: student, reference, a directory or .cu files
LAB        ?=#            1 to 8; empty: all
PART       ?=#            one function of a lab; empty: all
MONOID     ?= interval
N          ?= 16
SHAPE      ?=#            ROWSxCOLUMNS, in the place of N in a lab of images
SEED       ?= 1
FROM       ?= $(B)/grade/$(notdir $(SUBMISSION))/results.json#  what make report reads
TILE       ?=#            64, 512 or 1024, for trace and debug any: the build to take; empty: 512, and tests take all
HUGE       ?=#            on a GPU: lengths past 2^31 too

# What SUBMISSION and FROM name may hold anything that a file's name may: it is text to make and, quoted, to a shell.
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
CUDA_ARCH ?= sm_90

B := build

# A release's files bear no dates: a corrected one, unpacked over another, is known by its mark, and all is built anew.
RELEASE := $(wildcard .scan-labs-release)
ifneq ($(and $(RELEASE),$(shell cmp -s $(RELEASE) $(B)/.release || echo other)),)
$(shell [ ! -e $(B)/.release ] || find $(B) -mindepth 1 -maxdepth 1 ! -name venv ! -name grade -exec rm -rf {} +)
$(shell mkdir -p $(B) && cp $(RELEASE) $(B)/.release)
endif

WARNINGS := -Wall -Wextra -Werror
# -fsigned-char, -ffp-contract=off: the same on every machine.
CFLAGS   := -std=gnu11 -O2 -g -fsigned-char -ffp-contract=off $(WARNINGS)

# What debug information says of the folder that all is compiled in: its own path, and not that of a link to it.
export PWD := $(CURDIR)

# Programs and flags that all is compiled with, and where: when they change, all is compiled anew. Empty within the walls of a grading,
# where all but the hand-in is built already.
FLAGS := $(B)/flags
FLAGS_ARE = $(CURDIR) | $(CC) $(CFLAGS) | $(CXX) $(SIMT_CXXFLAGS) $(SIMT_ALIGNMENT) $(SIMT_SPACES_FLAGS) | $(NVCC) $(NVCC_FLAGS) | \
	$(foreach l,$(LABS),$(l): $(call all_builds,$(l))) $(foreach p,$(PARTS_OF_FEWER),$(p): $(MONOIDS_OF_$(p)))
.PHONY: always
$(B)/flags: always
	@mkdir -p $(@D) && printf '%s\n' $(call quoted,$(FLAGS_ARE)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(FLAGS_ARE)) >$@

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ \
	    line = sprintf("  make %-16s", $$1); count = split($$2, word, " "); \
	    for (i = 1; i <= count; i++) { \
	        if (length(line " " word[i]) > 80) { print line; line = sprintf("%23s", "") } line = line " " word[i] } \
	    print line }' $(MAKEFILE_LIST)
	@echo "Settings: LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7 DEVICE=cuda"

# Those of tests, of the speed of the device, and of the course as a project are not there in what students get.
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
