# The meters, on kernels counted by hand; once more under AddressSanitizer and UBSan.
METER_TESTS := check_meters check_steps check_sharing

$(METER_TESTS:%=$(B)/bin/%): $(B)/bin/%: simt/tests/meters/%.cu $(SIMT_TOOLS)
	$(call simt_program,-Isimt -Isimt/tests/meters -I.ci)
-include $(METER_TESTS:%=$(B)/bin/%.d)

$(METER_TESTS:%=$(B)/sanitized/%): $(B)/sanitized/%: $(B)/bin/% $(SANITIZED_O)
	@mkdir -p $(@D)
	@$(CXX) -fsanitize=address,undefined $<.o -rdynamic $(SANITIZED_O) $(SIMT_LIBS) -o $@

.PHONY: check-meters
check-simt: check-meters
check-meters: $(METER_TESTS:%=$(B)/bin/%) $(METER_TESTS:%=$(B)/sanitized/%)
	@set -e; for test in $(METER_TESTS); do \
	    $(B)/bin/$$test; \
	    ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:handle_sigbus=0:use_sigaltstack=0:detect_stack_use_after_return=0 \
	        $(B)/sanitized/$$test 2>/dev/null; \
	done
