# The tests of labs/support: monoids, .npy files, calls of misbehaving runners, and the texts of messages.
$(B)/bin/check_support: $(filter-out %/check_lockdown.c %/check_filter.c,$(wildcard labs/support/tests/check_*.c)) labs/support/tests/toy_run.c labs/support/tests/check_support.h labs/support/tests/toy_run.h .ci/closing.h .ci/closing_check.h $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) -I.ci $(filter %.c,$^) $(B)/libsuite.a $(CHECK_LIBS) -o $@

$(B)/bin/toy_suite $(B)/bin/toy_images $(B)/bin/fake_runner: $(B)/bin/%: labs/support/tests/%.c $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) $< $(B)/libsuite.a $(CHECK_LIBS) -o $@

# Prints the bounds of a lab, for grader/tests/test_bounds.py.
$(LABS:%=$(B)/bin/bounds_%): $(B)/bin/bounds_%: labs/support/tests/bounds.c $(B)/suites/check_%.o $(B)/libsuite.a
	@$(CC) $(CFLAGS) $(SUITE_INCLUDE) $^ $(CHECK_LIBS) -o $@

# The filter of the runner that runs kernels on the CPU device.
$(B)/bin/check_lockdown: labs/support/tests/check_lockdown.c labs/support/call/lockdown.c labs/support/call/lockdown.h .ci/closing.h .ci/closing_check.h $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -D__SIMT__ -Ilabs/support/call -I.ci $(filter %.c,$^) $(SECCOMP) $(CHECK_LIBS) -o $@

# The same filter, which the test reads without loading it.
$(B)/bin/check_filter: labs/support/tests/check_filter.c labs/support/call/lockdown.c labs/support/call/lockdown.h .ci/closing.h .ci/closing_check.h $(FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -D__SIMT__ -Ilabs/support/call -I.ci $(filter %.c,$^) -Wl,--wrap=seccomp_load $(SECCOMP) $(CHECK_LIBS) -o $@

# The stock scans and sort, tested as a CUDA program of its own.
$(B)/bin/check_stock.o: labs/support/tests/check_stock.cu $(wildcard labs/stock/*.h labs/support/*/*.h labs/include/*.h) $(OF_DEVICE_NEEDS)
	$(call simt_object,$(OF_DEVICE) $(SUITE_INCLUDE))
$(B)/bin/check_stock: $(B)/bin/check_stock.o $(STOCK_CPU_O) $(LIBSIMT)
	@$(CXX) $< $(STOCK_CPU_O) $(SIMT_LINK) -o $@

# Explored launches: litmus tests, and planted faults of memory order.
$(B)/bin/check_explore.o: labs/support/tests/check_explore.cu labs/support/suite/suite_tree.h simt/simt_explore.h $(OF_DEVICE_NEEDS)
	$(call simt_object,$(OF_DEVICE) $(SUITE_INCLUDE))
$(B)/bin/check_explore: $(B)/bin/check_explore.o $(B)/support/suite/suite_tree.o $(LIBSIMT)
	@$(CXX) $< $(B)/support/suite/suite_tree.o $(SIMT_LINK) -o $@

# Which command lines bench accepts. This needs no nvcc, although bench itself does.
$(B)/bin/check_bench: labs/support/tests/check_bench.cpp $(BENCH_CPP) $(wildcard labs/bench/*.h) .ci/closing.h $(FLAGS)
	@mkdir -p $(@D)
	@$(CXX) $(patsubst -std=%,-std=c++17,$(CFLAGS)) -Ilabs/bench -I.ci $(filter %.cpp,$^) -o $@

.PHONY: check-bench check-explore check-lockdown check-stock check-support check-labs
check-labs: check-support check-stock check-explore check-lockdown check-bench
check-explore: $(B)/bin/check_explore
	@$<
check-bench: $(B)/bin/check_bench
	@$<
check-lockdown: $(B)/bin/check_lockdown $(B)/bin/check_filter
	@$<
	@$(B)/bin/check_filter
check-stock: $(B)/bin/check_stock
	@$<
check-support: $(B)/bin/check_support $(B)/bin/toy_suite $(B)/bin/toy_images $(B)/bin/fake_runner
	@$< $(B)/bin
	@labs/support/tests/check_line $(sort $(dir $(SUITE_O)))
	@labs/support/tests/check_parts $(B)
