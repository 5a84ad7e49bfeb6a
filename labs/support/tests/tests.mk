# The tests of labs/support: monoids, .npy files, calls of misbehaving runners, the words of messages.
$(B)/bin/check_support: $(wildcard labs/support/tests/check_*.c) labs/support/tests/check_support.h $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Ilabs/support $(filter %.c,$^) $(B)/libsuite.a $(CHECK_LIBS) -o $@

$(B)/bin/toy_suite $(B)/bin/fake_runner: $(B)/bin/%: labs/support/tests/%.c $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Ilabs/support $< $(B)/libsuite.a $(CHECK_LIBS) -o $@

.PHONY: check-support check-labs
check-labs: check-support
check-support: $(B)/bin/check_support $(B)/bin/toy_suite $(B)/bin/fake_runner
	@$< $(B)/bin
