# Scan Labs. `make` alone prints the targets. Settings go on the command line: make test LAB=2
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
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
TILE       ?=#            64, 512 or 1024: the build that test, run and meters take; empty: 512, and tests take all
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
WARNINGS := -Wall -Wextra -Werror
CFLAGS   := -std=gnu11 -O2 -g $(WARNINGS)

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "Settings: LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7 SUBMISSION=reference DEVICE=cuda"

# Those of tests are not there in what students get.
include simt/module.mk
-include simt/tests/programs/programs.mk
-include simt/tests/runtime.mk
-include simt/tests/pairs.mk
-include simt/tests/meters.mk
-include simt/trace/tests/tests.mk
include simt/bench/bench.mk
include labs/module.mk
include datasets/datasets.mk
include grader/module.mk

.PHONY: build check check-course format lint clean
build: suites $(SIMTCC) ## build the CPU device, the runner, the suites and student/
	@$(MAKE) --no-print-directory build-lab

# Each ends with a line `...: N passed, N failed`.
CHECKS := lint check-course check-simt check-pairs check-trace check-datasets check-labs check-alternatives check-audit check-grader check-pages
check: setup-dev ## run all of the project's own tests
	@./.ci/check $(CHECKS)

# The stubs are the reference less its solutions; the CUDA side compiles, where there is nvcc.
check-course: setup-dev
	@.ci/course

C_SOURCES = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## lay out the C sources
	@$(VENV)/bin/clang-format -i $(C_SOURCES)

lint: setup-dev ## clang-format, shellcheck, ruff, mypy
	@$(VENV)/bin/clang-format --dry-run -Werror $(C_SOURCES)
	@git ls-files | while read -r f; do [ -L "$$f" ] || ! head -c 64 "$$f" | head -1 | grep -qaE '^#!.*(ba)?sh' || echo "$$f"; done | xargs -r shellcheck
	@$(VENV)/bin/ruff check --quiet . && $(VENV)/bin/ruff format --check --quiet . && $(VENV)/bin/mypy --strict
	@echo "lint: 4 passed, 0 failed"

compile_commands.json: setup labs/support/compile_commands.py ## what clangd and other editors read
	@$(PYTHON) labs/support/compile_commands.py > $@

clean: ## remove build/
	@rm -rf $(B) compile_commands.json
