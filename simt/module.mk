# The CPU device: its library, whose rooms simt/README.md describes, and the translator of .cu files (simt/cudac/).
SIMT_ROOMS := core report checks checks/races checks/sampled meters runtime trace debug
SIMT_C    := $(wildcard simt/*.c $(SIMT_ROOMS:%=simt/%/*.c))
SIMT_O    := $(SIMT_C:simt/%.c=$(B)/simt/%.o)
SIMT_H    := $(shell find simt/include -type f)#  some have no extension: cuda/atomic
LIBSIMT   := $(B)/libsimt.a
MESSAGES  := $(wildcard simt/report/*.def simt/report/messages/*.def)
CUDAC     := $(B)/bin/cudac
# A library's archive where there is one, else what the loader finds. Asked when the first program is linked: before, it may
# still have to be installed.
archived  = $(foreach l,$(1),$(if $(findstring /,$(shell $(CC) -print-file-name=lib$(l:-l%=%).a)),-Wl$(comma)-Bstatic $(l) -Wl$(comma)-Bdynamic,$(l)))
comma    := ,
PKG_CONFIG ?= pkg-config
SIMT_LIBS = $(eval SIMT_LIBS := $(call archived,-lboost_context) $(shell $(PKG_CONFIG) --libs libdw libelf) -ldl -lm)$(SIMT_LIBS)

# How g++ compiles what cudac has translated. The hooks of -fsanitize=thread are simt/core/access.c and, for
# entry and exit of functions, simt/core/returns.c, which needs -fno-omit-frame-pointer; libtsan is
# never linked. -fno-tree-sra keeps a copy of a float4 one access; -O1 keeps accesses as written, but for two
# passes: one loads ahead of a loop what only some turns of it read, and one takes what nobody writes for 0.
# -fno-threadsafe-statics: a hand-in has one host thread; programs, which may have more, are compiled without. -U_FORTIFY_SOURCE, which
# Ubuntu sets: its memcpy would be no call that the hooks see. -fstack-clash-protection: a large local array meets the
# guard page of its thread's stack, and does not step over it. -fno-jump-tables: what jumps to a computed address is then
# no switch, and the grader refuses it.
# -fsigned-char: a char is the same on every machine. -fno-var-tracking...: where a local variable is at each instruction takes a
# seventh of the time, and nobody asks: the device needs lines, types and the addresses of static variables, and gdb gets code of -O0.
# On arm64, too: a division by zero is no signal there. A thread-local variable's address comes from a call by name, and a
# return address on the stack is one as it stands: the grader refuses calls of computed addresses, and a crash looks for
# where it came from.
# What a compiler may be made to compute, which is bounded by work, and so the same on every machine: templates in templates,
# as deep as nvcc has them, and steps of constant expressions.
COMPILER_BOUNDS := -ftemplate-depth=200 -fconstexpr-ops-limit=4194304
MACHINE := $(shell uname -m)
SIMT_CXXFLAGS_aarch64 := -fsanitize=integer-divide-by-zero -mtls-dialect=trad -mbranch-protection=none
SIMT_CXXFLAGS := -std=gnu++17 -O1 -g -fno-var-tracking -fno-var-tracking-assignments -fPIC -fsanitize=thread,bounds,builtin,return,shift-exponent -fsanitize-coverage=trace-pc --param tsan-distinguish-volatile=1 \
	-fno-omit-frame-pointer -fno-tree-sra -fno-tree-loop-im -fno-ipa-reference-addressable \
	-fno-builtin -fno-gnu-unique -fno-threadsafe-statics -fvisibility=hidden -fstack-clash-protection -fno-jump-tables -fwrapv -fsigned-char -fno-strict-aliasing -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas \
	$(COMPILER_BOUNDS) -D__CUDACC__ -D__SIMT__ -U_FORTIFY_SOURCE -Isimt/include $(SIMT_CXXFLAGS_$(MACHINE))

# For gdb: as it is written, and not as it is fast.
SIMT_DEBUG_CXXFLAGS = $(subst -O1 -g ,-O0 -g3 -DSIMT_DEBUG ,$(SIMT_CXXFLAGS))

# Is an address aligned as its type has to be? The hooks see most of it by the length of an access, but not where g++ takes
# a struct member by member, or a 16-byte type as two of 8. Apart, because with it g++ leaves accesses in a kernel that it
# would merge, and meters count those: for programs, and for the builds of a lab that no meter is asked of.
SIMT_ALIGNMENT := -fsanitize=alignment

# The headers that were read for $(1), -MD's other than -MMD's with those that CPLUS_INCLUDE_PATH leads to, go to $(1).d, which
# $(1) needs as well: one that is missing is "made" by doing nothing, and $(1) with it. Some compilers write it last: then a
# touch says that $(1) is as new.
headers_to = -MD -MP -MT $(1) -MF $(1).d
$(foreach kind,so o ii gch read generic,$(eval %.$(kind).d: ;))

# How it is read once before, at no level of optimization, for simt/spaces/ to judge who calls whom.
SPACES := $(wildcard simt/spaces/*.py)
SIMT_SPACES_FLAGS := -std=gnu++17 -O0 -w -fno-builtin -fno-gnu-unique -fwrapv $(COMPILER_BOUNDS) -D__CUDACC__ -D__SIMT__ -DSIMT_SPACES -Isimt/include
SYSTEM_PYTHON := python3 -I -S#  none of its packages

# How simtcc compiles: of a program's own main, which may start threads.
SIMTCC_FLAGS := $(filter-out -Wall -Wextra -fno-threadsafe-statics,$(SIMT_CXXFLAGS)) $(SIMT_ALIGNMENT)

# cuda_runtime.h, which every translated file begins with, is read once for all: more than a third of the time to compile a
# lab or a program. g++ takes the .gch beside a header of that name, where the flags are the same; else the header.
SIMT_PCH         := $(B)/pch/simt.h.gch
SIMT_PCH_ALIGNED := $(B)/pch/aligned/simt.h.gch
SIMTCC_PCH       := $(B)/pch/simtcc/simt.h.gch
SPACES_PCH       := $(B)/pch/spaces/simt.h.gch
SIMT_PCHS        := $(SIMT_PCH) $(SIMT_PCH_ALIGNED) $(SIMTCC_PCH) $(SPACES_PCH)
$(SIMT_PCH): PCH_FLAGS := $(SIMT_CXXFLAGS)
$(SIMT_PCH_ALIGNED): PCH_FLAGS := $(SIMT_CXXFLAGS) $(SIMT_ALIGNMENT)
$(SIMTCC_PCH): PCH_FLAGS := $(SIMTCC_FLAGS)
$(SPACES_PCH): PCH_FLAGS := $(SIMT_SPACES_FLAGS)
$(SIMT_PCHS): %: %.d $(FLAGS)
	@mkdir -p $(@D)
	@echo '#include <cuda_runtime.h>' >$(@:.gch=)
	@$(CXX) $(PCH_FLAGS) $(call headers_to,$@) -x c++-header $(@:.gch=) -o $@
	@touch $@
-include $(wildcard $(SIMT_PCHS:=.d))

# The course's folder, as C has it: simt/report/own_files.c tells the course's files by it.
SIMT_FOLDER = $(call quoted,-DSIMT_FOLDER="$(subst ",\",$(subst \,\\,$(CURDIR)))/")
# All C of the device and its tools: $(1) further flags.
define simt_compile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SIMT_FOLDER) -Isimt $(1) -MMD -MP -c $< -o $@
endef
$(B)/simt/%.o: simt/%.c $(FLAGS)
	$(call simt_compile)
-include $(wildcard $(B)/simt/*.d $(B)/simt/*/*.d $(B)/simt/*/*/*.d)

$(LIBSIMT): $(SIMT_O)
	@rm -f $@ && ar rcs $@ $^

# Where make is called for another machine it is told of a translator that runs on this one.
ifneq ($(origin CUDAC),command line)
$(CUDAC): $(patsubst simt/%.c,$(B)/simt/%.o,$(wildcard simt/cudac/*.c))
	@mkdir -p $(@D)
	@$(CC) $^ -o $@
endif

# The meter of instructions finds the basic blocks of translated code by the relocations of their hooks: simt/core/blocks.h.
SIMT_BLOCKS := -Wl,--emit-relocs

# What a program that runs kernels is linked with. Without -fsanitize, which would bring libtsan in.
SIMT_LINK := -Wl,--dynamic-list=simt/exports.list -Wl,--whole-archive $(LIBSIMT) -Wl,--no-whole-archive $(SIMT_LIBS)

# simtcc, the device as a compiler of any .cu with a main; simt/simtcc/simtcc says how it is used. It is told in shell's
# words how to compile and link; compilers run in the course's folder.
SIMTCC := $(B)/bin/simtcc
$(SIMTCC): simt/simtcc/simtcc simt/module.mk $(FLAGS) $(CUDAC) $(LIBSIMT) $(B)/simt/simtcc/program.o $(SIMTCC_PCH) $(SPACES_PCH) $(SPACES)
	@mkdir -p $(@D)
	@{ printf 'root=%q\n' "$$PWD"; \
	    printf 'cc=(%s)\n' "$(CC)"; \
	    printf 'cxx=(%s)\n' "$(CXX)"; \
	    printf 'cudac=%q\n' "$(CUDAC)"; \
	    printf 'compile=(%s)\n' "$(SIMTCC_FLAGS) -include $(SIMTCC_PCH:.gch=)"; \
	    printf 'spaces=(%s)\n' "$(SIMT_SPACES_FLAGS) -include $(SPACES_PCH:.gch=)"; \
	    printf 'link=(%s)\n' "$(B)/simt/simtcc/program.o $(SIMT_BLOCKS) $(SIMT_LINK)"; } >$@.settings
	@cp $< $@
