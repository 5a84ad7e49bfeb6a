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

# What a GPU takes for requests to shared memory, beside what simt/banks.c says.
$(B)/cuda/wavefronts: $(wildcard simt/tests/meters/wavefronts.cu simt/tests/meters/model.[ch]) simt/banks.c simt/requests.h
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Isimt -c simt/banks.c -o $@.banks.o
	@$(CC) $(CFLAGS) -Isimt -c simt/tests/meters/model.c -o $@.model.o
	@$(NVCC) -arch=$(CUDA_ARCH) -std=c++17 -O2 simt/tests/meters/wavefronts.cu $@.banks.o $@.model.o -o $@

.PHONY: wavefronts-gpu
wavefronts-gpu: $(B)/cuda/wavefronts ## on a GPU, the cycles that shared memory takes, beside the meter of wavefronts
	@$<
