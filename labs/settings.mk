# A setting without effect is an error: n=33 instead of N=33, make grade PART=..., make test N=5, make handouts LAB=2.
# For each target that users call, this lists the settings it accepts; every target also accepts those of its build.
ON_A_LAB := LAB SUBMISSION DEVICE
SETTINGS.one-call    := $(ON_A_LAB) PART MONOID N SHAPE SEED TILE INPUT IN_PLACE SHIFT ORDER RESIDENT LATE CHOICES JUDGE
SETTINGS.run         := $(SETTINGS.one-call) DELAYS
SETTINGS.trace       := $(SETTINGS.one-call) STEP HTML SVG RANGES
SETTINGS.debug       := $(SETTINGS.one-call) LINE THREAD BLOCK
SETTINGS.debug-build := $(SETTINGS.debug)
SETTINGS.meters      := $(SETTINGS.one-call)
SETTINGS.predict     := $(ON_A_LAB) PART MONOID N SHAPE SEED
SETTINGS.meters-gpu  := LAB SUBMISSION
SETTINGS.sanitize    := $(ON_A_LAB) PART
SETTINGS.test        := $(ON_A_LAB) PART SEED TILE HUGE V DELAYS
SETTINGS.prove       := $(ON_A_LAB) PART SEED TILE HUGE V
SETTINGS.picture     := SUBMISSION DEVICE
SETTINGS.bench       := $(ON_A_LAB) BENCH_OPTIONS
SETTINGS.grade       := $(ON_A_LAB) SEED SUBMISSIONS EXECUTOR GRADE_OPTIONS
SETTINGS.regrade     := $(SETTINGS.grade)
SETTINGS.audit       := $(ON_A_LAB) PART NAME KIND MADE SEED AUDIT_OPTIONS
SETTINGS.report      := FROM SUBMISSION
SETTINGS.board       := FROM
SETTINGS.similar     := FROM SIMILAR_OPTIONS
SETTINGS.autograder  := LAB AUTOGRADER_OPTIONS
SETTINGS.stubs       := STUBS_OPTIONS
SETTINGS.build       := LAB DEVICE BUILDS
SETTINGS.setup       :=
SETTINGS.progress    :=
SETTINGS.doctor      :=
SETTINGS.handouts    :=
SETTINGS.datasets    :=
SETTINGS.figures     :=
SETTINGS.messages    :=
SETTINGS.proofs      :=
SETTINGS.release     :=
SETTINGS_OF_ALL      := WHO SRC B CC CXX CFLAGS NVCC CUDA_ARCH CUDA_HOME

CALLED := $(patsubst SETTINGS.%,%,$(filter $(addprefix SETTINGS.,$(MAKECMDGOALS)),$(.VARIABLES)))
ifneq ($(CALLED),)
TAKEN := $(sort $(foreach g,$(CALLED),$(SETTINGS.$(g))))
# A variable that the makefiles have changed no longer counts as set on the command line.
NAMED := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v)))$(if $(filter override,$(origin $(v))),$(filter $(v)=%,$(MAKEOVERRIDES))),$(v)))
# Without LAB, make test or make prove would call the suites of other labs, which have no such part and stop.
ifneq ($(if $(strip $(LAB)),,$(if $(strip $(PART)),$(filter test prove sanitize,$(CALLED)))),)
$(error name the lab of PART=$(PART): make $(firstword $(filter test prove sanitize,$(CALLED))) LAB=2 PART=scan_in_place)
endif
# make test LAB=1 reduce_tile: a part is not a target.
ifneq ($(and $(filter PART,$(TAKEN)),$(filter-out $(CALLED),$(MAKECMDGOALS))),)
GOAL_PART := $(firstword $(filter $(shell sed -n 's/^name = "\(.*\)"$$/\1/p' labs/*/lab.toml),$(MAKECMDGOALS)))
ifneq ($(GOAL_PART),)
$(error $(GOAL_PART) is a part; try: make $(firstword $(CALLED)) $(if $(strip $(LAB)),LAB=$(strip $(LAB)) )PART=$(GOAL_PART))
endif
endif
IDLE  := $(firstword $(filter-out $(TAKEN) $(SETTINGS_OF_ALL),$(NAMED)))
ifneq ($(IDLE),)
$(error $(IDLE)=$(value $(IDLE)) does nothing in make $(CALLED)$(if $(filter $(call upper,$(IDLE)),$(TAKEN)),; \
try: $(call upper,$(IDLE))=$(value $(IDLE)),. It takes$(if $(TAKEN),: $(TAKEN), no settings)))
endif
endif
