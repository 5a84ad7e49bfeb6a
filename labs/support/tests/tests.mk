# The tests of labs/support: monoids, .npy files, calls of misbehaving runners, the words of messages.
$(B)/bin/check_support: $(wildcard labs/support/tests/check_*.c) labs/support/tests/check_support.h $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Ilabs/support $(filter %.c,$^) $(B)/libsuite.a $(CHECK_LIBS) -o $@

$(B)/bin/toy_suite $(B)/bin/toy_images $(B)/bin/fake_runner: $(B)/bin/%: labs/support/tests/%.c $(B)/libsuite.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Ilabs/support $< $(B)/libsuite.a $(CHECK_LIBS) -o $@

# The stock scans and sort, as a CUDA program of its own.
$(B)/bin/check_stock: labs/support/tests/check_stock.cu $(STOCK_SCAN_O) $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -Isimt -Ilabs/support -c $@.cpp -o $@.o
	@$(CXX) $@.o $(STOCK_SCAN_O) $(SIMT_LINK) -o $@

.PHONY: check-stock check-support check-labs
check-labs: check-support check-stock
check-stock: $(B)/bin/check_stock
	@$<
check-support: $(B)/bin/check_support $(B)/bin/toy_suite $(B)/bin/toy_images $(B)/bin/fake_runner
	@$< $(B)/bin
