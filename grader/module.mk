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
$(B)/.setup-dev: grader/setup $(wildcard grader/requirements*.txt)
	@grader/setup $(B) dev
	@touch $(B)/.setup $@

# A class's hand-ins, as whoever calls make names their folder; text, like SUBMISSION.
SUBMISSIONS ?=
override SUBMISSIONS := $(value SUBMISSIONS)
RUN_CHOICE = $(if $(strip $(LAB)),--lab $(strip $(LAB))) --device $(DEVICE) \
	$(if $(findstring command,$(origin SEED)),--seed $(strip $(SEED))) $(GRADE_OPTIONS)

# EXECUTOR=slurm hands a class to a cluster.
ON = $(if $(strip $(EXECUTOR)),--executor $(strip $(EXECUTOR)))

.PHONY: grade regrade stubs release
grade: setup ## grade student/ or SUBMISSION=reference, a directory, a .cu file; a class: SUBMISSIONS=dir; LAB=2 for one lab
	@$(GRADE) $(if $(SUBMISSIONS),class $(ON) $(call quoted,$(SUBMISSIONS)),grade $(call quoted,$(SUBMISSION))) $(RUN_CHOICE)

regrade: setup ## grade a class again with its recorded seed, and say what changed: SUBMISSIONS=dir
	@[ -n $(call quoted,$(SUBMISSIONS)) ] || { echo "name the class: make regrade SUBMISSIONS=dir" >&2; exit 2; }
	@$(GRADE) class --again $(ON) $(call quoted,$(SUBMISSIONS)) $(RUN_CHOICE)

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
	@$(VENV)/bin/pytest --quiet grader/tests --ignore grader/tests/pages

# The pages of exporters, in a browser that nobody sees.
.PHONY: check-pages
check-pages: setup-dev suites
	@$(VENV)/bin/pytest --quiet grader/tests/pages

.PHONY: similar
similar: $(B)/.setup-similar ## the hand-ins of a class that are like each other: make similar FROM=build/class/NAME/gradebook.json
	@$(GRADE) similar $(call quoted,$(FROM))
$(B)/.setup-similar: $(B)/.setup grader/requirements-similar.txt
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r grader/requirements-similar.txt
	@touch $@

.PHONY: handouts
handouts: $(B)/.setup-handouts suites ## the handouts as a site and a PDF: build/handouts/html/index.html
	@$(PYTHON) handouts/site/build.py $(B)/handouts
$(B)/.setup-handouts: $(B)/.setup grader/requirements-handouts.txt
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r grader/requirements-handouts.txt
	@touch $@

.PHONY: doctor
doctor: ## what this machine has and lacks, and what to install
	@command -v python3 >/dev/null || { echo "MISSING  python3  try: apt-get install python3"; exit 2; }
	@python3 -m grader.doctor

.PHONY: autograder
autograder: setup ## the zip that Gradescope takes: make autograder [LAB=2]
	@$(GRADE) autograder $(B)/autograder.zip $(if $(strip $(LAB)),--lab $(strip $(LAB)))

# FROM: a results.json or a gradebook.json
.PHONY: report
report: setup ## pages of a grading or of a class: make report FROM=build/grade/NAME/results.json
	@$(GRADE) report $(call quoted,$(FROM))
