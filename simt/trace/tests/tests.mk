# The tests of traces and of how they are shown.
.PHONY: check-trace
check-trace: setup-dev suites $(SIMTCC)
	@$(PYTEST) --closing trace simt/trace/tests
