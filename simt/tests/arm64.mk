# check-arm64: the course on another machine. g++ for arm64 compiles on this machine, and an emulator runs the results:
# findings, programs, meters, the runtime's tests, the runner's filter, and a lab's suite with the reference. The grader
# also inspects the objects. It is not part of make check: before its first test it needs 36 seconds of a processor (26
# for apt and its packages, 10 for the library), 330 MB, Debian and its archive and, for the cross compiler, root.
ARM64      := $(B)/arm64
ARM64_ROOT := $(CURDIR)/$(ARM64)/root
ARM64_RUN  := $(CURDIR)/$(ARM64)/qemu/usr/bin/qemu-aarch64 -L $(ARM64_ROOT)
ARM64_CXX  := aarch64-linux-gnu-g++ --sysroot=$(ARM64_ROOT)
ARM64_MAKE  = PKG_CONFIG_SYSROOT_DIR=$(ARM64_ROOT) PKG_CONFIG_LIBDIR=$(ARM64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig \
	$(MAKE) --no-print-directory MACHINE=aarch64 B=$(ARM64) CUDAC=$(CUDAC) WHO=reference LAB=2 \
	CC="aarch64-linux-gnu-gcc --sysroot=$(ARM64_ROOT)" CXX="$(ARM64_CXX)"

# ARM64_SAMPLE=1, for quick runs: the findings and programs that depend on the machine (signals, registers, stacks,
# pages, addresses), and one of each other check.
ARM64_SAMPLE   ?=
ARM64_FINDINGS := division_by_zero trap_in_kernel stack_overflow recursion_on_the_host endless_loop_without_memory \
	out_of_bounds_write wild_index misaligned_vector local_array_overrun uninitialized_shared race_one_of_many_readers \
	barrier_in_both_branches clean_memory_of_all_kinds clean_sampled numbers host_arrays
ARM64_PROGRAMS := intrinsics warp_primitives atomics scan_lookback half_storage constant_tables
ifeq ($(strip $(ARM64_SAMPLE)),)
ARM64_FINDINGS := $(notdir $(FINDINGS))
ARM64_PROGRAMS := $(PROGRAMS) $(PROGRAMS_FAULTY)
endif
# The runner is unchanged except for the kernel's filter, which an emulator lacks; check_filter reads that.
ARM64_RUNTIME  := check_runtime check_runtime_device check_rank
ARM64_SUITES   := bin/check_signature bin/check_filter $(METER_TESTS:%=meters/%)

.PHONY: check-arm64 arm64-objects
check-arm64: setup $(CUDAC) ## build the CPU device for arm64, and run tests of it in an emulator
	@simt/tests/arm64/setup $(ARM64)
	+@$(ARM64_MAKE) arm64-objects
	@RUN="$(ARM64_RUN)" PYTHON=$(PYTHON) CXX="$(ARM64_CXX)" simt/tests/arm64/check $(ARM64) \
	    $(ARM64_FINDINGS) -- $(ARM64_PROGRAMS) -- $(ARM64_RUNTIME) -- $(ARM64_SUITES)

# The targets of the make for arm64.
arm64-objects: $(ARM64_FINDINGS:%=$(B)/findings/%) $(ARM64_PROGRAMS:%=$(B)/programs/%) \
    $(ARM64_RUNTIME:%=$(B)/bin/%) $(ARM64_SUITES:%=$(B)/%) $(B)/bin/check_naive_scan $(B)/unfiltered/runner build-lab
	@:
$(B)/unfiltered/runner: $(B)/cpu/runner simt/tests/arm64/unfiltered.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -D__SIMT__ -Isimt/include -Isimt $(SUITE_INCLUDE) $(call RUNNER_OF,simt) simt/tests/arm64/unfiltered.c \
	    -Wl,--wrap=seccomp_load $(STOCK_CPU_O) $(SIMT_LINK) $(SECCOMP) -o $@
