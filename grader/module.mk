# Runs the grader, and sets up the machine.
VENV   := $(B)/venv
PYTHON := $(VENV)/bin/python3
GRADE  := $(PYTHON) -m grader

.PHONY: setup
setup: $(B)/.setup ## install what is missing on this machine, and a Python environment in build/
$(B)/.setup: grader/setup grader/requirements.txt
	@grader/setup $(B)
	@touch $@

$(B)/.setup-debug: $(B)/.setup
	@grader/setup $(B) debug
	@touch $@

# The folder with a class's hand-ins. Like SUBMISSION, it is not expanded by make.
SUBMISSIONS ?=
override SUBMISSIONS := $(value SUBMISSIONS)
RUN_CHOICE = $(if $(strip $(LAB)),--lab $(strip $(LAB))) --device $(DEVICE) \
	$(if $(findstring command,$(origin SEED)),--seed $(strip $(SEED))) $(GRADE_OPTIONS)

# EXECUTOR=slurm grades a class on a cluster.
ON = $(if $(strip $(EXECUTOR)),--executor $(strip $(EXECUTOR)))

.PHONY: grade
grade: setup ## grade student/, or SUBMISSION= a directory or a .cu file; a class: SUBMISSIONS=dir; LAB=2 for one lab
	@$(GRADE) $(if $(SUBMISSIONS),class $(ON) $(call quoted,$(SUBMISSIONS)),grade $(call quoted,$(SUBMISSION))) $(RUN_CHOICE)

.PHONY: handouts
handouts: $(B)/.setup-handouts suites ## make a site and a PDF of the handouts: build/handouts/html/index.html
	@$(PYTHON) handouts/site/build.py $(B)/handouts
$(B)/.setup-handouts: $(B)/.setup grader/requirements-handouts.txt
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r grader/requirements-handouts.txt
	@touch $@

.PHONY: doctor
doctor: ## list what this machine has and lacks, and what to install
	@command -v python3 >/dev/null || { echo "MISSING  python3  try: install it, as root"; exit 2; }
	@python3 -m grader.front.doctor

.PHONY: progress
progress: setup ## how far your work in student/ is: parts that pass, proofs, points, times, and what comes next
	@$(GRADE) progress

# FROM: a results.json or a gradebook.json
.PHONY: report
report: setup ## make the pages of a grading or of a class: make report FROM=build/grade/NAME/results.json
	@$(GRADE) report $(call quoted,$(FROM))
