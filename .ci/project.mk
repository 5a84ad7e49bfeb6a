# How the course is tested and laid out. Students do not get it.
.PHONY: check check-course format lint
# Python tests, with a closing line: $(PYTEST) --closing NAME FOLDER
PYTEST = PYTHONPATH=.ci $(VENV)/bin/pytest --quiet -p closing_line

# What each proves, and the lines that it must end with: .ci/tests.toml. Two lists, side by side. The first computes on all
# processors; the second waits much, and whatever grades behind walls is in it, or makes traces or calls nvcc: such tests look for
# what a hand-in leaves on this machine, and build into the same folders.
CHECKS := lint check-datasets check-simt check-labs check-alternatives check-messages check-audit check-fuzz
CHECKS_BESIDE := check-course check-trace check-grader check-pages
check: setup-dev ## run all of the project's own tests
	-@$(MAKE) --no-print-directory -j$$(nproc) check-shared
	@$(PYTHON) .ci/check.py $(CHECKS) -- $(CHECKS_BESIDE)

# What tests of both lists use is built before: two calls of make must not do so at once. What does not build fails there again.
.PHONY: check-shared
check-shared: suites $(SIMTCC) $(B)/bin/toy_suite $(B)/bin/fake_runner
	@$(MAKE) --no-print-directory build-lab WHO=reference

# The stubs are the reference less its solutions; the CUDA side compiles, where there is nvcc.
check-course: setup-dev
	@.ci/course

# Containerfile's recipe, for real, and the course in what came of it: minutes, and root. SYSTEM=ubuntu:24.04: from there.
.PHONY: check-container
check-container: ## build the machine of Containerfile, and use it: [SYSTEM=ubuntu:24.04 ARCHIVE=...]
	@.ci/container $(B) $(SYSTEM) $(ARCHIVE)

C_SOURCES = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## lay out the C sources
	@$(VENV)/bin/clang-format -i $(C_SOURCES)

lint: setup-dev ## clang-format, shellcheck, ruff, mypy
	@$(VENV)/bin/clang-format --dry-run -Werror $(C_SOURCES)
	@git ls-files | while read -r f; do [ -L "$$f" ] || ! head -c 64 "$$f" | head -1 | grep -qaE '^#!.*(ba)?sh' || echo "$$f"; done | xargs -r shellcheck
	@$(VENV)/bin/ruff check --quiet . && $(VENV)/bin/ruff format --check --quiet . && $(VENV)/bin/mypy --strict
	@. .ci/closing.sh; passed=4; closing_line lint
