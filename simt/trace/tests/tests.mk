# The tests of traces: what they say, and how they are shown.
.PHONY: check-trace
check-trace: setup-dev suites $(SIMTCC)
	@$(PYTEST) --closing trace simt/trace/tests
