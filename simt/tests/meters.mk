# The meters, on kernels counted by hand; once more under AddressSanitizer and UBSan.
$(B)/bin/check_meters: simt/tests/meters/check_meters.cu $(CUDAC) $(LIBSIMT) $(SIMT_H) simt/simt.h
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -Isimt -c $@.cpp -o $@.o
	@$(CXX) $@.o $(SIMT_LINK) -o $@

$(B)/sanitized/check_meters: $(B)/bin/check_meters $(SANITIZED_O)
	@mkdir -p $(@D)
	@$(CXX) -fsanitize=address,undefined $<.o -rdynamic $(SANITIZED_O) $(SIMT_LIBS) -o $@

.PHONY: check-meters
check-simt: check-meters
check-meters: $(B)/bin/check_meters $(B)/sanitized/check_meters
	@$<
	@ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:handle_sigbus=0:use_sigaltstack=0:detect_stack_use_after_return=0 \
	    $(B)/sanitized/check_meters 2>/dev/null
