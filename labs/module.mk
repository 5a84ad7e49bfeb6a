# Builds the labs: a public and a hidden suite for each, and one shared object for each build of a submission. The
# sections:
#
#   which builds there are        the monoids and tiles of each lab, and which of them BUILDS, PART and TILE choose
#   what the command line chose   LAB, WHO, DEVICE, TILE
#   what all labs share           the suites and the runner, which are trusted
#   one lab of one submission     its shared objects, and the checks before they are compiled
#
# The commands for students, such as make test, are in commands.mk; the tests of labs/support are in
# support/tests/tests.mk.

# ---- which builds there are -----------------------------------------------------------------------------------
LAB_DIRS := $(sort $(wildcard labs/[1-9]-*))
# Turns labs/2-naive-scan into naive_scan. Here and below, make's own functions do it: a shell for each would take half
# a second.
lab_name  = $(subst $() ,_,$(wordlist 2,9,$(subst -, ,$(notdir $(1)))))
LABS     := $(foreach d,$(LAB_DIRS),$(call lab_name,$(d)))
# What lab.toml says of a lab and its parts, as variables: MONOIDS_naive_scan, TELLING_reduction, MONOIDS_OF_mean, and
# lists of labs: PROVED_LABS; STOCK_LABS and TIMED_LABS, which have such parts.
LAB_FACTS := $(shell awk -F '[][ =",]+' 'FNR == 1 { n = split(FILENAME, path, "/"); lab = path[n - 1]; sub(/[1-9]-/, "", lab); gsub(/-/, "_", lab); of = "_" lab } \
    $$1 == "name" { of = "_OF_" $$2 } \
    $$1 == "monoids" || $$1 == "telling" { fact = toupper($$1) of ":="; for (i = 2; i < NF; i++) fact = fact "," $$i; print fact } \
    $$1 == "proved" || $$1 == "stock" || $$1 == "timed" { print toupper($$1) "_LABS+=" lab }' $(LAB_DIRS:=/lab.toml))
$(foreach fact,$(LAB_FACTS),$(eval $(subst $(comma), ,$(fact))))
$(foreach l,$(LABS),$(if $(MONOIDS_$(l)),,$(error the lab.toml of $(l) has no line such as: monoids = ["sum"])))
# The parts that take fewer monoids than their lab.
PARTS_OF_FEWER := $(patsubst MONOIDS_OF_%,%,$(sort $(filter MONOIDS_OF_%,$(.VARIABLES))))
lab_monoids  = $(MONOIDS_$(1))
part_monoids = $(or $(if $(2),$(MONOIDS_OF_$(2))),$(lab_monoids))
# The same sets for the suites. A part takes some of its lab's monoids, and a lab has the monoids that any of its parts
# takes.
mask     = -D'$(1)=($(subst $() ,|,$(foreach m,$(2),1u<<MONOID_$(call upper,$(m)))))'
lab_mask = $(call mask,LAB_MONOIDS,$(lab_monoids)) $(foreach p,$(PARTS_OF_FEWER),$(call mask,MONOIDS_OF_$(p),$(MONOIDS_OF_$(p))))
# A build is a monoid with TILE = 512, such as sum, or one of the most telling monoids with another TILE, such as
# sum.64. BUILDS=telling means those monoids with TILE = 512; BUILDS=sum.64 that one build, in labs that have it;
# BUILDS=tested the builds that the tests of PART and TILE call; and BUILDS=proved those of their proofs.
# BUILDS=unproved means the tested builds without the files that only proofs read, which take longer to make than these.
OTHER_TILES := 64 1024
telling_monoids = $(or $(TELLING_$(1)),$(filter interval,$(call lab_monoids,$(1))),sum)
all_builds = $(call lab_monoids,$(1)) $(foreach t,$(OTHER_TILES),$(addsuffix .$(t),$(call telling_monoids,$(1))))
# The most telling monoid of one part, or of all if $(2) is empty, as suite_telling_monoid of labs/support/suite chooses
# it.
part_telling = $(if $(2),$(call first_of,interval fingerprint sum,$(part_monoids)),$(call telling_monoids,$(1)))
first_of     = $(firstword $(foreach m,$(1),$(filter $(m),$(2))) $(2))
# $(1) lab  $(2) part, empty for all  $(3) tile, empty for all  $(4) monoids with TILE = 512
asked_builds = $(if $(filter 512,$(or $(3),512)),$(4)) $(foreach t,$(filter $(or $(3),$(OTHER_TILES)),$(OTHER_TILES)),$(addsuffix .$(t),$(part_telling)))
builds_telling = $(telling_monoids)
builds_tested  = $(call asked_builds,$(1),$(strip $(PART)),$(TILE),$(call part_monoids,$(1),$(strip $(PART))))
builds_unproved = $(builds_tested)
# A part without a monoid that proves is proved, if it is, in the builds of other parts.
proved_as      = $(if $(filter interval fingerprint,$(call part_monoids,$(1),$(strip $(PART)))),$(strip $(PART)))
builds_proved  = $(filter interval% fingerprint%,$(call asked_builds,$(1),$(proved_as),$(TILE),$(call part_telling,$(1),$(proved_as))))
lab_builds = $(if $(filter telling tested unproved proved,$(BUILDS)),$(builds_$(BUILDS)),$(or $(filter $(BUILDS),$(call all_builds,$(1))),$(call all_builds,$(1))))
build_defines = -DMONOID=MONOID_$(call upper,$(basename $(1))) $(addprefix -DTILE=,$(patsubst .%,%,$(suffix $(1))))
# Labs whose parts call no stock functions do not see their headers.
lab_stock  = $(if $(filter $(1),$(STOCK_LABS)),$(2))
# The folders from which a lab's code, and the harness and its suites, may include headers.
lab_include    = -Ilabs/include $(call lab_stock,$(1),-Ilabs/stock)
SUPPORT_ROOMS := suite call values stock
SUITE_INCLUDE := $(SUPPORT_ROOMS:%=-Ilabs/support/%) -Ilabs/include -Ilabs/stock
upper     = $(strip \
            $(subst a,A,$(subst b,B,$(subst c,C,$(subst d,D,$(subst e,E,$(subst f,F,$(subst g,G,$(subst h,H,\
            $(subst i,I,$(subst j,J,$(subst k,K,$(subst l,L,$(subst m,M,$(subst n,N,$(subst o,O,$(subst p,P,\
            $(subst q,Q,$(subst r,R,$(subst s,S,$(subst t,T,$(subst u,U,$(subst v,V,$(subst w,W,$(subst x,X,$(subst y,Y,$(subst z,Z,$(1))))))))))))))))))))))))))))

# ---- what the command line chose --------------------------------------------------------------------------------
# LAB=2 selects a lab, and so does LAB=naive_scan, the name that editors have; a wrong name is an error that lists the
# labs.
LAB_DIR  := $(if $(strip $(LAB)),$(or $(wildcard labs/$(strip $(LAB))-*),$(wildcard labs/[1-9]-$(subst _,-,$(strip $(LAB))))),$(LAB_DIRS))
ifeq ($(LAB_DIR),)
$(error there is no lab $(strip $(LAB)); the labs are $(notdir $(LAB_DIRS)))
endif
ifneq ($(strip $(LAB)),)
override LAB := $(firstword $(subst -, ,$(notdir $(LAB_DIR))))
endif
CHOSEN   := $(foreach d,$(LAB_DIR),$(call lab_name,$(d)))

WHO      := $(strip $(WHO))
DEVICE   := $(strip $(DEVICE))
TILE     := $(strip $(TILE))
ifneq ($(if $(filter trace debug debug-build debug-object build-lab,$(MAKECMDGOALS)),,$(filter-out 512 $(OTHER_TILES),$(TILE))),)
$(error TILE=$(TILE): it is one of 512 $(OTHER_TILES))
endif
ifeq ($(filter $(DEVICE),cpu cuda),)
$(error DEVICE=$(DEVICE): it is cpu or cuda)
endif
# Where a submission's objects are. With DELAYS=1 those for a GPU have delays put in, which the number draws.
DELAYS   := $(strip $(DELAYS))
ifneq ($(if $(DELAYS),$(shell [[ "$(DEVICE) $(DELAYS)" =~ ^cuda\ [1-9][0-9]*$$ ]] && echo good),good),good)
$(error DELAYS=$(DELAYS): it is a number from 1 on, and needs DEVICE=cuda)
endif
ROOM     := $(if $(DELAYS),delays-$(DELAYS),$(DEVICE))
SRC      ?= $(if $(filter student reference,$(WHO)),$(WHO),$(B)/grade/$(WHO)/src)

# ---- what all labs share, and is trusted -------------------------------------------------------------------
SUPPORT_H := $(wildcard $(SUPPORT_ROOMS:%=labs/support/%/*.h) labs/include/*.h labs/stock/*.h)
# What suites and runners include besides, but the build of a submission does not.
SUITE_H   := $(SUPPORT_H) simt/simt.h simt/simt_explore.h simt/simt_sample.h $(MESSAGES)
SUITE_C   := $(wildcard labs/support/suite/*.c labs/support/values/*.c) labs/support/call/call.c
SHOWS_FINDINGS := $(addprefix $(B)/support/,finding_text.o finding_names.o thread_set.o)
SUITE_O   := $(SUITE_C:labs/support/%.c=$(B)/support/%.o) $(SHOWS_FINDINGS)
CHECK_LIBS = $(eval CHECK_LIBS := $(if $(carried),$(carried) -lcheck -lsubunit -pthread -lrt -lm,$(shell $(PKG_CONFIG) --libs check)))$(eval \
    CHECK_LIBS := $(call archived,$(filter -lcheck% -lsubunit,$(CHECK_LIBS))) $(filter-out -lcheck% -lsubunit,$(CHECK_LIBS)))$(CHECK_LIBS)

$(B)/support/%.o: labs/support/%.c $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -MMD -MP -c $< -o $@
# Suites show findings in the device's own words.
$(SHOWS_FINDINGS): $(B)/support/%.o: simt/report/%.c simt/report/thread_set.h simt/report/finding_names.h simt/simt.h simt/simt_explore.h simt/simt_sample.h $(MESSAGES) $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt -c $< -o $@
-include $(wildcard $(B)/support/*/*.d)

$(B)/libsuite.a: $(SUITE_O)
	@rm -f $@ && ar rcs $@ $^

$(B)/bin/run: labs/support/tools/run.c $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) $< $(B)/libsuite.a $(CHECK_LIBS) -o $@

# The runner contains its filter of system calls, because it loads only the submission after the sandbox is closed.
RUNNER_C  := $(addprefix labs/support/call/,runner.c lockdown.c)
RUNNER_OF  = $(RUNNER_C) labs/support/call/runner_$(1).c
SHARED_CUDA := labs/support/call/shared_cuda.c
SECCOMP    = $(if $(carried),$(carried) -lseccomp,$(call archived,$(shell $(PKG_CONFIG) --libs libseccomp)))
STOCK_CPU_O := $(B)/cpu/stock_cpu.o
$(STOCK_CPU_O): labs/support/stock/stock_cpu.c $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -D__SIMT__ -Isimt $(SUITE_INCLUDE) -MMD -MP -c $< -o $@
-include $(B)/cpu/stock_cpu.d

$(B)/cpu/runner: $(call RUNNER_OF,simt) $(STOCK_CPU_O) $(LIBSIMT) $(SUITE_H) simt/exports.list $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -D__SIMT__ -Isimt/include -Isimt $(SUITE_INCLUDE) $(call RUNNER_OF,simt) $(STOCK_CPU_O) $(SIMT_LINK) $(SECCOMP) -o $@

# The labs' shared objects use the runtime library that the runner has loaded, so that both see the same errors.
CUDA_HOME ?= $(abspath $(dir $(shell readlink -f "$$(command -v $(NVCC) || echo /usr/local/cuda/bin/nvcc)"))..)
$(B)/cuda/runner: $(call RUNNER_OF,cuda) $(SHARED_CUDA) $(SUITE_H) $(FLAGS)
	@command -v $(NVCC) >/dev/null || { echo "DEVICE=cuda needs nvcc: install the CUDA Toolkit, or use DEVICE=cpu" >&2; exit 2; }
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -isystem $(CUDA_HOME)/include $(SUITE_INCLUDE) $(call RUNNER_OF,cuda) $(SHARED_CUDA) $(SECCOMP) -o $@ -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 \
	    -Wl,--no-as-needed -lcudart -ldl

# The list of a lab's parts is made from its contract and its lab.toml; a part that one of them lacks stops the build.
# The judging of the parts is compiled once for both suites of a lab.
lab_list = $(B)/generated/$(1)/parts.def
define lab_suites
$(call lab_list,$(2)): labs/support/tools/make_parts.py $(1)/lab.toml $(1)/$(2).h
	@mkdir -p $$(@D)
	@$$(or $$(wildcard $$(PYTHON)),$(SYSTEM_PYTHON)) $$^ >$$@
LISTS += $(call lab_list,$(2))
$(B)/suites/check_$(2).o: $(1)/check_$(2).c $(call lab_list,$(2)) $(FLAGS)
	@mkdir -p $$(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -I$(1) -I$(B)/generated/$(2) $(call lab_mask,$(2)) -MMD -MP -c $$< -o $$@
$(B)/suites/check_$(2)_hidden.o: reference/check_$(2)_hidden.c $(FLAGS)
	@mkdir -p $$(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -I$(1) -MMD -MP -c $$< -o $$@
$(B)/bin/check_$(2): $(B)/suites/check_$(2).o $(B)/libsuite.a
$(B)/bin/check_$(2)_hidden: $(B)/suites/check_$(2)_hidden.o $(B)/suites/check_$(2).o $(B)/libsuite.a
$(B)/bin/check_$(2) $(B)/bin/check_$(2)_hidden:
	@mkdir -p $$(@D)
	@$(CC) $$^ $$(CHECK_LIBS) -o $$@
SUITES += $(B)/bin/check_$(2) $(if $(wildcard reference/check_$(2)_hidden.c),$(B)/bin/check_$(2)_hidden)
endef
-include $(wildcard $(B)/suites/*.d)
$(foreach d,$(LAB_DIRS),$(eval $(call lab_suites,$(d),$(call lab_name,$(d)))))

.PHONY: suites
suites: $(CUDAC) $(B)/$(DEVICE)/runner $(B)/bin/run $(SUITES)
	@:

# ---- one lab of one submission, for every monoid and tile -------------------------------------------------------
NVCC_FLAGS := -arch=$(CUDA_ARCH) -std=c++17 --extended-lambda -O2 -lineinfo -fmad=false -cudart none -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra,-Wno-unused-parameter
# The stock functions are trusted, and their object is in the folder that the sandbox of a grading shows.
STOCK_CUDA_O := $(B)/cuda/parts/stock.o
$(STOCK_CUDA_O): labs/stock/stock_cuda.cu $(STOCK_CUDA_O).d $(FLAGS) $(FLAGS_OF_NVCC)
	@mkdir -p $(@D)
	@$(NVCC) $(NVCC_FLAGS) $(SUITE_INCLUDE) $(call headers_to,$@) -c $< -o $@
	@touch $@
ifeq ($(DEVICE),cuda)
PARTS += $(STOCK_CUDA_O)
endif

# For the course's own code, the compiler writes into a .d file which headers an object is made from. For a submission
# no .d file is written or read: it is a makefile, and compilers copy file names into it almost unchanged, so that an
# #include of "a;command" would become a recipe. A submission's objects depend on all headers that it could include. The
# folder below build/DEVICE/ distinguishes the two: the compiler of a submission can write only to grade-NAME.
OWN_CODE     := $(filter student reference staged fast,$(WHO))
# $(1) directory  $(2) target
headers_of    = $(if $(OWN_CODE),$(2).d,$(wildcard $(1)/*.h) $(SUPPORT_H) $(SIMT_H))
own_headers   = $(if $(OWN_CODE),$(call headers_to,$(1)))
-include $(if $(OWN_CODE),$(wildcard $(B)/*/$(WHO)/*.d))

# Builds with the small tile check alignment: they are for tests of results, not for meters.
lab_pch       = $(if $(filter .64,$(suffix $(1))),$(SIMT_PCH_ALIGNED),$(SIMT_PCH))
lab_alignment = $(if $(filter .64,$(suffix $(1))),$(SIMT_ALIGNMENT))
# The table of a lab's functions. It is trusted: the sandbox of a grading shows nothing of its sources, and does not
# check its headers. Two runs of make may build it at once, so each compiles into a file of its own.
# $(1) directory  $(2) lab  $(3) build  $(4) cpu, cuda, trace or debug  $(5) options
PARTS_CPP := labs/support/call/parts.cpp
define lab_parts
$(B)/$(4)/parts/$(2).$(3).o: $(if $(wildcard $(PARTS_CPP)),$(PARTS_CPP) $(call lab_list,$(2))) $(B)/$(4)/parts/$(2).$(3).o.d $(FLAGS)
	@mkdir -p $$(@D)
	@$(CXX) $(call headers_to,$$@) $(patsubst -std=%,-std=gnu++17,$(CFLAGS)) -fPIC -fvisibility=hidden $(5) $(SUITE_INCLUDE) -I$(1) -I$(B)/generated/$(2) $(call build_defines,$(3)) -include $(1)/$(2).h -c $(PARTS_CPP) -o $$@.$$$$$$$$ && mv $$@.$$$$$$$$ $$@
endef
-include $(if $(wildcard $(PARTS_CPP)),$(wildcard $(B)/*/parts/*.d))
PARTS_SIMT := -D__SIMT__ -Isimt/include -fno-omit-frame-pointer
# Only a few errors are shown (labs/support/tools/diagnose.py), and for each g++ searches all names for a similar one,
# which would take many minutes for 40,000 errors.
MOST_ERRORS := -fmax-errors=100

# All calls of the code are resolved before it runs, and are read-only from then on: -z relro, -z now.
# $(1) directory  $(2) lab  $(3) build
define lab_build_cpu
$(call lab_parts,$(1),$(2),$(3),cpu,$(PARTS_SIMT))
$(if $(filter interval fingerprint,$(basename $(3))),$(call lab_build_checked,$(1),$(2),$(3)))
PARTS += $(B)/cpu/parts/$(2).$(3).o
$(B)/cpu/$(WHO)/$(2).$(3).so: $(B)/cpu/$(WHO)/$(2).cpp $(B)/cpu/$(WHO)/$(2).read $(B)/cpu/parts/$(2).$(3).o $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).$(3).so) $(call lab_pch,$(3))
	@$(if $(filter interval fingerprint,$(basename $(3))),rm -f $$(@:.so=.checked.so))
	@$(CXX) $(call own_headers,$$@) $(MOST_ERRORS) $(SIMT_CXXFLAGS) $(call lab_alignment,$(3)) -include $(patsubst %.gch,%,$(call lab_pch,$(3))) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) $(call no_constant,$(2)) $(call own_calls,$$(@:.so=.calls)) -c $$< -o $$(@:.so=.o)
	@$(CXX) -shared -Wl,-z,relro,-z,now $(SIMT_BLOCKS) $$(@:.so=.o) $(B)/cpu/parts/$(2).$(3).o -o $$@
endef
# The same code with checks of what C++ does not define, for the calls on which proofs rest. What nothing has set is zero
# in the build with the largest tiles and a pattern in the others, so that no result depends on it. The rule above removes
# this build when it makes the one without checks again, so that no suite calls an old one.
WRAPPING_O := $(B)/cpu/parts/wrapping.o
$(WRAPPING_O): $(wildcard labs/support/call/wrapping.c) $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -c labs/support/call/wrapping.c -o $@
define lab_build_checked
$(B)/cpu/$(WHO)/$(2).$(3).checked.so: $(B)/cpu/$(WHO)/$(2).$(3).so $(WRAPPING_O) $(SIMT_PCH_PROOF)
	@$(CXX) $(MOST_ERRORS) $(SIMT_PROOF_CXXFLAGS) $$(call simt_unset,$(if $(filter .1024,$(suffix $(3))),zero,pattern)) -include $(SIMT_PCH_PROOF:.gch=) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) $(call no_constant,$(2)) $(call own_calls,$$(@:.so=.calls)) -c $(B)/cpu/$(WHO)/$(2).cpp -o $$(@:.so=.o)
	@$(CXX) -shared -Wl,-z,relro,-z,now $(SIMT_BLOCKS) $$(@:.so=.o) $(WRAPPING_O) $(B)/cpu/parts/$(2).$(3).o -o $$@
endef
# The grader inspects a submission's statements with their hooks, and its source after the preprocessor.
own_calls = $(if $(filter student reference,$(WHO)),,-fdump-tree-tsan=$(1))
define lab_preprocessed
$(B)/cpu/$(WHO)/$(2).$(3).ii: $(B)/cpu/$(WHO)/$(2).cpp $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).$(3).ii)
	@$(CXX) $(call own_headers,$$@) $(SIMT_CXXFLAGS) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -E $$< -o $$@
endef
cuda_source = $(if $(DELAYS),$(B)/$(ROOM)/$(WHO)/$(1).cu,$(SRC)/$(1).cu)
CUDA_DELAYS := $(if $(DELAYS),-w -Ilabs/support/call -I$(SRC))
$(B)/delays-$(DELAYS)/$(WHO)/%.cu: $(SRC)/%.cu $(CUDAC)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@ --delays $(DELAYS)
define lab_build_cuda
$(call lab_parts,$(1),$(2),$(3),cuda)
PARTS += $(B)/cuda/parts/$(2).$(3).o
$(B)/$(ROOM)/$(WHO)/$(2).$(3).so: $(call cuda_source,$(2)) $(B)/cuda/parts/$(2).$(3).o $(call lab_stock,$(2),$(STOCK_CUDA_O)) $(FLAGS_OF_NVCC) $(call headers_of,$(1),$(B)/$(ROOM)/$(WHO)/$(2).$(3).so) $(if $(OWN_CODE),,$(wildcard $(LABS:%=$(SRC)/%.cu)))
	@mkdir -p $$(@D)
	@$(NVCC) $(call own_headers,$$@) $(NVCC_FLAGS) $(CUDA_DELAYS) \
	    $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -shared $$< $(call lab_stock,$(2),$(STOCK_CUDA_O)) $(B)/cuda/parts/$(2).$(3).o -o $$@
	@touch $$@
endef
# Lists the parts whose code depends on the type or the contents of elements, with the place. Such a part is not a build
# error. The code is compiled for every monoid, and with a type in two sizes whose contents only combine() reads. The text
# after the preprocessor is compared with that of a build that runs. Where MONOID is poisoned before the first line of
# the source, the text is the same for all monoids, so one text and one number of each type are enough. The contract of
# reduction asks for a float_sum, so its sources may use MONOID.
NUMBERS     := sum max product float_sum
classes_of   = $(filter-out $(NUMBERS),$(lab_monoids)) opaque.4 opaque.16
numbers_of   = $(filter $(if $(poison_of),sum float_sum,$(NUMBERS)),$(lab_monoids))
texts_of     = $(if $(poison_of),opaque.16,$(lab_monoids))
poison_of    = $(if $(filter reduction,$(1)),,-DMONOID_POISON)
# $(1) directory  $(2) lab  $(3) .64, or nothing for TILE = 512  $(4) monoid, or opaque.BYTES
defines_as   = $(call lab_include,$(2)) -I$(1) $(call poison_of,$(2)) -include monoid.h -DMONOID=MONOID_$(call upper,$(basename $(4))) $(patsubst .%,-DOPAQUE_SIZE=%,$(suffix $(4))) $(3:.%=-DTILE=%)
# A variable that is changed twice in one expression is an error here.
read_as      = $(CXX) $(call own_headers,$$@) $(MOST_ERRORS) $(filter-out -w,$(SIMT_SPACES_FLAGS)) -Wno-deprecated-declarations -Werror=sequence-point -include $(SPACES_PCH:.gch=) $(defines_as) -DMONOID_READ -fdump-tree-ssa-lineno-uid=$$@.$(4).dump -c $$< -o $$@.$(4).o
texts_as     = $(CXX) $(SIMT_SPACES_FLAGS) $(defines_as) -DMONOID_READ -E $$< -o $$@.$(4).read.ii && $(CXX) $(SIMT_CXXFLAGS) -Werror=date-time $(defines_as) -E $$< -o $$@.$(4).run.ii
# A make that is killed leaves no half of a file, which would say that nothing is wrong.
define lab_generic
$(B)/cpu/$(WHO)/$(2)$(3).generic: $(B)/cpu/$(WHO)/$(2).cpp $(SPACES) $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2)$(3).generic) $(SPACES_PCH)
	@{ $(foreach t,$(call classes_of,$(2)) $(call numbers_of,$(2)),$(call read_as,$(1),$(2),$(3),$(t)) &&) $(foreach t,$(call texts_of,$(2)),$(call texts_as,$(1),$(2),$(3),$(t)) &&) :; } 2>$$@.said; \
	    if grep -q 'error: ' $$@.said; then sed -n "/error: /{s|^.*/||;s|^|*\tit is not parametric: |;p;q}" $$@.said; else \
	        $(SYSTEM_PYTHON) simt/spaces --parametric $$< $(1)/$(2).h $$@ "$(call texts_of,$(2))" "$(call classes_of,$(2))" "$(call numbers_of,$(2))" || printf '*\tit may not be parametric: its statements cannot be read\n'; fi >$$@.made
	@rm -f $$@.*.dump $$@.*.o $$@.*.ii $$@.said; mv $$@.made $$@
endef
# Translated once for all builds, so that errors are reported before the builds are compiled. If the lab has a monoid of
# structs, it is used, because code that treats elem_t as a number is wrong.
# A file that needs IDENTITY as a constant leaves LAB.constant.
# $(1) directory  $(2) lab  $(3) build
spaces_as = $(CXX) $(call own_headers,$$@) $(MOST_ERRORS) $(SIMT_SPACES_FLAGS) -include $(SPACES_PCH:.gch=) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) \
    -fdump-tree-fixup_cfg1-lineno-asmname-uid=$$(@:.read=.dump) -c $$< -o $$(@:.read=.spaces)
no_constant = $$$$([ -e $(B)/cpu/$(WHO)/$(1).constant ] || echo -DMONOID_NO_CONSTANT)
define lab_translation
$(B)/cpu/$(WHO)/$(2).cpp: $(SRC)/$(2).cu $(CUDAC)
	@mkdir -p $$(@D)
	@$(CUDAC) $$< -o $$@
$(B)/cpu/$(WHO)/$(2).read: $(B)/cpu/$(WHO)/$(2).cpp $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).read) $(SPACES) $(SPACES_PCH)
	@rm -f $$(@:.read=.constant)
	@$(call spaces_as,$(1),$(2),$(3)) -DMONOID_NO_CONSTANT 2>/dev/null || { : >$$(@:.read=.constant); $(call spaces_as,$(1),$(2),$(3)); }
	@$(SYSTEM_PYTHON) simt/spaces $$(@:.read=.dump) $$(@:.read=.spaces) $$<
	@touch $$@
endef
$(foreach d,$(LAB_DIRS),$(eval $(call lab_translation,$(d),$(call lab_name,$(d)),$(lastword $(call telling_monoids,$(call lab_name,$(d)))))))
$(foreach d,$(LAB_DIRS),$(foreach b,$(call lab_builds,$(call lab_name,$(d))),$(eval $(call lab_build_$(DEVICE),$(d),$(call lab_name,$(d)),$(b)))\
    $(eval $(call lab_preprocessed,$(d),$(call lab_name,$(d)),$(b)))))
$(foreach d,$(LAB_DIRS),$(foreach t,. $(OTHER_TILES:%=.%),$(eval $(call lab_generic,$(d),$(call lab_name,$(d)),$(filter-out .,$(t))))))

# The suites are trusted too: a grading compiles a submission where it can write only to the submission's own folder.
suites: $(PARTS) $(if $(filter cpu,$(DEVICE)),$(WRAPPING_O) $(SIMT_PCH) $(SIMT_PCH_ALIGNED) $(SIMT_PCH_PROOF) $(SPACES_PCH))

LAB_OBJECTS := $(foreach l,$(CHOSEN),$(foreach b,$(call lab_builds,$(l)),$(B)/$(ROOM)/$(WHO)/$(l).$(b).so))
.PHONY: build-lab lab-objects preprocess-lab
BUILD_TARGET := lab-objects
# Proofs check that the source is generic, for each tile, and make their calls in builds that find signed overflow. These
# are not made for BUILDS=tested, because a student who tests should not wait for them: there, the line about a proof says so.
proof_builds = $(filter interval interval.% fingerprint fingerprint.%,$(lab_builds))
generic_of = $(sort $(foreach b,$(proof_builds),$(B)/cpu/$(WHO)/$(1)$(suffix $(b)).generic)) \
    $(if $(filter tested,$(BUILDS)),,$(proof_builds:%=$(B)/cpu/$(WHO)/$(1).%.checked.so))
lab-objects: $(LAB_OBJECTS) $(if $(filter-out tested proved,$(BUILDS)),,$(if $(filter cpu,$(DEVICE)),$(foreach l,$(filter $(PROVED_LABS),$(CHOSEN)),$(call generic_of,$(l)))))
	@:
# Each error of the compilers is printed once, however many builds have it. AFTER names other targets that are built
# first.
build-lab: $(AFTER)
	@status=0; said=$$($(MAKE) --no-print-directory $(BUILD_TARGET) 2>&1) || status=$$?; \
	    [ -z "$$said" ] || printf '%s\n' "$$said" | $(SYSTEM_PYTHON) labs/support/tools/diagnose.py $(addprefix $(SRC)/,$(CHOSEN:=.cu)) >&2; exit $$status
preprocess-lab: $(LAB_OBJECTS:.so=.ii)
	@:

include labs/commands.mk
include labs/bench/bench.mk
-include labs/support/tests/tests.mk
-include reference/tests.mk
