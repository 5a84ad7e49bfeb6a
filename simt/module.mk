# The CPU device: its library, whose rooms simt/README.md describes, and the translator of .cu files (simt/cudac/).
SIMT_ROOMS := core report checks checks/races checks/sampled meters runtime trace debug
SIMT_C    := $(wildcard simt/*.c $(SIMT_ROOMS:%=simt/%/*.c))
SIMT_O    := $(SIMT_C:simt/%.c=$(B)/simt/%.o)
SIMT_H    := $(shell find simt/include -type f)#  some have no extension: cuda/atomic
LIBSIMT   := $(B)/libsimt.a
MESSAGES  := $(wildcard simt/report/*.def simt/report/messages/*.def)
CUDAC     := $(B)/bin/cudac
# A library's archive if there is one, else what the loader finds. This is evaluated when the first program is linked,
# because the library may be installed only after make has started.
archived  = $(foreach l,$(1),$(if $(findstring /,$(shell $(CC) -print-file-name=lib$(l:-l%=%).a)),-Wl$(comma)-Bstatic $(l) -Wl$(comma)-Bdynamic,$(l)))
comma    := ,
PKG_CONFIG ?= pkg-config
# The option to find the libraries in build/libraries. It is empty unless grader/setup has unpacked them there, which it
# does for users who cannot install packages.
carried   = $(shell [ ! -e $(B)/libraries/lib ] || echo -L$(B)/libraries/lib)
SIMT_LIBS = $(eval SIMT_LIBS := $(if $(carried),$(carried) -lboost_context -ldw -lelf -lz -llzma -lbz2,\
    $(call archived,-lboost_context) $(shell $(PKG_CONFIG) --libs libdw libelf)) -ldl -lm)$(SIMT_LIBS)

# How g++ compiles translated code:
#   -fsanitize=thread         calls hooks: simt/core/access.c, and simt/core/returns.c where functions begin and end, which
#                             needs -fno-omit-frame-pointer; libtsan is never linked
#   -O1                       keeps accesses as they are written, except for two passes: one loads before a loop what only
#                             some iterations read, and one takes a variable that nothing writes for 0; both are disabled
#   -fno-tree-sra             keeps a copy of a float4 one access
#   -fno-threadsafe-statics   a submission has one host thread; programs may have more and are compiled without it
#   -U_FORTIFY_SOURCE         Ubuntu sets it, but hooks would not see the calls of its memcpy
#   -fstack-clash-protection  a large local array meets the guard page of its thread's stack instead of stepping over it
#   -fno-jump-tables          the grader refuses jumps to computed addresses, so a switch must not be one
#   -fsigned-char             a char is the same on every machine
#   -fno-var-tracking...      the place of a local variable at each instruction takes a seventh of the time, and nothing uses
#                             it: the device needs lines, types and addresses of static variables, and gdb gets code of -O0
# On arm64, a division by zero raises no signal, so it is checked. The address of a thread-local variable comes from a
# call by name, because the grader refuses calls of computed addresses, and return addresses on the stack are not
# signed, because the report of a crash looks for callers there.
# The limits on a compiler's own computations count work, so they are the same on every machine: the depth of nested
# templates, as in nvcc, and the steps of constant expressions.
COMPILER_BOUNDS := -ftemplate-depth=200 -fconstexpr-ops-limit=4194304
MACHINE := $(shell uname -m)
SIMT_CXXFLAGS_aarch64 := -fsanitize=integer-divide-by-zero -mtls-dialect=trad -mbranch-protection=none
SIMT_CXXFLAGS := -std=gnu++17 -O1 -g -fno-var-tracking -fno-var-tracking-assignments -fPIC -fsanitize=thread,bounds,builtin,return,shift-exponent -fsanitize-coverage=trace-pc --param tsan-distinguish-volatile=1 \
	-fno-omit-frame-pointer -fno-tree-sra -fno-tree-loop-im -fno-ipa-reference-addressable \
	-fno-builtin -fno-gnu-unique -fno-threadsafe-statics -fvisibility=hidden -fstack-clash-protection -fno-jump-tables -fwrapv -fsigned-char -fno-strict-aliasing -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas \
	$(COMPILER_BOUNDS) -D__CUDACC__ -D__SIMT__ -U_FORTIFY_SOURCE -Isimt/include $(SIMT_CXXFLAGS_$(MACHINE))

# For gdb: the code as it is written, without optimization.
SIMT_DEBUG_CXXFLAGS = $(subst -O1 -g ,-O0 -g3 -DSIMT_DEBUG ,$(SIMT_CXXFLAGS))

# Checks that an address has the alignment of its type. The hooks see most errors from the length of an access, but not
# where g++ accesses a struct member by member, or a 16-byte type as two of 8. It is a separate option because g++ then
# keeps accesses in a kernel that it would merge, and meters count them. So it is used for programs, and for those
# builds of a lab that are not measured.
SIMT_ALIGNMENT := -fsanitize=alignment

# What C++ does not define, and the device cannot see: for the builds on which proofs rest, which are never measured.
# - Signed arithmetic that overflows. With -fwrapv g++ would leave the check out, and without it, it would change
#   comparisons such as x + 1 > x; -ftrapv does neither. It may call functions of libgcc, which
#   labs/support/call/wrapping.c replaces. -fno-tree-... keeps checks of values that a result does not depend on.
# - Divisions by 0, floats that an integer cannot hold, bools and enums with other values, __builtin_unreachable().
SIMT_DEFINED := -ftrapv -fwrapv-pointer \
	-fsanitize=signed-integer-overflow,integer-divide-by-zero,float-cast-overflow,bool,enum,unreachable \
	-fno-tree-ccp -fno-tree-dce -fno-tree-dominator-opts -fno-tree-dse -fno-tree-forwprop -fno-tree-fre -fno-tree-sink
SIMT_PROOF_CXXFLAGS := $(filter-out -fwrapv,$(SIMT_CXXFLAGS)) $(SIMT_ALIGNMENT) $(SIMT_DEFINED)

# $(1) zero or pattern: what variables hold that nothing has set. As an element of intervals, both are wrong for ever.
# g++ 11 has no such option.
simt_unset = $(if $(filter 11 11.%,$(shell $(CXX) -dumpversion)),,-ftrivial-auto-var-init=$(1))

# Writes the headers that were read for $(1) to $(1).d (-MD, unlike -MMD, includes those found through
# CPLUS_INCLUDE_PATH). $(1) depends on that file; if it is missing, an empty rule "makes" it, and $(1) with it. Some
# compilers write it last; then a touch makes $(1) as new as the file.
headers_to = -MD -MP -MT $(1) -MF $(1).d
$(foreach kind,so o ii gch read generic,$(eval %.$(kind).d: ;))

# How the source is compiled before that, without optimization, so that simt/spaces/ can check which functions call each
# other.
SPACES := $(wildcard simt/spaces/*.py)
SIMT_SPACES_FLAGS := -std=gnu++17 -O0 -w -ffunction-sections -fdata-sections -fno-builtin -fno-gnu-unique -fwrapv $(COMPILER_BOUNDS) -D__CUDACC__ -D__SIMT__ -DSIMT_SPACES -Isimt/include
SYSTEM_PYTHON := python3 -I -S#  none of its packages

# How simtcc compiles a program with a main function of its own, which may start threads.
SIMTCC_FLAGS := $(filter-out -Wall -Wextra -fno-threadsafe-statics,$(SIMT_CXXFLAGS)) $(SIMT_ALIGNMENT)

# Every translated file begins with cuda_runtime.h, so it is precompiled once, which saves more than a third of the time
# to compile a lab or a program. g++ uses the .gch file next to a header of that name if the flags are the same, and
# else the header.
SIMT_PCH         := $(B)/pch/simt.h.gch
SIMT_PCH_ALIGNED := $(B)/pch/aligned/simt.h.gch
SIMT_PCH_PROOF   := $(B)/pch/proof/simt.h.gch
SIMTCC_PCH       := $(B)/pch/simtcc/simt.h.gch
SPACES_PCH       := $(B)/pch/spaces/simt.h.gch
SIMT_PCHS        := $(SIMT_PCH) $(SIMT_PCH_ALIGNED) $(SIMT_PCH_PROOF) $(SIMTCC_PCH) $(SPACES_PCH)
$(SIMT_PCH): PCH_FLAGS := $(SIMT_CXXFLAGS)
$(SIMT_PCH_ALIGNED): PCH_FLAGS := $(SIMT_CXXFLAGS) $(SIMT_ALIGNMENT)
$(SIMT_PCH_PROOF): PCH_FLAGS := $(SIMT_PROOF_CXXFLAGS)
$(SIMTCC_PCH): PCH_FLAGS := $(SIMTCC_FLAGS)
$(SPACES_PCH): PCH_FLAGS := $(SIMT_SPACES_FLAGS)
$(SIMT_PCHS): %: %.d $(FLAGS)
	@mkdir -p $(@D)
	@echo '#include <cuda_runtime.h>' >$(@:.gch=)
	@$(CXX) $(PCH_FLAGS) $(call headers_to,$@) -x c++-header $(@:.gch=) -o $@
	@touch $@
-include $(wildcard $(SIMT_PCHS:=.d))

# The course's folder as a C string, by which simt/report/own_files.c recognises the course's files.
SIMT_FOLDER = $(call quoted,-DSIMT_FOLDER="$(subst ",\",$(subst \,\\,$(CURDIR)))/")
# A switch of fibers pushes to the stack (core/arch_x86_64.h), so nothing may be kept below the stack pointer.
SIMT_CFLAGS_x86_64 := -mno-red-zone
# Compiles all C of the device and its tools. $(1) further flags.
define simt_compile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SIMT_CFLAGS_$(MACHINE)) $(SIMT_FOLDER) -Isimt $(1) -MMD -MP -c $< -o $@
endef
$(B)/simt/%.o: simt/%.c $(FLAGS)
	$(call simt_compile)
-include $(wildcard $(B)/simt/*.d $(B)/simt/*/*.d $(B)/simt/*/*/*.d)

$(LIBSIMT): $(SIMT_O)
	@rm -f $@ && ar rcs $@ $^

# When make is called for another machine, the command line names a translator that runs on this one.
ifneq ($(origin CUDAC),command line)
$(CUDAC): $(patsubst simt/%.c,$(B)/simt/%.o,$(wildcard simt/cudac/*.c))
	@mkdir -p $(@D)
	@$(CC) $^ -o $@
endif

# The meter of instructions finds the basic blocks of translated code by the relocations of their hooks:
# simt/core/blocks.h.
SIMT_BLOCKS := -Wl,--emit-relocs

# What a program that runs kernels is linked with, without -fsanitize, which would add libtsan.
SIMT_LINK := -Wl,--dynamic-list=simt/exports.list -Wl,--whole-archive $(LIBSIMT) -Wl,--no-whole-archive $(SIMT_LIBS)

# simtcc is the device as a compiler of any .cu file with a main function; simt/simtcc/simtcc describes its use. It
# contains the commands to compile and link as words of the shell; compilers run in the course's folder.
SIMTCC := $(B)/bin/simtcc
$(SIMTCC): simt/simtcc/simtcc simt/module.mk $(FLAGS) $(CUDAC) $(LIBSIMT) $(B)/simt/simtcc/program.o $(SIMTCC_PCH) $(SPACES_PCH) $(SPACES)
	@mkdir -p $(@D)
	@{ printf 'root=%q\n' "$$PWD"; \
	    printf 'cc=(%s)\n' "$(CC)"; \
	    printf 'cxx=(%s)\n' "$(CXX)"; \
	    printf 'cudac=%q\n' "$(CUDAC)"; \
	    printf 'cccl=%q\n' "$(B)/cccl"; \
	    printf 'compile=(%s)\n' "$(SIMTCC_FLAGS) -include $(SIMTCC_PCH:.gch=)"; \
	    printf 'spaces=(%s)\n' "$(SIMT_SPACES_FLAGS) -include $(SPACES_PCH:.gch=)"; \
	    printf 'link=(%s)\n' "$(B)/simt/simtcc/program.o $(SIMT_BLOCKS) $(SIMT_LINK)"; } >$@.settings
	@cp $< $@
