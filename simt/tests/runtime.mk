# The runtime API and what a .cu may include.
#   check-runtime   the API from C: errors and findings
#   check-headers   what must compile, and what must not
$(B)/bin/check_runtime: simt/tests/check_runtime.c $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $< $(SIMT_LINK) $(CHECK_LIBS) -o $@

$(B)/bin/check_rank: simt/tests/check_rank.c $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt $< $(SIMT_LINK) $(CHECK_LIBS) -o $@

.PHONY: check-runtime check-headers
check-runtime: $(B)/bin/check_runtime $(B)/bin/check_rank
	@for suite in $^; do $$suite || true; done | simt/tests/count runtime 2
check-headers: $(CUDAC)
	@simt/tests/check_headers $(CUDAC) $(B)/headers $(CXX) $(SIMT_CXXFLAGS) -Wno-sign-compare
