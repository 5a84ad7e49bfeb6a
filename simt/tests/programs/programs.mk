# The CUDA programs of this folder. On the CPU device each must print, byte for byte, what a GPU printed. A program is a
# file or a folder of files. The folders are written in the style of older code, or have several host threads; simtcc
# builds them unchanged. A folder of faulty/ has one mistake in a file that it includes, and its findings.txt is the
# text that the CPU device must print.
#   check-programs           builds and runs them on the CPU device, compares with expected/ and findings.txt
#   build/cuda/programs/all  builds all with nvcc; run_on_gpu then records what a GPU prints
PROGRAMS_OF_FILES := $(patsubst simt/tests/programs/%/,%,$(filter-out %/expected/ %/faulty/,$(wildcard simt/tests/programs/*/)))
PROGRAMS_FAULTY   := $(patsubst simt/tests/programs/%/,%,$(wildcard simt/tests/programs/faulty/*/))
PROGRAMS      := $(patsubst simt/tests/programs/%.cu,%,$(wildcard simt/tests/programs/*.cu)) $(PROGRAMS_OF_FILES)
PROGRAMS_CUDA := $(PROGRAMS:%=$(B)/cuda/programs/%)

# A program that does not build leaves no binary, which compare reports.
$(B)/programs/%: simt/tests/programs/%.cu simt/tests/programs/program.h $(SIMTCC) $(SIMT_H)
	@mkdir -p $(@D) && rm -f $@
	@$(SIMTCC) $< -o $@

PROGRAM_FILES   := $(shell find simt/tests/programs -mindepth 2 -type f)
# program_sources NAME: those of its files that are given to a compiler; in a project with a CMake list, those of its
# folders, too. program_headers NAME: the others, including those in folders.
cmake_list      = $(wildcard simt/tests/programs/$(1)/CMakeLists.txt)
program_sources = $(sort $(foreach ending,cu cpp cc c,$(wildcard simt/tests/programs/$(1)/*.$(ending) $(if $(cmake_list),simt/tests/programs/$(1)/*/*.$(ending)))))
program_includes = $(if $(cmake_list),-I simt/tests/programs/$(1))
program_headers = $(filter-out $(call program_sources,$(1)) %.txt,$(filter simt/tests/programs/$(1)/%,$(PROGRAM_FILES)))

# program_of_files NAME: the rules that build it with simtcc and with nvcc.
define program_of_files
$(B)/programs/$(1): $(call program_sources,$(1)) $(call program_headers,$(1)) simt/tests/programs/program.h $(SIMTCC) $(SIMT_H)
	@mkdir -p $$(@D) && rm -f $$@
	@$(SIMTCC) -rdc=true $(call program_includes,$(1)) $(call program_sources,$(1)) -o $$@
$(B)/cuda/programs/$(1): $(call program_sources,$(1)) $(call program_headers,$(1))
	@mkdir -p $$(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 -fmad=false -rdc=true $(call program_includes,$(1)) $(call program_sources,$(1)) -o $$@
endef
$(foreach name,$(PROGRAMS_OF_FILES) $(PROGRAMS_FAULTY),$(eval $(call program_of_files,$(name))))

$(B)/cuda/programs/%: simt/tests/programs/%.cu simt/tests/programs/program.h
	@mkdir -p $(@D)
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 -fmad=false -Werror all-warnings -Xcompiler -Wall $< -o $@

.PHONY: $(B)/cuda/programs/all check-programs
$(B)/cuda/programs/all: $(PROGRAMS_CUDA)

# The programs that belong to PORTION; without it, all.
check-programs: setup $(CUDAC) $(LIBSIMT) $(SIMTCC) ## compare CUDA programs on the CPU device with a GPU's output
	@set -e; taken=$$($(TAKEN) $(PROGRAMS) $(PROGRAMS_FAULTY)); \
	$(MAKE) --no-print-directory -k -j2 --output-sync=target $$(printf '$(B)/programs/%s ' $$taken) || true; \
	simt/tests/programs/compare $(B)/programs $$taken
