# The commands for students: make test, prove, run, trace, debug, picture and meters, and what they share.

# Output for people is as wide as their terminal, or 80 characters if there is none. Output that tests compare keeps its
# length.
ifeq ($(origin MAKE_TERMOUT),undefined)
test run meters prove trace debug: export COLUMNS ?= 80
endif

OWN := $(filter student reference,$(strip $(SUBMISSION)))
TILE_ARGUMENT = $(if $(TILE),--tile $(TILE))
# What fails on a GPU is repeated on the CPU device.
ON_DEVICE = --submission $(B)/$(ROOM)/$(OWN) --runner $(B)/$(DEVICE)/runner --device $(DEVICE) $(addprefix --delays ,$(DELAYS)) \
    $(if $(filter cuda,$(DEVICE)),--look-again $(B)/cpu/$(OWN) --again-runner $(B)/cpu/runner)
OF_SUITE  = $(if $(strip $(PART)),--part $(strip $(PART))) $(if $(strip $(HUGE)),--huge) $(TILE_ARGUMENT)

# A test needs the builds that its part calls, and make run needs one build.
OTHER_TILE = $(addprefix .,$(filter-out 512,$(TILE)))
NEEDED_test  = tested
NEEDED_prove = proved
NEEDED_run   = $(RUN_MONOID)$(OTHER_TILE)
NEEDED = $(NEEDED_$(MAKECMDGOALS))
.PHONY: test prove run own-code own-suites
own-code: setup
	$(if $(filter cuda,$(DEVICE)),@! command -v $(NVCC) >/dev/null || $(GRADE) need-gpu)
	+@$(BUILD_OWN) WHO=$(OWN) BUILDS=$(NEEDED)
	$(if $(filter cuda,$(DEVICE)),+@$(BUILD_FOR_CPU))
# So that the CPU device can explain what fails on a GPU. What nvcc compiles and g++ does not is tested all the same.
BUILD_FOR_CPU = $(BUILD_OWN) WHO=$(OWN) BUILDS=$(NEEDED) DEVICE=cpu DELAYS= || \
    echo "The CPU device has no build of $(OWN)/ and will not explain what fails on the GPU." >&2
SAY_THAT_IT_BUILDS = [ -e $(B)/$(DEVICE)/runner ] || echo "Building the device and the tests. That is done once, and takes a minute or so." >&2;
# Builds the device if it is not built yet, and the code in student/. Use: $(BUILD_OWN) SETTINGS of make
BUILD_OWN = [ -d $(OWN) ] || { echo "SUBMISSION=$(OWN): there is no folder $(OWN)/ in this tree; leave it out, and student/ is taken" >&2; exit 2; }; \
	    $(SAY_THAT_IT_BUILDS) \
	    $(MAKE) --no-print-directory -j$$(nproc) build-lab AFTER=own-suites
# What the suites of the chosen labs need, and no more.
own-suites: $(CUDAC) $(B)/$(DEVICE)/runner $(B)/bin/run $(foreach l,$(CHOSEN),$(B)/bin/check_$(l)) \
    $(if $(filter cpu,$(DEVICE)),$(SIMT_PCH) $(SIMT_PCH_ALIGNED) $(SIMT_PCH_PROOF))
	@:

# $(1) a command that runs code as the user who calls it
own_only = [ -n "$(OWN)" ] || { printf 'SUBMISSION=%s: make $(1) takes student or reference, because it runs code without the walls of a grading.\n    try: copy a file that you trust into student/\n' $(call quoted,$(SUBMISSION)) >&2; exit 2; }

# $(1) what cannot be done without a lab and a part  $(2) an example
needs_part = $(if $(and $(strip $(LAB)),$(strip $(PART))),:,echo "name what to $(1): $(2)" >&2; \
    $(if $(strip $(LAB)),echo "The parts of lab $(LAB): $(strip $(shell sed -n 's/^name = "\(.*\)"$$/\1/p' $(LAB_DIR)/lab.toml))" >&2;) exit 2)

# Parts that this class is not graded on are tested only if they are named.
LEFT_OUT = $(if $(strip $(PART)),,$(if $(wildcard course.toml),$$($(GRADE) left-out $$lab)))

# Prints what a suite records.
SHOWN = $(PYTHON) -m grader.judge.shown

# The tests of student/ leave a line for each part to make progress, unless one build alone is tested or a GPU.
TALLY = $(if $(filter student,$(OWN)),$(if $(TILE)$(filter cuda,$(DEVICE)),,--tally $(B)/progress/$$lab.tests))

# $(1) labs  $(2) options of suites  $(3) more of them for code of one's own: runs the public suites of the labs. A failed
# test is reported at the end; a worse error ends the loop at once. Another SUBMISSION is built and run behind the walls
# of a grading.
run_suites = $(if $(OWN),$(call run_own,$(1),$(2) $(3)),$(call run_handed_in,$(1),$(2)))
run_own = mkdir -p $(B)/progress; failed=0; for lab in $(1); do $(if $(PROVES_ON_GPU),$(call prove_on_cpu,$(2));) \
	    $(SHOWN) $(B)/bin/check_$$lab $(ON_DEVICE) --seed $(SEED) $(LEFT_OUT) $(2) || { s=$$?; [ $$s = 1 ] || exit $$s; failed=1; }; done; \
	    $(if $(PROVES_ON_GPU),$(TELL_OF_PREMISES);,$(if $(filter cuda,$(DEVICE)),$(TELL_OF_CPU);)) exit $$failed
run_handed_in = [ $(DEVICE) = cpu ] || { echo "DEVICE=$(DEVICE): make grade takes a hand-in to a GPU" >&2; exit 2; }; $(SAY_THAT_IT_BUILDS) \
	$(GRADE) show $(call quoted,$(SUBMISSION)) --seed $(SEED) \
	    $(foreach d,$(LAB_DIR),$(if $(filter $(call lab_name,$(d)),$(1)),--lab $(firstword $(subst -, ,$(notdir $(d)))))) --suite $(2)

# The end of a test on a GPU: what it cannot have found.
TELL_OF_CPU = printf '%s\n' '' 'A GPU shows results only. It has not judged:' \
    '  races             a result can be right by chance; DELAYS=1 shows many of them' \
    '  barriers          __syncthreads and __syncwarp that some threads do not reach' \
    '  fences            flags that are read or written without them' \
    '  uninitialized     reads of memory that nothing has written, and leaks' \
    '  counted work      combines, steps, sharing, bank conflicts, sectors' \
    'The CPU device judges these: $(ON_CPU)'
ON_CPU = make $(or $(filter test prove,$(MAKECMDGOALS)),test)$(if $(strip $(LAB)), LAB=$(strip $(LAB)))$(if $(strip $(PART)), PART=$(strip $(PART)))$(if \
    $(TILE), TILE=$(TILE))$(if $(filter-out 1,$(SEED)), SEED=$(SEED))$(if $(filter-out student,$(OWN)), SUBMISSION=$(OWN))

# A proof about a GPU's program needs the CPU device, too: a GPU checks the fourth premise only.
PROVES_ON_GPU = $(and $(filter prove,$(MAKECMDGOALS)),$(filter cuda,$(DEVICE)))
prove_on_cpu = printf '\nOn the CPU device:\n'; \
    $(SHOWN) $(B)/bin/check_$$lab --submission $(B)/cpu/$(OWN) --runner $(B)/cpu/runner --seed $(SEED) $(LEFT_OUT) $(1) || failed=1; \
    printf '\nOn the GPU:\n'
TELL_OF_PREMISES = printf '%s\n' '' 'Where the premises of a proof are checked:' \
    "  parametric, closed   on the CPU device: the source, as g++ reads it, and each call" \
    '  no race              on the CPU device: each access of each call' \
    "  right on intervals   on the GPU for nvcc's program, and on the CPU device for g++'s" \
    'A part is proved for the GPU at the lengths that both of its lines name.'

test: $(if $(OWN),own-code,setup) ## run the public suite of a lab: make test LAB=2 [PART=scan_in_place] [SUBMISSION=a folder or a .cu file]
	@$(call run_suites,$(CHOSEN),$(OF_SUITE) $(if $(strip $(V)),,--fold),--lab-file $(OWN)/$$lab.cu $(TALLY))

prove: $(if $(OWN),own-code,setup) ## check what a proof rests on, at every length of a tile: make prove LAB=2 [PART=scan_in_place]
	@$(call run_suites,$(CHOSEN),$(OF_SUITE) --prove $(if $(strip $(V)),,--fold),$(TALLY))

# A length, or in a lab of images a shape. N alone is an image of one row, whose columns have nothing to scan, so the
# defaults of such a lab are shapes.
SIZE = $(if $(strip $(SHAPE)),--shape $(strip $(SHAPE)),--n $(strip $(N)))
# $(1) a length  $(2) a shape: the size of a call whose size is not given
size_or = $(if $(strip $(SHAPE))$(filter-out file,$(origin N)),$(SIZE),$(if $(filter summed_area_table,$(CHOSEN)),--shape $(2),--n $(1)))
# The remaining settings of a replay line.
# Without MONOID, a part is called with interval, whose messages are the clearest, or with the first monoid that it is
# built for.
RUN_MONOID = $(if $(filter file,$(origin MONOID)),$(OWN_MONOID),$(strip $(MONOID)))
OWN_MONOID = $(if $(OTHER_TILE),$(call part_telling,$(CHOSEN),$(strip $(PART))),$(call first_of,interval,$(call part_monoids,$(CHOSEN),$(strip $(PART)))))
REPLAY = $(if $(filter command,$(origin INPUT)),$(if $(strip $(INPUT)),,--input "")) $(foreach v,input in-place shift order resident late choices judge,$(if $($(subst -,_,$(call upper,$(v)))),--$(v) $($(subst -,_,$(call upper,$(v))))))

# If no setting chooses a call, it is the example of the handouts, which shows common mistakes.
CALL = --part $(strip $(PART)) --monoid $(RUN_MONOID) $(call size_or,$(N),4x8) $(REPLAY) $(TILE_ARGUMENT) \
    $(if $(filter command,$(foreach v,MONOID N SHAPE SEED INPUT,$(origin $(v)))),,--input example)
run: $(if $(OWN),own-code,setup) ## one part on one input: make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7
	@$(call needs_part,run,make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7)
	@$(if $(OWN),$(if $(filter cuda,$(DEVICE)),$(SHOWN)) $(B)/bin/run $(ON_DEVICE) --lab $(strip $(LAB)) --seed $(strip $(SEED)) $(CALL),$(call run_handed_in,$(CHOSEN),--show $(CALL)))

# One lab of one submission with one monoid. For a recorder, combine() records its operands and its result.
# $(1) directory  $(2) lab  $(3) build  $(4) trace or debug  $(5) options of parts  $(6) options of the lab's code
define lab_build_apart
$(call lab_parts,$(1),$(2),$(3),$(4),$(PARTS_SIMT) $(5))
$(B)/$(4)/$(WHO)/$(2).$(3).so: $(B)/cpu/$(WHO)/$(2).cpp $(B)/cpu/$(WHO)/$(2).read $(B)/$(4)/parts/$(2).$(3).o $(call headers_of,$(1),$(B)/$(4)/$(WHO)/$(2).$(3).so) $(SIMT_PCH)
	@mkdir -p $$(@D)
	@$(CXX) $(call own_headers,$$@) $(6) $(call lab_include,$(2)) -I$(1) $(call build_defines,$(3)) -c $$< -o $$@.$$$$$$$$.o && \
	    $(CXX) -shared $$@.$$$$$$$$.o $(B)/$(4)/parts/$(2).$(3).o -o $$@.$$$$$$$$ && rm $$@.$$$$$$$$.o && mv $$@.$$$$$$$$ $$@
endef
lab_build_trace = $(call lab_build_apart,$(1),$(2),$(3),trace,-DSIMT_TRACE,$(SIMT_CXXFLAGS) -include $(SIMT_PCH:.gch=) -DSIMT_TRACE)
lab_build_debug = $(call lab_build_apart,$(1),$(2),$(3),debug,-DSIMT_TRACE,$(SIMT_DEBUG_CXXFLAGS) -DSIMT_TRACE)
# Unless the command line says otherwise, the monoid is sum, or the part's own; TILE may be any number.
SHOWN_MONOID = $(if $(filter file,$(origin MONOID)),$(call first_of,sum,$(call part_monoids,$(CHOSEN),$(strip $(PART)))),$(strip $(MONOID)))
SHOWN_BUILD  = $(SHOWN_MONOID)$(OTHER_TILE)
ifneq ($(TRACE_BUILD),)
$(eval $(call lab_build_trace,$(LAB_DIR),$(CHOSEN),$(TRACE_BUILD)))
endif
.PHONY: trace trace-object trace-parts
trace-object: $(B)/trace/$(WHO)/$(CHOSEN).$(TRACE_BUILD).so
trace-parts: $(B)/trace/parts/$(CHOSEN).$(TRACE_BUILD).o
trace-object trace-parts:
	@:

# The program that draws a trace gets little memory and time for the record of a hand-in, which can be anything.
TRACE        = $(B)/trace/$(strip $(PART))
TRACE_CALL   = --part $(strip $(PART)) --monoid $(SHOWN_MONOID) $(TRACE_SIZE) $(if $(strip $(INPUT)),,--input example) $(REPLAY) $(TILE_ARGUMENT)
TRACE_OWN    = $(B)/bin/run --submission $(B)/trace/$(OWN) --runner $(B)/cpu/runner --trace $(TRACE).record --lab $(strip $(LAB)) --seed $(strip $(SEED))
TRACE_OTHER  = $(SAY_THAT_IT_BUILDS) $(GRADE) show $(call quoted,$(SUBMISSION)) --lab $(strip $(LAB)) --seed $(strip $(SEED)) --trace $(TRACE).record $(SHOWN_BUILD) --suite --show
TRACE_SOURCE = $(if $(OWN),$(OWN),$(B)/trace/hand-in)/$(CHOSEN).cu
TRACE_SIZE   = $(call size_or,8,4x8)
trace: setup ## see a part at work: make trace LAB=3 PART=scan_blelloch [STEP=1] [HTML=FILE] [SVG=FILE] [SUBMISSION=a folder or a .cu file]
	@$(call needs_part,trace,make trace LAB=3 PART=scan_blelloch N=8)
	@[ "$(DEVICE)" = cpu ] || { echo "DEVICE=$(DEVICE): only the CPU device sees every access; leave it out" >&2; exit 2; }
	$(if $(OWN),+@$(BUILD_OWN) BUILD_TARGET=trace-object WHO=$(OWN) TRACE_BUILD=$(SHOWN_BUILD) TILE=)
	@mkdir -p $(B)/trace && rm -f $(TRACE).record
	@$(if $(OWN),$(TRACE_OWN),$(TRACE_OTHER)) $(TRACE_CALL) >$(TRACE).txt || [ $$? = 1 ]
	@$(if $(OWN),,ulimit -v 4194304 -t 300; )$(PYTHON) simt/trace/show.py $(TRACE).record --source $(TRACE_SOURCE) $(if $(filter student,$(OWN)),,--submission $(call quoted,$(SUBMISSION))) \
	    $(addprefix --telling ,$(filter interval,$(call part_monoids,$(CHOSEN),$(strip $(PART))))) --json $(TRACE).json $(if $(strip $(STEP)),--step) $(if $(strip $(RANGES)),--ranges) $(addprefix --html ,$(strip $(HTML))) $(addprefix --svg ,$(strip $(SVG)))

ifneq ($(filter debug-object,$(BUILD_TARGET)),)
$(eval $(call lab_build_debug,$(LAB_DIR),$(CHOSEN),$(SHOWN_BUILD)))
endif
.PHONY: debug debug-build debug-object
debug-object: $(B)/debug/$(WHO)/$(CHOSEN).$(SHOWN_BUILD).so
	@:
debug-build: $(B)/.setup-debug ## what an editor's debugger needs of a lab: make debug-build LAB=2
	@[ -n "$(strip $(LAB))" ] || { echo "name the lab: make debug-build LAB=2" >&2; exit 2; }
	+@$(BUILD_OWN) BUILD_TARGET=debug-object WHO=$(OWN)

DEBUG_STOP = $(if $(strip $(LINE)),$(strip $(LINE)) $(addprefix thread ,$(strip $(THREAD))) $(addprefix block ,$(strip $(BLOCK))),$(strip $(PART)))
debug: ## gdb on a kernel: make debug LAB=2 PART=scan_in_place LINE=31 [THREAD=3] [BLOCK=0]
	@$(call needs_part,debug,make debug LAB=2 PART=scan_in_place N=8 LINE=31 THREAD=3)
	@[ -n "$(strip $(LINE))" ] || [ -z "$(strip $(THREAD)$(BLOCK))" ] || { echo "THREAD and BLOCK need a LINE to stop at" >&2; exit 2; }
	@$(call own_only,debug)
	@[ "$(DEVICE)" = cpu ] || { echo "DEVICE=$(DEVICE): on a GPU, cuda-gdb debugs a program of yours" >&2; exit 2; }
	@$(MAKE) --no-print-directory debug-build
	@SCAN_LABS_STOP="$(OWN)/$(CHOSEN).cu:$(DEBUG_STOP)" gdb -q -x simt/debug/commands.py -ex begin --args $(B)/bin/check_$(CHOSEN) --show --debug \
	    --submission $(B)/debug/$(OWN) --runner $(B)/cpu/runner --part $(strip $(PART)) --monoid $(SHOWN_MONOID) $(TRACE_SIZE) \
	    --seed $(strip $(SEED)) $(if $(strip $(INPUT))$(filter command,$(origin N)$(origin SHAPE)),,--input example) $(REPLAY) $(TILE_ARGUMENT)

# The photograph of lab 7, processed by the parts that make pictures.
.PHONY: picture
picture: setup ## what your lab 7 makes of a photograph, as PNG files in build/pictures
	+@$(BUILD_OWN) LAB=7 WHO=$(OWN) BUILDS=sum
	@mkdir -p $(B)/pictures && rm -f $(B)/pictures/*.npy
	@failed=0; for part in sat box_filter depth_of_field; do \
	    $(B)/bin/check_summed_area_table --submission $(B)/$(DEVICE)/$(OWN) --runner $(B)/$(DEVICE)/runner --device $(DEVICE) \
	        --show --part $$part --input series --shape 512x512 --save $(B)/pictures >$(B)/pictures/$$part.txt || \
	        { failed=1; echo "$$part:"; grep -A 4 '^wrong' $(B)/pictures/$$part.txt || tail -5 $(B)/pictures/$$part.txt; }; done; \
	    $(PYTHON) labs/support/tools/picture.py $(B)/pictures; exit $$failed

# Without SUBMISSION, all parts are measured in the reference, whose counts are shown next to the contract's bounds, and
# one part alone is measured in student/.
METERS_OF = $(strip $(if $(filter file,$(origin SUBMISSION)),$(if $(strip $(PART)),student,$(firstword $(wildcard reference) student)),$(OWN)))
METERS_CASE = --part $(strip $(PART)) --monoid $(SHOWN_MONOID) \
	$(call size_or,512,32x32) $(REPLAY)

.PHONY: meters
meters: ## what the meters say, by line: make meters LAB=3 PART=scan_blelloch N=512; or of all parts: make meters
	@$(MAKE) --no-print-directory own-code SUBMISSION=$(METERS_OF) NEEDED=$(if $(strip $(PART)),$(SHOWN_MONOID)$(OTHER_TILE))
	@failed=0; for lab in $(CHOSEN); do \
	    $(B)/bin/check_$$lab --meters --submission $(B)/cpu/$(METERS_OF) --runner $(B)/cpu/runner --seed $(SEED) $(TILE_ARGUMENT) \
	        $(if $(strip $(PART)),$(METERS_CASE)) --lab-file $(METERS_OF)/$$lab.cu || { s=$$?; [ $$s = 1 ] || exit $$s; failed=1; }; done; exit $$failed

# A length that is not given is one that keeps a GPU busy.
PREDICT_SIZE = $(or $(strip $(SHAPE)),$(if $(filter file,$(origin N)),$(if $(filter summed_area_table,$(CHOSEN)),4096x4096,16777216),$(strip $(N))))
.PHONY: predict
predict: ## how long a part would take on a GPU, from what the CPU device counts: make predict LAB=6 PART=scan_single_pass [N=16777216]
	@$(call needs_part,predict,make predict LAB=6 PART=scan_single_pass N=16777216)
	@$(call own_only,predict)
	@for device in $(sort cpu $(DEVICE)); do $(MAKE) --no-print-directory own-code DEVICE=$$device NEEDED=$(SHOWN_MONOID); done
	@$(PYTHON) labs/support/tools/predict.py --build $(B) --who $(OWN) --lab $(CHOSEN) --part $(strip $(PART)) --monoid $(SHOWN_MONOID) \
	    --size $(PREDICT_SIZE) --seed $(strip $(SEED)) $(if $(filter cuda,$(DEVICE)),--cuda)

.PHONY: meters-gpu
meters-gpu: ## on a GPU, the meters beside Nsight Compute's counters: make meters-gpu [LAB=2]
	@$(MAKE) --no-print-directory own-code DEVICE=cuda
	@$(PYTHON) labs/support/tools/meters_gpu.py $(B) $(OWN) $(CHOSEN)

.PHONY: sanitize
sanitize: ## on a GPU, what compute-sanitizer finds, by line: make sanitize LAB=2 [PART=scan_in_place]
	@$(MAKE) --no-print-directory own-code DEVICE=cuda NEEDED=tested
	@$(PYTHON) labs/support/tools/sanitize.py $(B) $(OWN) $(if $(strip $(PART)),--part $(strip $(PART))) $(CHOSEN)
