# The tests of traces: what they say, and how they are shown.
.PHONY: check-trace
check-trace: setup-dev suites $(SIMTCC)
	@$(VENV)/bin/pytest --quiet simt/trace/tests
