# The grader, and the machine's set-up.
VENV   := $(B)/venv
PYTHON := $(VENV)/bin/python3
GRADE  := $(PYTHON) -m grader

.PHONY: setup setup-dev
setup: $(B)/.setup ## install what is missing on this machine, and a Python environment in build/
$(B)/.setup: grader/setup grader/requirements.txt
	@grader/setup $(B)
	@touch $@
setup-dev: $(B)/.setup-dev
$(B)/.setup-dev: grader/setup grader/requirements.txt grader/requirements-dev.txt
	@grader/setup $(B) dev
	@touch $(B)/.setup $@

.PHONY: grade stubs release
grade: setup ## grade student/ or SUBMISSION=reference, a directory, a .cu file; LAB=2 for one lab
	@$(GRADE) grade $(call quoted,$(SUBMISSION)) $(if $(strip $(LAB)),--lab $(strip $(LAB))) --device $(DEVICE) \
	    $(if $(findstring command,$(origin SEED)),--seed $(strip $(SEED))) $(GRADE_OPTIONS)

stubs: setup ## make student/*.cu anew from reference/*.cu
	@$(GRADE) stubs $(STUBS_OPTIONS)

release: setup ## copy what students get, without the reference, to build/release
	@$(GRADE) release $(B)/release

# NAME=barrier: only mutants, shortcuts and alternatives whose name holds that.
.PHONY: audit check-audit
audit: setup suites ## grade all mutants, shortcuts, alternatives: make audit [LAB=2] [PART=scan_in_place] [NAME=barrier] [KIND=race]
	@$(GRADE) audit $(AUDIT_CHOICE) $(AUDIT_OPTIONS)

AUDIT_CHOICE = $(if $(strip $(LAB)),--lab $(strip $(LAB))) $(if $(strip $(PART)),--part $(strip $(PART))) \
	$(if $(strip $(NAME)),--name $(strip $(NAME))) $(if $(strip $(KIND)),--kind "$(strip $(KIND))")

check-audit: setup suites
	@$(GRADE) audit --sample $(AUDIT_CHOICE)

.PHONY: check-grader
check-grader: setup-dev suites
	@$(VENV)/bin/pytest --quiet grader/tests
