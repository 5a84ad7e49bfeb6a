# A setting that does nothing is an error: n=33 for N=33, make grade PART=..., make test N=5.
# Of each target that people call with settings, which ones it takes; those of its build are everywhere.
SETTINGS.run     := PART MONOID N SHAPE SEED TILE INPUT IN_PLACE SHIFT ORDER RESIDENT
SETTINGS.trace   := $(SETTINGS.run) STEP HTML SVG RANGES
SETTINGS.debug   := $(SETTINGS.run) LINE THREAD BLOCK
SETTINGS.meters  := $(SETTINGS.run)
SETTINGS.test    := PART SEED TILE HUGE V
SETTINGS.prove   := PART SEED TILE HUGE
SETTINGS.grade   := SEED SUBMISSIONS EXECUTOR GRADE_OPTIONS
SETTINGS.regrade := $(SETTINGS.grade)
SETTINGS.audit   := PART NAME KIND AUDIT_OPTIONS
SETTINGS_OF_ALL  := LAB DEVICE SUBMISSION WHO SRC B CC CXX CFLAGS NVCC CUDA_ARCH

CALLED := $(patsubst SETTINGS.%,%,$(filter $(addprefix SETTINGS.,$(MAKECMDGOALS)),$(.VARIABLES)))
ifneq ($(CALLED),)
TAKEN := $(sort $(foreach g,$(CALLED),$(SETTINGS.$(g))) LAB SUBMISSION DEVICE)
NAMED := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v))),$(v)))
# Another lab has no such part, and a suite that is asked for it ends there.
ifneq ($(if $(strip $(LAB)),,$(if $(strip $(PART)),$(filter test prove,$(CALLED)))),)
$(error name the lab of PART=$(PART): make $(firstword $(filter test prove,$(CALLED))) LAB=2 PART=scan_in_place)
endif
# make test LAB=1 reduce_tile: a part is no target.
ifneq ($(filter-out $(CALLED),$(MAKECMDGOALS)),)
GOAL_PART := $(firstword $(filter $(shell sed -n 's/^name = "\(.*\)"$$/\1/p' labs/*/lab.toml),$(MAKECMDGOALS)))
ifneq ($(GOAL_PART),)
$(error $(GOAL_PART) is a part; try: make $(firstword $(CALLED)) $(if $(strip $(LAB)),LAB=$(strip $(LAB)) )PART=$(GOAL_PART))
endif
endif
IDLE  := $(firstword $(filter-out $(TAKEN) $(SETTINGS_OF_ALL),$(NAMED)))
ifneq ($(IDLE),)
$(error $(IDLE)=$(value $(IDLE)) does nothing in make $(CALLED)$(if $(filter $(call upper,$(IDLE)),$(TAKEN)),; \
try: $(call upper,$(IDLE))=$(value $(IDLE)),. It takes: $(TAKEN)))
endif
endif
