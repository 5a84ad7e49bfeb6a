# The labs: for each, a public and a hidden suite, and one shared object a monoid for whoever's code it is.
LAB_DIRS := $(sort $(wildcard labs/[1-9]-*))
# labs/2-naive-scan -> naive_scan. In make's own words, here and below: a shell each would take half a second.
lab_name  = $(subst $() ,_,$(wordlist 2,9,$(subst -, ,$(notdir $(1)))))
LABS     := $(foreach d,$(LAB_DIRS),$(call lab_name,$(d)))
MONOIDS  := sum max product float_sum affine interval
# Reductions may ask for a commutative operator; labs that are not about monoids are built once, or for fewer.
MONOIDS_reduction := sum max product float_sum fingerprint
MONOIDS_compaction := sum
MONOIDS_radix_sort := sum
MONOIDS_summed_area_table := sum affine interval
MONOIDS_applications := sum
# A part that takes fewer of its lab's monoids.
MONOIDS_OF_mean           := float_sum
MONOIDS_OF_sat            := sum
MONOIDS_OF_box_filter     := sum
MONOIDS_OF_depth_of_field := sum
PARTS_OF_FEWER := $(patsubst MONOIDS_OF_%,%,$(sort $(filter MONOIDS_OF_%,$(.VARIABLES))))
lab_monoids  = $(or $(MONOIDS_$(1)),$(MONOIDS))
part_monoids = $(or $(if $(2),$(MONOIDS_OF_$(2))),$(lab_monoids))
# The same sets, as the suites know them: what a part takes is a part of its lab's, and all of a lab's is what some part takes.
mask     = -D'$(1)=($(subst $() ,|,$(foreach m,$(2),1u<<MONOID_$(call upper,$(m)))))'
lab_mask = $(call mask,LAB_MONOIDS,$(lab_monoids)) $(foreach p,$(PARTS_OF_FEWER),$(call mask,MONOIDS_OF_$(p),$(MONOIDS_OF_$(p))))
# A build is a monoid with TILE = 512, or for the monoids that tell most a monoid and another TILE: sum, sum.64.
# BUILDS=telling is those monoids with TILE = 512 alone; BUILDS=sum.64 is that one, where a lab has it; BUILDS=tested is
# what the tests of PART and TILE call, and BUILDS=proved what their proofs do.
OTHER_TILES := 64 1024
TELLING_reduction := float_sum fingerprint
TELLING_summed_area_table := sum interval
telling_monoids = $(or $(TELLING_$(1)),$(filter interval,$(call lab_monoids,$(1))),sum)
all_builds = $(call lab_monoids,$(1)) $(foreach t,$(OTHER_TILES),$(addsuffix .$(t),$(call telling_monoids,$(1))))
# Of one part, as suite_telling_monoid of labs/support/suite has it; $(2) empty: of all.
part_telling = $(if $(2),$(call first_of,interval fingerprint sum,$(part_monoids)),$(call telling_monoids,$(1)))
first_of     = $(firstword $(foreach m,$(1),$(filter $(m),$(2))) $(2))
# $(1) lab  $(2) part  $(3) tile; both empty: all  $(4) monoids with TILE = 512
asked_builds = $(if $(filter 512,$(or $(3),512)),$(4)) $(foreach t,$(filter $(or $(3),$(OTHER_TILES)),$(OTHER_TILES)),$(addsuffix .$(t),$(part_telling)))
builds_telling = $(telling_monoids)
builds_tested  = $(call asked_builds,$(1),$(strip $(PART)),$(TILE),$(call part_monoids,$(1),$(strip $(PART))))
builds_proved  = $(call asked_builds,$(1),$(strip $(PART)),$(TILE),$(call part_telling,$(1),$(strip $(PART))))
lab_builds = $(if $(filter telling tested proved,$(BUILDS)),$(builds_$(BUILDS)),$(or $(filter $(BUILDS),$(call all_builds,$(1))),$(call all_builds,$(1))))
build_defines = -DMONOID=MONOID_$(call upper,$(basename $(1))) $(addprefix -DTILE=,$(patsubst .%,%,$(suffix $(1))))
# Labs that get the stock functions, and no other sees their headers.
STOCK_LABS := compaction radix_sort applications
lab_stock  = $(if $(filter $(1),$(STOCK_LABS)),$(2))
# What a lab's code may include, and what the harness and its suites do.
lab_include    = -Ilabs/include $(call lab_stock,$(1),-Ilabs/stock)
SUPPORT_ROOMS := suite call values stock
SUITE_INCLUDE := $(SUPPORT_ROOMS:%=-Ilabs/support/%) -Ilabs/include -Ilabs/stock
upper     = $(strip \
            $(subst a,A,$(subst b,B,$(subst c,C,$(subst d,D,$(subst e,E,$(subst f,F,$(subst g,G,$(subst h,H,\
            $(subst i,I,$(subst j,J,$(subst k,K,$(subst l,L,$(subst m,M,$(subst n,N,$(subst o,O,$(subst p,P,\
            $(subst q,Q,$(subst r,R,$(subst s,S,$(subst t,T,$(subst u,U,$(subst v,V,$(subst w,W,$(subst x,X,$(subst y,Y,$(subst z,Z,$(1))))))))))))))))))))))))))))

# LAB=2 selects one, and so does LAB=naive_scan, as editors know a file; a wrong one is an error that lists them.
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
ifneq ($(if $(filter trace,$(MAKECMDGOALS)),,$(filter-out 512 $(OTHER_TILES),$(TILE))),)
$(error TILE=$(TILE): it is one of 512 $(OTHER_TILES))
endif
ifeq ($(filter $(DEVICE),cpu cuda),)
$(error DEVICE=$(DEVICE): it is cpu or cuda)
endif
SRC      ?= $(if $(filter student reference,$(WHO)),$(WHO),$(B)/grade/$(WHO)/src)

# ---- what all labs share, and is trusted -------------------------------------------------------------------
SUPPORT_H := $(wildcard $(SUPPORT_ROOMS:%=labs/support/%/*.h) labs/include/*.h labs/stock/*.h)
# What suites and runners see beside it; a submission's build does not.
SUITE_H   := $(SUPPORT_H) simt/simt.h
SUITE_C   := $(wildcard labs/support/suite/*.c labs/support/values/*.c) labs/support/call/call.c
SUITE_O   := $(SUITE_C:labs/support/%.c=$(B)/support/%.o) $(B)/support/finding_text.o
CHECK_LIBS = $(eval CHECK_LIBS := $(shell $(PKG_CONFIG) --libs check))$(eval \
    CHECK_LIBS := $(call archived,$(filter -lcheck% -lsubunit,$(CHECK_LIBS))) $(filter-out -lcheck% -lsubunit,$(CHECK_LIBS)))$(CHECK_LIBS)

$(B)/support/%.o: labs/support/%.c $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -MMD -MP -c $< -o $@
# Suites show findings in the device's own words.
$(B)/support/finding_text.o: simt/report/finding_text.c simt/simt.h $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -c $< -o $@
-include $(wildcard $(B)/support/*/*.d)

$(B)/libsuite.a: $(SUITE_O)
	@rm -f $@ && ar rcs $@ $^

$(B)/bin/run: labs/support/tools/run.c $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) $< $(B)/libsuite.a $(CHECK_LIBS) -o $@

# The runner takes its filter of system calls with it: nothing is loaded behind the walls but a submission.
RUNNER_C  := $(addprefix labs/support/call/,runner.c lockdown.c)
RUNNER_OF  = $(RUNNER_C) labs/support/call/runner_$(1).c
SECCOMP    = $(call archived,$(shell $(PKG_CONFIG) --libs libseccomp))
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
$(B)/cuda/runner: $(call RUNNER_OF,cuda) $(SUITE_H) $(FLAGS)
	@command -v $(NVCC) >/dev/null || { echo "DEVICE=cuda needs nvcc: install the CUDA Toolkit, or use DEVICE=cpu" >&2; exit 2; }
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -isystem $(CUDA_HOME)/include $(SUITE_INCLUDE) $(call RUNNER_OF,cuda) $(SECCOMP) -o $@ -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 \
	    -Wl,--no-as-needed -lcudart -ldl

# What lab.toml, parts.def and the contract say of a lab's parts agrees, or nothing is built. How the parts are judged is one
# object for both of a lab's suites.
define lab_suites
$(B)/parts/$(2): labs/support/tools/check_parts.py $(1)/lab.toml $(1)/parts.def $(1)/$(2).h
	@mkdir -p $$(@D)
	@$(SYSTEM_PYTHON) $$^
	@touch $$@
$(B)/suites/check_$(2).o: $(1)/check_$(2).c $(B)/parts/$(2) $(FLAGS)
	@mkdir -p $$(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -I$(1) $(call lab_mask,$(2)) -MMD -MP -c $$< -o $$@
$(B)/suites/check_$(2)_hidden.o: reference/check_$(2)_hidden.c $(FLAGS)
	@mkdir -p $$(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -I$(1) -MMD -MP -c $$< -o $$@
$(B)/bin/check_$(2): $(B)/suites/check_$(2).o $(B)/libsuite.a
$(B)/bin/check_$(2)_hidden: $(B)/suites/check_$(2)_hidden.o $(B)/suites/check_$(2).o $(B)/libsuite.a
$(B)/bin/check_$(2) $(B)/bin/check_$(2)_hidden:
	@mkdir -p $$(@D)
	@$(CC) $$^ $(CHECK_LIBS) -o $$@
SUITES += $(B)/bin/check_$(2) $(if $(wildcard reference/check_$(2)_hidden.c),$(B)/bin/check_$(2)_hidden)
endef
-include $(wildcard $(B)/suites/*.d)
$(foreach d,$(LAB_DIRS),$(eval $(call lab_suites,$(d),$(call lab_name,$(d)))))

.PHONY: suites
suites: $(CUDAC) $(B)/$(DEVICE)/runner $(B)/bin/run $(SUITES)
	@:

# ---- one lab of one submission, for every monoid and tile -------------------------------------------------------
NVCC_FLAGS := -arch=$(CUDA_ARCH) -std=c++17 -O2 -lineinfo -fmad=false -cudart none -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra,-Wno-unused-parameter
# It is trusted, and in the folder that the walls of a grading show.
STOCK_CUDA_O := $(B)/cuda/parts/stock.o
$(STOCK_CUDA_O): labs/stock/stock_cuda.cu $(STOCK_CUDA_O).d $(FLAGS)
	@mkdir -p $(@D)
	@$(NVCC) $(NVCC_FLAGS) $(SUITE_INCLUDE) $(call headers_to,$@) -c $< -o $@
	@touch $@
ifeq ($(DEVICE),cuda)
PARTS += $(STOCK_CUDA_O)
endif

# Which headers an object of the course's own code is made from is what the compiler says, in a .d file. Of a hand-in none is
# written and none is read: a .d file is in make's language, and compilers write a file's name there almost as it is, so that
# an #include of "a;command" would be a recipe. A hand-in's objects are made from all headers that it could include. What
# tells the two apart is the folder below build/DEVICE/: a hand-in's compiler can write to grade-NAME alone.
OWN_CODE     := $(filter student reference staged fast,$(WHO))
# $(1) directory  $(2) what is made
headers_of    = $(if $(OWN_CODE),$(2).d,$(wildcard $(1)/*.h) $(SUPPORT_H) $(SIMT_H))
own_headers   = $(if $(OWN_CODE),$(call headers_to,$(1)))
-include $(if $(OWN_CODE),$(wildcard $(B)/*/$(WHO)/*.d))

# Builds with the small tile look at alignment: tests of results, and no meters.
lab_pch       = $(if $(filter .64,$(suffix $(1))),$(SIMT_PCH_ALIGNED),$(SIMT_PCH))
lab_alignment = $(if $(filter .64,$(suffix $(1))),$(SIMT_ALIGNMENT))
# The table of a lab's functions. It is trusted: of what it is made from, the walls of a grading show nothing, and nothing is
# asked of its headers there.
# $(1) directory  $(2) lab  $(3) build  $(4) cpu, cuda, trace or debug  $(5) options
PARTS_CPP := labs/support/call/parts.cpp
define lab_parts
$(B)/$(4)/parts/$(2).$(3).o: $(wildcard $(PARTS_CPP)) $(B)/$(4)/parts/$(2).$(3).o.d $(FLAGS)
	@mkdir -p $$(@D)
	@$(CXX) $(call headers_to,$$@) $(patsubst -std=%,-std=gnu++17,$(CFLAGS)) -fPIC -fvisibility=hidden $(5) $(SUITE_INCLUDE) -I$(1) $(call build_defines,$(3)) -include $(1)/$(2).h -c $(PARTS_CPP) -o $$@
endef
-include $(if $(wildcard $(PARTS_CPP)),$(wildcard $(B)/*/parts/*.d))
PARTS_SIMT := -D__SIMT__ -Isimt/include
# $(1) directory  $(2) lab  $(3) build
define lab_build_cpu
$(call lab_parts,$(1),$(2),$(3),cpu,$(PARTS_SIMT))
PARTS += $(B)/cpu/parts/$(2).$(3).o
$(B)/cpu/$(WHO)/$(2).$(3).so: $(B)/cpu/$(WHO)/$(2).cpp $(B)/cpu/$(WHO)/$(2).read $(B)/cpu/parts/$(2).$(3).o $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).$(3).so) $(call lab_pch,$(3))
	@$(CXX) $(call own_headers,$$@) $(SIMT_CXXFLAGS) $(call lab_alignment,$(3)) -include $(patsubst %.gch,%,$(call lab_pch,$(3))) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) $(call own_calls,$$(@:.so=.calls)) -c $$< -o $$(@:.so=.o)
	@$(CXX) -shared $$(@:.so=.o) $(B)/cpu/parts/$(2).$(3).o -o $$@
endef
# What the grader looks through: a hand-in's statements with their hooks, and its source after the preprocessor.
own_calls = $(if $(filter student reference,$(WHO)),,-fdump-tree-tsan=$(1))
define lab_preprocessed
$(B)/cpu/$(WHO)/$(2).$(3).ii: $(B)/cpu/$(WHO)/$(2).cpp $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).$(3).ii)
	@$(CXX) $(call own_headers,$$@) $(SIMT_CXXFLAGS) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -E $$< -o $$@
endef
define lab_build_cuda
$(call lab_parts,$(1),$(2),$(3),cuda)
PARTS += $(B)/cuda/parts/$(2).$(3).o
$(B)/cuda/$(WHO)/$(2).$(3).so: $(SRC)/$(2).cu $(B)/cuda/parts/$(2).$(3).o $(call lab_stock,$(2),$(STOCK_CUDA_O)) $(call headers_of,$(1),$(B)/cuda/$(WHO)/$(2).$(3).so) $(if $(OWN_CODE),,$(wildcard $(LABS:%=$(SRC)/%.cu)))
	@mkdir -p $$(@D)
	@$(NVCC) $(call own_headers,$$@) $(NVCC_FLAGS) \
	    $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -shared $$< $(call lab_stock,$(2),$(STOCK_CUDA_O)) $(B)/cuda/parts/$(2).$(3).o -o $$@
	@touch $$@
endef
# Is the source generic in elem_t? The compiler's first error, or an empty file: no reason to fail.
PROVED_LABS := reduction naive_scan work_efficient_scan arbitrary_length_scan
define lab_generic
$(B)/cpu/$(WHO)/$(2).generic: $(B)/cpu/$(WHO)/$(2).cpp $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).generic)
	@$(CXX) $(call own_headers,$$@) $(SIMT_CXXFLAGS) -Werror=cast-align -Wcast-align=strict $(call lab_include,$(2)) -I$(1) -DMONOID=MONOID_OPAQUE -fsyntax-only $$< 2>$$@.all || :
	@sed -n '/error: /{s|^.*/||;p;q}' $$@.all >$$@
endef
# Read once for all builds: what is wrong is said before they are compiled. With a monoid of structs where there is
# one, since code that takes elem_t for a number is wrong.
# $(1) directory  $(2) lab  $(3) build
define lab_translation
$(B)/cpu/$(WHO)/$(2).cpp: $(SRC)/$(2).cu $(CUDAC)
	@mkdir -p $$(@D)
	@$(CUDAC) $$< -o $$@
$(B)/cpu/$(WHO)/$(2).read: $(B)/cpu/$(WHO)/$(2).cpp $(call headers_of,$(1),$(B)/cpu/$(WHO)/$(2).read) $(SPACES)
	@$(CXX) $(call own_headers,$$@) $(SIMT_SPACES_FLAGS) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) \
	    -fdump-tree-fixup_cfg1-lineno-asmname-uid=$$(@:.read=.dump) -c $$< -o $$(@:.read=.spaces)
	@$(SYSTEM_PYTHON) simt/spaces $$(@:.read=.dump) $$(@:.read=.spaces) $$<
	@touch $$@
endef
$(foreach d,$(LAB_DIRS),$(eval $(call lab_translation,$(d),$(call lab_name,$(d)),$(lastword $(call telling_monoids,$(call lab_name,$(d)))))))
$(foreach d,$(LAB_DIRS),$(foreach b,$(call lab_builds,$(call lab_name,$(d))),$(eval $(call lab_build_$(DEVICE),$(d),$(call lab_name,$(d)),$(b)))\
    $(eval $(call lab_preprocessed,$(d),$(call lab_name,$(d)),$(b)))))
$(foreach d,$(LAB_DIRS),$(eval $(call lab_generic,$(d),$(call lab_name,$(d)))))

# Trusted as well: a grading compiles a submission where it can write to the submission's own folder only.
suites: $(PARTS) $(if $(filter cpu,$(DEVICE)),$(SIMT_PCH) $(SIMT_PCH_ALIGNED))

LAB_OBJECTS := $(foreach l,$(CHOSEN),$(foreach b,$(call lab_builds,$(l)),$(B)/$(DEVICE)/$(WHO)/$(l).$(b).so))
.PHONY: build-lab lab-objects preprocess-lab
BUILD_TARGET := lab-objects
# Proofs ask whether the source is generic.
has_proof = $(filter interval fingerprint,$(basename $(lab_builds)))
lab-objects: $(LAB_OBJECTS) $(if $(filter-out tested proved,$(BUILDS)),,$(if $(filter cpu,$(DEVICE)),$(foreach l,$(filter $(PROVED_LABS),$(CHOSEN)),$(if $(call has_proof,$(l)),$(B)/cpu/$(WHO)/$(l).generic))))
	@:
# What the compilers say is told once, however many builds said it. AFTER: what else it needs, and is built first.
build-lab: $(AFTER)
	@status=0; said=$$($(MAKE) --no-print-directory $(BUILD_TARGET) 2>&1) || status=$$?; \
	    [ -z "$$said" ] || printf '%s\n' "$$said" | $(SYSTEM_PYTHON) labs/support/tools/diagnose.py $(addprefix $(SRC)/,$(CHOSEN:=.cu)) >&2; exit $$status
preprocess-lab: $(LAB_OBJECTS:.so=.ii)
	@:

# What people read is as wide as their terminal, and 80 characters where there is none. What tests compare is as long as it is.
ifeq ($(origin MAKE_TERMOUT),undefined)
test run meters prove trace debug: export COLUMNS ?= 80
endif

# ---- what a student does ----------------------------------------------------------------------------------------
OWN := $(filter student reference,$(strip $(SUBMISSION)))
TILE_ARGUMENT = $(if $(TILE),--tile $(TILE))
SUITE_ARGUMENTS = --submission $(B)/$(DEVICE)/$(OWN) --runner $(B)/$(DEVICE)/runner --device $(DEVICE) --seed $(SEED) \
	$(if $(strip $(PART)),--part $(strip $(PART))) $(if $(strip $(HUGE)),--huge) $(TILE_ARGUMENT)

# A test needs the builds that its part calls, and make run one.
OTHER_TILE = $(addprefix .,$(filter-out 512,$(TILE)))
NEEDED_test  = tested
NEEDED_prove = proved
NEEDED_run   = $(RUN_MONOID)$(OTHER_TILE)
NEEDED = $(NEEDED_$(MAKECMDGOALS))
.PHONY: test prove run own-code own-suites
own-code: setup
	@[ -n "$(OWN)" ] || { printf 'SUBMISSION=%s: make test and make run take student or reference; make grade takes any\n' $(call quoted,$(SUBMISSION)) >&2; exit 2; }
	$(if $(filter cuda,$(DEVICE)),@! command -v $(NVCC) >/dev/null || $(GRADE) need-gpu)
	+@$(BUILD_OWN) WHO=$(OWN) BUILDS=$(NEEDED)
# The device where it is not built yet, and the code in student/. $(BUILD_OWN) SETTINGS of make
BUILD_OWN = [ -d $(OWN) ] || { echo "SUBMISSION=$(OWN): there is no folder $(OWN)/ in this tree; leave it out, and student/ is taken" >&2; exit 2; }; \
	    [ -e $(B)/$(DEVICE)/runner ] || echo "Building the device and the tests. That is done once, and takes a minute or so." >&2; \
	    $(MAKE) --no-print-directory -j$$(nproc) build-lab AFTER=own-suites
# What the suites of the chosen labs need, and no more.
own-suites: $(CUDAC) $(B)/$(DEVICE)/runner $(B)/bin/run $(foreach l,$(CHOSEN),$(B)/bin/check_$(l)) \
    $(if $(filter cpu,$(DEVICE)),$(SIMT_PCH) $(SIMT_PCH_ALIGNED))
	@:

# $(1) what cannot be done without a lab and a part  $(2) an example
needs_part = $(if $(and $(strip $(LAB)),$(strip $(PART))),:,echo "name what to $(1): $(2)" >&2; \
    $(if $(strip $(LAB)),echo "The parts of lab $(LAB): $(strip $(shell sed -n 's/^name = "\(.*\)"$$/\1/p' $(LAB_DIR)/lab.toml))" >&2;) exit 2)

# Parts that this class is not graded on are not tested, but where one is asked for by name.
LEFT_OUT = $(if $(strip $(PART)),,$(if $(wildcard course.toml),$$($(GRADE) left-out $$lab)))

# $(1) labs  $(2) arguments: runs their public suites. A failed test is told at the end; what is worse, at once.
run_suites = failed=0; for lab in $(1); do \
	    $(B)/bin/check_$$lab $(SUITE_ARGUMENTS) $(LEFT_OUT) $(2) || { s=$$?; [ $$s = 1 ] || exit $$s; failed=1; }; done; exit $$failed

test: own-code ## run the public suite of a lab: make test LAB=2 [PART=scan_in_place]
	@$(call run_suites,$(CHOSEN),$(if $(strip $(V)),,--fold) --lab-file $(OWN)/$$lab.cu)

prove: own-code ## prove a lab's parts at every length of a tile, in every build: make prove LAB=2 [PART=scan_in_place]
	@[ -n "$(filter $(PROVED_LABS),$(CHOSEN))" ] || { echo "lab $(strip $(LAB)) has no parts to prove; make test LAB=$(strip $(LAB)) tests them" >&2; exit 2; }
	@$(call run_suites,$(filter $(PROVED_LABS),$(CHOSEN)),--prove)

# A length, or in a lab of images a shape.
SIZE = $(if $(strip $(SHAPE)),--shape $(strip $(SHAPE)),--n $(strip $(N)))
# What a replay line says beyond that.
# A part's own monoid, where the command line names none: interval, which tells most, or the first one that it is built for.
RUN_MONOID = $(if $(filter file,$(origin MONOID)),$(OWN_MONOID),$(strip $(MONOID)))
OWN_MONOID = $(if $(OTHER_TILE),$(call part_telling,$(CHOSEN),$(strip $(PART))),$(call first_of,interval,$(call part_monoids,$(CHOSEN),$(strip $(PART)))))
REPLAY = $(if $(filter command,$(origin INPUT)),$(if $(strip $(INPUT)),,--input "")) $(foreach v,input in-place shift order resident,$(if $($(subst -,_,$(call upper,$(v)))),--$(v) $($(subst -,_,$(call upper,$(v))))))

run: own-code ## one part on one input: make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7
	@$(call needs_part,run,make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7)
	@$(B)/bin/run --submission $(B)/$(DEVICE)/$(OWN) --runner $(B)/$(DEVICE)/runner --device $(DEVICE) \
	    --lab $(strip $(LAB)) --part $(strip $(PART)) --monoid $(RUN_MONOID) $(SIZE) --seed $(strip $(SEED)) $(REPLAY) $(TILE_ARGUMENT)

# One lab of one submission with one monoid. For a recorder: combine() tells what it makes of what.
# $(1) directory  $(2) lab  $(3) build  $(4) trace or debug  $(5) options of parts  $(6) options of the lab's code
define lab_build_apart
$(call lab_parts,$(1),$(2),$(3),$(4),$(PARTS_SIMT) $(5))
$(B)/$(4)/$(WHO)/$(2).$(3).so: $(B)/cpu/$(WHO)/$(2).cpp $(B)/cpu/$(WHO)/$(2).read $(B)/$(4)/parts/$(2).$(3).o $(call headers_of,$(1),$(B)/$(4)/$(WHO)/$(2).$(3).so) $(SIMT_PCH)
	@mkdir -p $$(@D)
	@$(CXX) $(call own_headers,$$@) $(6) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -c $$< -o $$(@:.so=.o)
	@$(CXX) -shared $$(@:.so=.o) $(B)/$(4)/parts/$(2).$(3).o -o $$@
endef
lab_build_trace = $(call lab_build_apart,$(1),$(2),$(3),trace,-DSIMT_TRACE,$(SIMT_CXXFLAGS) -include $(SIMT_PCH:.gch=) -DSIMT_TRACE)
lab_build_debug = $(call lab_build_apart,$(1),$(2),$(3),debug,,$(SIMT_DEBUG_CXXFLAGS))
# With the monoid of sums, or the part's own, and TILE of any number, where the command line does not say otherwise.
SHOWN_MONOID = $(if $(filter file,$(origin MONOID)),$(call first_of,sum,$(call part_monoids,$(CHOSEN),$(strip $(PART)))),$(strip $(MONOID)))
TRACE_BUILD  = $(SHOWN_MONOID)$(addprefix .,$(filter-out 512,$(TRACE_TILE)))
ifneq ($(TRACE_TILE),)
$(eval $(call lab_build_trace,$(LAB_DIR),$(CHOSEN),$(TRACE_BUILD)))
endif
.PHONY: trace trace-object
trace-object: $(B)/trace/$(WHO)/$(CHOSEN).$(TRACE_BUILD).so
	@:

TRACE      = $(B)/trace/$(strip $(PART))
TRACE_SIZE = $(if $(strip $(SHAPE)),$(SIZE),$(if $(filter file,$(origin N)),$(if $(filter summed_area_table,$(CHOSEN)),--shape 4x8,--n 8),$(SIZE)))
trace: setup ## see a part at work: make trace LAB=3 PART=scan_blelloch [STEP=1] [HTML=FILE] [SVG=FILE]
	@$(call needs_part,trace,make trace LAB=3 PART=scan_blelloch N=8)
	@[ -n "$(OWN)" ] || { printf 'SUBMISSION=%s: make trace takes student or reference\n' $(call quoted,$(SUBMISSION)) >&2; exit 2; }
	@[ "$(DEVICE)" = cpu ] || { echo "DEVICE=$(DEVICE): only the CPU device sees every access; leave it out" >&2; exit 2; }
	+@$(BUILD_OWN) BUILD_TARGET=trace-object WHO=$(OWN) TRACE_TILE=$(or $(TILE),512) TILE=
	@mkdir -p $(B)/trace && rm -f $(TRACE).record
	@$(B)/bin/run --submission $(B)/trace/$(OWN) --runner $(B)/cpu/runner --trace $(TRACE).record \
	    --lab $(strip $(LAB)) --part $(strip $(PART)) --monoid $(SHOWN_MONOID) $(TRACE_SIZE) --seed $(strip $(SEED)) \
	    $(if $(strip $(INPUT)),,--input example) $(REPLAY) $(TILE_ARGUMENT) >$(TRACE).txt || [ $$? = 1 ]
	@$(PYTHON) simt/trace/show.py $(TRACE).record --source $(OWN)/$(CHOSEN).cu --json $(TRACE).json $(if $(strip $(STEP)),--step) \
	    $(if $(strip $(RANGES)),--ranges) $(addprefix --html ,$(strip $(HTML))) $(addprefix --svg ,$(strip $(SVG)))

DEBUG_BUILD = $(SHOWN_MONOID)$(OTHER_TILE)
ifneq ($(filter debug-object,$(BUILD_TARGET)),)
$(eval $(call lab_build_debug,$(LAB_DIR),$(CHOSEN),$(DEBUG_BUILD)))
endif
.PHONY: debug debug-build debug-object
debug-object: $(B)/debug/$(WHO)/$(CHOSEN).$(DEBUG_BUILD).so
	@:
debug-build: $(B)/.setup-debug ## what an editor's debugger needs of a lab: make debug-build LAB=2
	@[ -n "$(strip $(LAB))" ] || { echo "name the lab: make debug-build LAB=2" >&2; exit 2; }
	+@$(BUILD_OWN) BUILD_TARGET=debug-object WHO=$(OWN)

DEBUG_STOP = $(if $(strip $(LINE)),$(strip $(LINE)) $(addprefix thread ,$(strip $(THREAD))) $(addprefix block ,$(strip $(BLOCK))),$(strip $(PART)))
debug: ## gdb on a kernel: make debug LAB=2 PART=scan_in_place LINE=31 [THREAD=3] [BLOCK=0]
	@$(call needs_part,debug,make debug LAB=2 PART=scan_in_place N=8 LINE=31 THREAD=3)
	@[ -n "$(strip $(LINE))" ] || [ -z "$(strip $(THREAD)$(BLOCK))" ] || { echo "THREAD and BLOCK need a LINE to stop at" >&2; exit 2; }
	@[ -n "$(OWN)" ] || { printf 'SUBMISSION=%s: make debug takes student or reference\n' $(call quoted,$(SUBMISSION)) >&2; exit 2; }
	@[ "$(DEVICE)" = cpu ] || { echo "DEVICE=$(DEVICE): on a GPU, cuda-gdb debugs a program of yours" >&2; exit 2; }
	@$(MAKE) --no-print-directory debug-build
	@SCAN_LABS_STOP="$(OWN)/$(CHOSEN).cu:$(DEBUG_STOP)" gdb -q -x simt/debug/commands.py -ex begin --args $(B)/bin/check_$(CHOSEN) --show --debug \
	    --submission $(B)/debug/$(OWN) --runner $(B)/cpu/runner --part $(strip $(PART)) --monoid $(SHOWN_MONOID) $(TRACE_SIZE) \
	    --seed $(strip $(SEED)) $(if $(strip $(INPUT))$(filter command,$(origin N)$(origin SHAPE)),,--input example) $(REPLAY) $(TILE_ARGUMENT)

# The photograph of lab 7, through the parts that a picture can be made of.
.PHONY: picture
picture: setup ## what your lab 7 makes of a photograph, as PNG files in build/pictures
	+@$(BUILD_OWN) LAB=7 WHO=$(OWN) BUILDS=sum
	@mkdir -p $(B)/pictures && rm -f $(B)/pictures/*.npy
	@failed=0; for part in sat box_filter depth_of_field; do \
	    $(B)/bin/check_summed_area_table --submission $(B)/$(DEVICE)/$(OWN) --runner $(B)/$(DEVICE)/runner --device $(DEVICE) \
	        --show --part $$part --input series --shape 512x512 --save $(B)/pictures >$(B)/pictures/$$part.txt || \
	        { failed=1; echo "$$part:"; grep -A 4 '^wrong' $(B)/pictures/$$part.txt || tail -5 $(B)/pictures/$$part.txt; }; done; \
	    $(PYTHON) labs/support/tools/picture.py $(B)/pictures; exit $$failed

# The reference's where nobody's are asked for: all parts, beside their contracts. A part alone is a student's.
METERS_OF = $(strip $(if $(filter file,$(origin SUBMISSION)),$(if $(strip $(PART)),student,$(firstword $(wildcard reference) student)),$(OWN)))
METERS_CASE = --part $(strip $(PART)) --monoid $(SHOWN_MONOID) \
	$(if $(strip $(SHAPE))$(filter-out file,$(origin N)),$(SIZE),--n 512) $(REPLAY)

.PHONY: meters
meters: ## what the meters say, by line: make meters LAB=3 PART=scan_blelloch N=512; or of all parts: make meters
	@$(MAKE) --no-print-directory own-code SUBMISSION=$(METERS_OF) NEEDED=$(if $(strip $(PART)),$(SHOWN_MONOID)$(OTHER_TILE))
	@failed=0; for lab in $(CHOSEN); do \
	    $(B)/bin/check_$$lab --meters --submission $(B)/cpu/$(METERS_OF) --runner $(B)/cpu/runner --seed $(SEED) $(TILE_ARGUMENT) \
	        $(if $(strip $(PART)),$(METERS_CASE)) --lab-file $(METERS_OF)/$$lab.cu || { s=$$?; [ $$s = 1 ] || exit $$s; failed=1; }; done; exit $$failed

.PHONY: meters-gpu
meters-gpu: ## on a GPU, the meters beside Nsight Compute's counters: make meters-gpu SUBMISSION=reference
	@$(MAKE) --no-print-directory own-code DEVICE=cpu
	@$(MAKE) --no-print-directory own-code DEVICE=cuda
	@$(PYTHON) labs/support/tools/meters_gpu.py $(B) $(OWN) $(CHOSEN)

.PHONY: check-alternatives
check-alternatives: suites
	@reference/check_alternatives $(B)

.PHONY: check-proofs
check-alternatives: check-proofs
check-proofs: suites
	@reference/check_proofs $(B)

.PHONY: check-bounds
check-alternatives: check-bounds
check-bounds: suites
	@reference/check_bounds $(B)

.PHONY: sanitize
sanitize: ## on a GPU, what compute-sanitizer finds in the labs: make sanitize SUBMISSION=reference
	@$(MAKE) --no-print-directory own-code DEVICE=cuda
	@labs/support/tools/sanitize $(B) $(OWN) $(CHOSEN)

include labs/bench/bench.mk
-include labs/support/tests/tests.mk
