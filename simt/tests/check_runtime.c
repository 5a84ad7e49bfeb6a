/* check_runtime.c: the runtime API from C: the error that each wrong call returns, as a GPU returned it (CUDA 13.0),
 * the finding that it makes, and that right calls work. This file has errors and memory, check_runtime_device.c
 * streams, events and the device. Symbols and kernels are in findings/ and programs/. */
#include "check_runtime.h"

#include <errno.h>
#include <unistd.h>

/* ---- errors ---------------------------------------------------------------------------------------------------- */

START_TEST(names_and_strings_are_the_real_ones)
{
    static const struct {
        int number;
        const char *name, *string;
    } rows[] = {
        {0, "cudaSuccess", "no error"},
        {1, "cudaErrorInvalidValue", "invalid argument"},
        {2, "cudaErrorMemoryAllocation", "out of memory"},
        {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
        {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
        {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
        {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
        {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
        {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
        {600, "cudaErrorNotReady", "device not ready"},
        {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
        {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
        {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
        {710, "cudaErrorAssert", "device-side assert triggered"},
        {716, "cudaErrorMisalignedAddress", "misaligned address"},
        {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
        {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
        {801, "cudaErrorNotSupported", "operation not supported"},
        {999, "cudaErrorUnknown", "unknown error"},
        {12345, "unrecognized error code", "unrecognized error code"},
        {-1, "unrecognized error code", "unrecognized error code"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert_str_eq(cudaGetErrorName((cudaError_t)rows[i].number), rows[i].name);
        ck_assert_str_eq(cudaGetErrorString((cudaError_t)rows[i].number), rows[i].string);
    }
}
END_TEST

START_TEST(last_error_stays_until_it_is_taken)
{
    cudaFree((void *)&findings);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}
END_TEST

/* ---- allocation -------------------------------------------------------------------------------------------------- */

START_TEST(allocation_is_checked)
{
    void *p = &findings;
    RIGHT(cudaMalloc(&p, 0));
    ck_assert_ptr_null(p);
    p = &findings;
    WRONG(cudaErrorInvalidValue, "devPtr is null", cudaMalloc(NULL, 4));
    WRONG(cudaErrorMemoryAllocation, "bytes are wanted", cudaMalloc(&p, (size_t)1 << 50));
    ck_assert_ptr_null(p);
    WRONG(cudaErrorMemoryAllocation, "-8 bytes", cudaMalloc(&p, (size_t)-8));
    RIGHT(cudaMallocHost(&p, 0));
    ck_assert_ptr_null(p);
    RIGHT(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
    WRONG(cudaErrorInvalidValue, "flags is 99", cudaMallocManaged(&p, 8, 99));
    WRONG(cudaErrorInvalidValue, "flags is 77", cudaHostAlloc(&p, 8, 77));
}
END_TEST

START_TEST(allocations_have_cudas_alignment_and_are_junk)
{
    for (size_t bytes = 1; bytes < 2000; bytes += 333) {
        unsigned char *p = device(bytes), *copy = malloc(bytes);
        ck_assert_uint_eq((uintptr_t)p % 256, 0);
        RIGHT(cudaMemcpy(copy, p, bytes, cudaMemcpyDeviceToHost));
        ck_assert_uint_ne(copy[bytes - 1], 0);
        free(copy);
        RIGHT(cudaFree(p));
    }
}
END_TEST

START_TEST(free_takes_what_the_allocation_gave)
{
    int on_stack;
    void *p = device(100), *pinned, *heap = malloc(10);
    RIGHT(cudaFree(NULL));
    WRONG(cudaErrorInvalidValue, "4 bytes past the start", cudaFree((char *)p + 4));
    RIGHT(cudaFree(p));
    WRONG(cudaErrorInvalidValue, "already freed", cudaFree(p));
    ck_assert_int_eq(last_finding.kind, SIMT_USE_AFTER_FREE);
    WRONG(cudaErrorInvalidValue, "host memory", cudaFree(&on_stack));
    WRONG(cudaErrorInvalidValue, "host memory", cudaFree(heap));
    RIGHT(cudaMallocHost(&pinned, 100));
    WRONG(cudaErrorInvalidValue, "pinned host memory", cudaFree(pinned));
    RIGHT(cudaFreeHost(pinned));
    WRONG(cudaErrorInvalidValue, "already freed", cudaFreeHost(pinned));
    RIGHT(cudaFreeHost(NULL));
    p = device(10);
    WRONG(cudaErrorInvalidValue, "device memory", cudaFreeHost(p));
    RIGHT(cudaFreeAsync(p, NULL));
    WRONG(cudaErrorInvalidValue, "already freed", cudaFreeAsync(p, NULL));
    free(heap);
}
END_TEST

START_TEST(memory_in_use_is_told)
{
    size_t before, after, total;
    RIGHT(cudaMemGetInfo(&before, &total));
    void *p = device(1 << 20);
    RIGHT(cudaMemGetInfo(&after, NULL));
    ck_assert_uint_eq(before - after, 1 << 20);
    RIGHT(cudaFree(p));
    RIGHT(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(before, after);
    ck_assert_uint_ge(total, before);
}
END_TEST

/* Many pages are closed at once, whatever the order in which their arrays were freed. */
START_TEST(freed_memory_is_closed_and_no_other)
{
    enum { ARRAYS = 200, KEPT = 77 };
    char *arrays[ARRAYS];
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    for (int i = 0; i < ARRAYS; i++)
        arrays[i] = device(5000);
    ck_assert_int_eq(write(ends[1], arrays[0], 1), 1);
    for (int i = 0; i < ARRAYS; i++) {
        int number = i * 67 % ARRAYS; /* each once */
        if (number != KEPT)
            RIGHT(cudaFree(arrays[number]));
    }
    RIGHT(cudaFree(device(32 << 20))); /* enough to close what is still open, where pages are large, too */
    for (int i = 0; i < ARRAYS; i++) {
        errno = 0;
        ck_assert_int_eq(write(ends[1], arrays[i], 1), i == KEPT ? 1 : -1);
        ck_assert_int_eq(errno, i == KEPT ? 0 : EFAULT);
    }
    RIGHT(cudaFree(arrays[KEPT]));
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(pitch_is_a_multiple_that_holds_the_row)
{
    void *p;
    size_t pitch;
    RIGHT(cudaMallocPitch(&p, &pitch, 100, 10));
    ck_assert_uint_eq(pitch, 512);
    RIGHT(cudaMallocPitch(&p, &pitch, 513, 10));
    ck_assert_uint_eq(pitch, 1024);
    RIGHT(cudaMallocPitch(&p, &pitch, 0, 10));
    ck_assert_uint_eq(pitch, 0);
    WRONG(cudaErrorInvalidValue, "pitch is null", cudaMallocPitch(&p, NULL, 4, 4));
    WRONG(cudaErrorInvalidValue, "rows of", cudaMallocPitch(&p, &pitch, (size_t)1 << 40, (size_t)1 << 40));
}
END_TEST

/* ---- copies -------------------------------------------------------------------------------------------------------- */

/* The errors of a GPU for memory of malloc and of cudaMalloc, and whether the device warns of a direction that is wrong
 * but works. */
START_TEST(directions_are_checked_as_a_gpu_does)
{
    enum { H, D };
    static const struct {
        enum cudaMemcpyKind kind;
        int to, from;
        cudaError_t error;
        unsigned warnings;
    } rows[] = {
        {cudaMemcpyHostToHost, H, H, cudaSuccess, 0},
        {cudaMemcpyHostToHost, H, D, cudaSuccess, 1},
        {cudaMemcpyHostToHost, D, H, cudaSuccess, 1},
        {cudaMemcpyHostToHost, D, D, cudaSuccess, 2},
        {cudaMemcpyHostToDevice, H, H, cudaErrorInvalidValue, 0},
        {cudaMemcpyHostToDevice, H, D, cudaErrorInvalidValue, 0},
        {cudaMemcpyHostToDevice, D, H, cudaSuccess, 0},
        {cudaMemcpyHostToDevice, D, D, cudaSuccess, 1},
        {cudaMemcpyDeviceToHost, H, H, cudaErrorInvalidValue, 0},
        {cudaMemcpyDeviceToHost, H, D, cudaSuccess, 0},
        {cudaMemcpyDeviceToHost, D, H, cudaErrorInvalidValue, 0},
        {cudaMemcpyDeviceToHost, D, D, cudaSuccess, 1},
        {cudaMemcpyDeviceToDevice, H, H, cudaErrorInvalidValue, 0},
        {cudaMemcpyDeviceToDevice, H, D, cudaErrorInvalidValue, 0},
        {cudaMemcpyDeviceToDevice, D, H, cudaErrorInvalidValue, 0},
        {cudaMemcpyDeviceToDevice, D, D, cudaSuccess, 0},
        {cudaMemcpyDefault, H, H, cudaSuccess, 0},
        {cudaMemcpyDefault, H, D, cudaSuccess, 0},
        {cudaMemcpyDefault, D, H, cudaSuccess, 0},
        {cudaMemcpyDefault, D, D, cudaSuccess, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char a[64] = "to", b[64] = "what was sent", back[64];
        void *to = rows[i].to == D ? device(64) : a, *from = rows[i].from == D ? device(64) : b;
        RIGHT(cudaMemcpy(from, b, 64, cudaMemcpyDefault));
        warnings = 0;
        cudaError_t error = cudaMemcpy(to, from, 64, rows[i].kind);
        ck_assert_msg(error == rows[i].error, "row %zu: %s", i, cudaGetErrorName(error));
        ck_assert_msg(warnings == rows[i].warnings, "row %zu: %u warnings", i, warnings);
        ck_assert_msg(findings == (error != cudaSuccess), "row %zu: %u findings", i, findings);
        if (error) {
            ck_assert_msg(strstr(last_words.title, "host memory, and cudaMemcpy") != NULL, "%s",
                          last_words.title);
        } else {
            ck_assert_int_eq(cudaMemcpy(back, to, 64, cudaMemcpyDefault), cudaSuccess);
            ck_assert_str_eq(back, "what was sent");
        }
        findings = 0;
        cudaGetLastError();
        simt_begin_run();
    }
}
END_TEST

START_TEST(copies_stay_within_the_allocation)
{
    char *p = device(256), *host = calloc(1, 4096);
    RIGHT(cudaMemcpy(p, host, 256, cudaMemcpyHostToDevice));
    WRONG(cudaErrorInvalidValue, "dst has 256 bytes left, and 257",
          cudaMemcpy(p, host, 257, cudaMemcpyHostToDevice));
    ck_assert_int_eq(last_finding.kind, SIMT_OUT_OF_BOUNDS);
    WRONG(cudaErrorInvalidValue, "src has 256 bytes left", cudaMemcpy(host, p, 257, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidValue, "src has 6 bytes left",
          cudaMemcpy(host, p + 250, 7, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidValue, "src has 0 bytes left",
          cudaMemcpy(host, p + 256, 1, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidValue, "bytes left", cudaMemcpy(host, p, (size_t)1 << 40, cudaMemcpyDeviceToHost));
    RIGHT(cudaFree(p));
    WRONG(cudaErrorInvalidValue, "src is memory that is already freed",
          cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(last_finding.kind, SIMT_USE_AFTER_FREE);
    free(host);
}
END_TEST

START_TEST(copies_of_null_or_nothing)
{
    char *p = device(256), host[8];
    RIGHT(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDeviceToHost));
    RIGHT(cudaMemcpy(host, p, 0, (enum cudaMemcpyKind)7));
    WRONG(cudaErrorInvalidValue, "dst is null", cudaMemcpy(NULL, p, 4, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidValue, "src is null", cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice));
    WRONG(cudaErrorInvalidValue, "src is computed from a null pointer",
          cudaMemcpy(host, (char *)-4, 4, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidMemcpyDirection, "no direction 7", cudaMemcpy(host, p, 4, (enum cudaMemcpyKind)7));
    WRONG(cudaErrorInvalidValue, "host memory", cudaMemcpyAsync(host, p, 4, cudaMemcpyHostToDevice, NULL));
}
END_TEST

START_TEST(overlap_is_a_finding_and_copies_all_the_same)
{
    char *p = device(16), host[17] = "abcdefghijklmnop";
    RIGHT(cudaMemcpy(p, host, 16, cudaMemcpyHostToDevice));
    ck_assert_int_eq(cudaMemcpy(p + 1, p, 15, cudaMemcpyDeviceToDevice), cudaSuccess);
    ck_assert_uint_eq(findings, 1);
    ck_assert(strstr(last_words.title, "share 14 bytes") != NULL);
    findings = 0;
    RIGHT(cudaMemcpy(p, p, 16, cudaMemcpyDeviceToDevice));
    RIGHT(cudaMemcpy(host, p, 16, cudaMemcpyDeviceToHost));
    ck_assert_str_eq(host, "aabcdefghijklmno");
}
END_TEST

START_TEST(rectangles_are_copied_row_by_row)
{
    char *p = device(4 * 8), host[12] = "abcdefghijk", back[12] = "...........";
    RIGHT(cudaMemset(p, '-', 32));
    RIGHT(cudaMemcpy2D(p + 1, 8, host, 3, 3, 4, cudaMemcpyHostToDevice));
    char all[33] = "";
    RIGHT(cudaMemcpy(all, p, 32, cudaMemcpyDeviceToHost));
    ck_assert_str_eq(all, "-abc-----def-----ghi-----jk");
    RIGHT(cudaMemcpy2D(back, 4, p + 1, 8, 2, 3, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(memcmp(back, "ab..de..gh.", 11), 0);
    RIGHT(cudaMemset2D(p, 8, '+', 2, 3));
    RIGHT(cudaMemcpy(all, p, 32, cudaMemcpyDeviceToHost));
    ck_assert_str_eq(all, "++bc----++ef----++hi-----jk");

    WRONG(cudaErrorInvalidPitchValue, "wider than dpitch",
          cudaMemcpy2D(p, 4, host, 8, 6, 2, cudaMemcpyHostToDevice));
    WRONG(cudaErrorInvalidPitchValue, "wider than spitch",
          cudaMemcpy2D(p, 8, host, 4, 6, 2, cudaMemcpyHostToDevice));
    RIGHT(cudaMemcpy2D(p, 4, host, 8, 6, 0, cudaMemcpyHostToDevice));
    WRONG(cudaErrorInvalidValue, "dst has 32 bytes left, and 39",
          cudaMemcpy2D(p, 12, host, 3, 3, 4, cudaMemcpyHostToDevice));
    WRONG(cudaErrorInvalidValue, "null", cudaMemset2D(NULL, 4, 0, 8, 2));
    WRONG(cudaErrorInvalidPitchValue, "wider than pitch", cudaMemset2D(p, 4, 0, 8, 2));
}
END_TEST

START_TEST(fills_are_checked)
{
    char host[8], *p = device(256);
    RIGHT(cudaMemset(NULL, 0, 0));
    WRONG(cudaErrorInvalidValue, "devPtr is null", cudaMemset(NULL, 0, 4));
    WRONG(cudaErrorInvalidValue, "devPtr is host memory", cudaMemset(host, 0, 4));
    WRONG(cudaErrorInvalidValue, "256 bytes left, and 257", cudaMemset(p, 0, 257));
    RIGHT(cudaMemset(p, -1, 256));
    RIGHT(cudaMemcpy(host, p + 248, 8, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(memcmp(host, "\xff\xff\xff\xff\xff\xff\xff\xff", 8), 0);
    ck_assert_int_eq(cudaMemsetAsync(p, 1000, 4, NULL), cudaSuccess);
    ck_assert_uint_eq(warnings, 1);
}
END_TEST

/* ---- pinned, registered and managed memory --------------------------------------------------------------------------- */

START_TEST(pointers_tell_what_they_point_to)
{
    struct cudaPointerAttributes a;
    int on_stack;
    void *p = device(8), *pinned, *managed, *heap = malloc(8);
    RIGHT(cudaMallocHost(&pinned, 8));
    RIGHT(cudaMallocManaged(&managed, 8, cudaMemAttachGlobal));
    const struct {
        void *address;
        enum cudaMemoryType type;
        int device;
        bool on_device, on_host;
    } rows[] = {
        {&on_stack, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true},
        {heap, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, true},
        {NULL, cudaMemoryTypeUnregistered, cudaInvalidDeviceId, false, false},
        {p, cudaMemoryTypeDevice, 0, true, false},
        {(char *)p + 4, cudaMemoryTypeDevice, 0, true, false},
        {pinned, cudaMemoryTypeHost, 0, true, true},
        {managed, cudaMemoryTypeManaged, 0, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        RIGHT(cudaPointerGetAttributes(&a, rows[i].address));
        ck_assert_int_eq(a.type, rows[i].type);
        ck_assert_int_eq(a.device, rows[i].device);
        ck_assert_ptr_eq(a.devicePointer, rows[i].on_device ? rows[i].address : NULL);
        ck_assert_ptr_eq(a.hostPointer, rows[i].on_host ? rows[i].address : NULL);
    }
    RIGHT(cudaFree(p));
    RIGHT(cudaPointerGetAttributes(&a, p));
    ck_assert_int_eq(a.type, cudaMemoryTypeUnregistered);
    WRONG(cudaErrorInvalidValue, "attributes is null", cudaPointerGetAttributes(NULL, pinned));
    free(heap);
}
END_TEST

START_TEST(registered_memory_is_on_both_sides)
{
    void *seen;
    unsigned flags = 0;
    char *heap = malloc(100), *p = device(100);
    WRONG(cudaErrorInvalidValue, "host memory", cudaHostGetDevicePointer(&seen, heap, 0));
    RIGHT(cudaHostRegister(heap, 100, cudaHostRegisterDefault));
    RIGHT(cudaHostGetDevicePointer(&seen, heap, 0));
    ck_assert_ptr_eq(seen, heap);
    RIGHT(cudaHostGetFlags(&flags, heap));
    ck_assert_uint_eq(flags, cudaHostAllocMapped);
    WRONG(cudaErrorInvalidValue, "device memory", cudaHostGetFlags(&flags, p));
    WRONG(cudaErrorHostMemoryAlreadyRegistered, "already registered", cudaHostRegister(heap + 50, 10, 0));
    RIGHT(cudaMemset(heap, 3, 100));
    RIGHT(cudaMemcpy(p, heap, 100, cudaMemcpyDeviceToDevice));
    RIGHT(cudaHostUnregister(heap));
    WRONG(cudaErrorHostMemoryNotRegistered, "not registered", cudaHostUnregister(heap));
    WRONG(cudaErrorInvalidValue, "ptr is null", cudaHostRegister(NULL, 100, 0));
    WRONG(cudaErrorInvalidValue, "size is 0", cudaHostRegister(heap, 0, 0));
    WRONG(cudaErrorInvalidValue, "device memory", cudaHostRegister(p, 8, 0));
    WRONG(cudaErrorInvalidValue, "device memory", cudaHostUnregister(p));
    WRONG(cudaErrorInvalidValue, "devPtr is host memory", cudaMemset(heap, 3, 100));
    ck_assert_int_eq(heap[99], 3);
    free(heap);
}
END_TEST

START_TEST(advice_is_for_managed_memory)
{
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    void *managed, *p = device(8);
    RIGHT(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
    RIGHT(cudaMemPrefetchAsync(managed, 64, here, 0, NULL));
    RIGHT(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, here));
    WRONG(cudaErrorInvalidValue, "65 bytes", cudaMemPrefetchAsync(managed, 65, here, 0, NULL));
    WRONG(cudaErrorInvalidValue, "device memory", cudaMemPrefetchAsync(p, 8, here, 0, NULL));
}
END_TEST

int main(void)
{
    const struct test_case tests[] = {
        {"api", names_and_strings_are_the_real_ones},
        {"api", last_error_stays_until_it_is_taken},
        {"api", allocation_is_checked},
        {"api", allocations_have_cudas_alignment_and_are_junk},
        {"api", free_takes_what_the_allocation_gave},
        {"api", memory_in_use_is_told},
        {"api", freed_memory_is_closed_and_no_other},
        {"api", pitch_is_a_multiple_that_holds_the_row},
        {"api", directions_are_checked_as_a_gpu_does},
        {"api", copies_stay_within_the_allocation},
        {"api", copies_of_null_or_nothing},
        {"api", overlap_is_a_finding_and_copies_all_the_same},
        {"api", rectangles_are_copied_row_by_row},
        {"api", fills_are_checked},
        {"api", pointers_tell_what_they_point_to},
        {"api", registered_memory_is_on_both_sides},
        {"api", advice_is_for_managed_memory},
    };
    return run_cases("runtime", tests, COUNT(tests), begin);
}
