# Tests and formats the course itself. Students do not get this file.
.PHONY: check check-course format lint
# Runs Python tests and prints a closing line: $(PYTEST) --closing NAME FOLDER
PYTEST = PYTHONPATH=.ci $(VENV)/bin/pytest --quiet -p closing_line

# .ci/tests.toml says what each target proves and which lines it must print. The three lists run at the same time. Targets of the
# first two compute on all processors; those of the last wait much. The targets that call nvcc or look for what a hand-in left
# on this machine are in the last list, one after another. Traces and pages are in one list, because they make the same traces.
CHECKS := lint check-datasets check-simt check-labs check-fuzz check-classes
CHECKS_OF_TRIALS := check-alternatives check-messages check-audit check-trace check-pages
CHECKS_BESIDE := check-course check-grader
check: setup-dev ## run all of the project's own tests
	-@$(MAKE) --no-print-directory -j$$(nproc) check-shared
	@$(PYTHON) .ci/check.py $(CHECKS) -- $(CHECKS_OF_TRIALS) -- $(CHECKS_BESIDE)

# Builds what all lists use before they start, because two runs of make must not build the same files at once. A build that
# fails here fails again in a test.
.PHONY: check-shared
check-shared: suites $(SIMTCC) $(B)/bin/toy_suite $(B)/bin/fake_runner
	@$(MAKE) --no-print-directory build-lab WHO=reference

check-course: setup-dev
	@.ci/course

# Executes Containerfile and uses the course in the resulting system. It takes minutes and needs root. SYSTEM=ubuntu:24.04
# chooses another system.
.PHONY: check-container
check-container: ## build the machine of Containerfile, and use it: [SYSTEM=ubuntu:24.04 ARCHIVE=...]
	@.ci/container $(B) $(SYSTEM) $(ARCHIVE)

.PHONY: check-anywhere
check-anywhere: ## use the course where only g++, make and python3 are installed: [SYSTEM=debian:12 ARCHIVE=...]
	@.ci/anywhere $(B) $(SYSTEM) $(ARCHIVE)

C_SOURCES = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## lay out the C sources
	@$(VENV)/bin/clang-format -i $(C_SOURCES)

lint: setup-dev ## clang-format, shellcheck, ruff, mypy
	@$(VENV)/bin/clang-format --dry-run -Werror $(C_SOURCES)
	@git ls-files | while read -r f; do [ -L "$$f" ] || ! head -c 64 "$$f" | head -1 | grep -qaE '^#!.*(ba)?sh' || echo "$$f"; done | xargs -r shellcheck
	@$(VENV)/bin/ruff check --quiet . && $(VENV)/bin/ruff format --check --quiet . && $(VENV)/bin/mypy --strict
	@. .ci/closing.sh; passed=4; closing_line lint
