# The runtime API and what a .cu may include.
#   check-runtime   the API from C: errors and findings
#   check-signature what a changed signature is told by
#   check-headers   what must compile, and what must not
#   check-nvcc      the same as nvcc has it
$(B)/bin/check_runtime $(B)/bin/check_runtime_device: $(B)/bin/%: simt/tests/%.c simt/tests/check_runtime.h simt/tests/cases.h $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $< $(SIMT_LINK) $(CHECK_LIBS) -o $@

$(B)/bin/check_rank: simt/tests/check_rank.c $(LIBSIMT)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt $< $(SIMT_LINK) $(CHECK_LIBS) -o $@

# A function's parameters, as C declares and as CUDA C++ defines them.
$(B)/bin/check_signature: simt/tests/check_signature.cu simt/tests/check_signature_c.c $(SIMT_TOOLS)
	$(call simt_object,-Isimt -I.ci)
	@$(CC) $(CFLAGS) -c simt/tests/check_signature_c.c -o $@_c.o
	@$(CXX) $@.o $@_c.o $(SIMT_LINK) -o $@
-include $(B)/bin/check_signature.d

.PHONY: check-runtime check-signature check-headers
check-runtime: $(B)/bin/check_runtime $(B)/bin/check_runtime_device $(B)/bin/check_rank check-signature
	@for suite in $(filter $(B)/%,$^); do $$suite || true; done | simt/tests/count runtime 3
check-signature: $(B)/bin/check_signature
	@$<
check-headers: $(CUDAC)
	@simt/tests/check_headers $(CUDAC) $(B)/headers $(CXX) $(SIMT_CXXFLAGS) -Wno-sign-compare

# Snippets that nvcc accepts and refuses, on which lines: the course's reading of a source says the same.
.PHONY: check-nvcc
check-nvcc: setup $(CUDAC)
	@$(PYTHON) simt/tests/check_nvcc.py $(CUDAC) $(B)/nvcc labs/support/tools/diagnose.py simt/spaces $(NVCC) $(CXX) $(SIMT_SPACES_FLAGS)
