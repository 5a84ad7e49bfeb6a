/* check_runtime.c: the runtime API from C: which error each wrong call returns, as a GPU returned it (CUDA 13.0),
 * which finding it leaves, and that right calls do their work. Symbols and kernels are in findings/ and programs/. */
#include "../include/cuda_runtime.h"
#include "../simt.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- findings are counted, not printed ----------------------------------------------------------------------- */

static struct simt_finding last_finding;
static unsigned findings, warnings;

static void take(const struct simt_finding *finding, void *context)
{
    (void)context;
    last_finding = *finding;
    if (finding->warning)
        warnings++;
    else
        findings++;
}

static void begin(void)
{
    simt_set_finding_sink(take, NULL);
    simt_begin_run();
    cudaDeviceReset();
    findings = warnings = 0;
    memset(&last_finding, 0, sizeof last_finding);
}

/* The call returned `expected`, made it the last error, and left one finding with these words, or none when the
 * call is right. */
static void expect_result(const char *call, cudaError_t got, cudaError_t expected, const char *words)
{
    ck_assert_msg(got == expected, "%s returns %s, not %s", call, cudaGetErrorName(got),
                  cudaGetErrorName(expected));
    cudaError_t last = cudaGetLastError();
    ck_assert_msg(last == expected, "after %s the last error is %s", call, cudaGetErrorName(last));
    ck_assert_msg(cudaGetLastError() == cudaSuccess, "the last error of %s stays", call);
    ck_assert_msg(findings == (words != NULL), "%s leaves %u findings", call, findings);
    if (words)
        ck_assert_msg(strstr(last_finding.title, words) != NULL, "%s says \"%s\", without \"%s\"", call,
                      last_finding.title, words);
    findings = 0;
    simt_begin_run();
}

#define RIGHT(call)               expect_result(#call, call, cudaSuccess, NULL)
#define WRONG(error, words, call) expect_result(#call, call, error, words)

static void *device(size_t bytes)
{
    void *pointer = NULL;
    ck_assert_int_eq(cudaMalloc(&pointer, bytes), cudaSuccess);
    return pointer;
}

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

/* Pages are closed many at once, whatever the order in which their arrays were freed. */
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
    RIGHT(cudaFree(device(2 << 20))); /* enough to close what is still open */
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

/* What a GPU answered for host memory of malloc and memory of cudaMalloc, and whether we warn of a direction that
 * is wrong and works. */
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
            ck_assert_msg(strstr(last_finding.title, "host memory, and cudaMemcpy") != NULL, "%s",
                          last_finding.title);
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
    ck_assert(strstr(last_finding.title, "share 14 bytes") != NULL);
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
    char *heap = malloc(100), *p = device(100);
    WRONG(cudaErrorInvalidValue, "host memory", cudaHostGetDevicePointer(&seen, heap, 0));
    RIGHT(cudaHostRegister(heap, 100, cudaHostRegisterDefault));
    RIGHT(cudaHostGetDevicePointer(&seen, heap, 0));
    ck_assert_ptr_eq(seen, heap);
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

/* ---- streams and events --------------------------------------------------------------------------------------------- */

static void add_one(void *data)
{
    ++*(int *)data;
}

static void add_ten(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    *(int *)data += status == cudaSuccess ? 10 : 1000;
}

START_TEST(streams_are_checked)
{
    cudaStream_t s, t, never = (cudaStream_t)&findings;
    unsigned flags;
    int priority, least, greatest, called = 0;
    RIGHT(cudaStreamCreate(&s));
    RIGHT(cudaStreamQuery(s));
    RIGHT(cudaStreamSynchronize(s));
    RIGHT(cudaStreamSynchronize(NULL));
    RIGHT(cudaStreamSynchronize(cudaStreamLegacy));
    RIGHT(cudaStreamSynchronize(cudaStreamPerThread));
    RIGHT(cudaLaunchHostFunc(s, add_one, &called));
    RIGHT(cudaStreamAddCallback(s, add_ten, &called, 0));
    ck_assert_int_eq(called, 11);
    WRONG(cudaErrorInvalidValue, "fn is null", cudaLaunchHostFunc(s, NULL, NULL));
    RIGHT(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    RIGHT(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -100));
    RIGHT(cudaStreamGetPriority(t, &priority));
    ck_assert_int_eq(priority, greatest);
    RIGHT(cudaStreamGetFlags(t, &flags));
    ck_assert_uint_eq(flags, cudaStreamNonBlocking);
    RIGHT(cudaStreamDestroy(s));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaStreamDestroy(s));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaMemsetAsync(device(4), 0, 4, s));
    WRONG(cudaErrorInvalidResourceHandle, "this is no stream", cudaStreamQuery(never));
    WRONG(cudaErrorInvalidResourceHandle, "default stream", cudaStreamDestroy(NULL));
    WRONG(cudaErrorInvalidValue, "pStream is null", cudaStreamCreate(NULL));
    WRONG(cudaErrorInvalidValue, "flags is 9", cudaStreamCreateWithFlags(&s, 9));
}
END_TEST

START_TEST(events_are_checked)
{
    cudaEvent_t a, b, untimed;
    float ms = -1;
    RIGHT(cudaEventCreate(&a));
    RIGHT(cudaEventCreate(&b));
    WRONG(cudaErrorInvalidResourceHandle, "start was never recorded", cudaEventElapsedTime(&ms, a, b));
    RIGHT(cudaEventQuery(a));
    RIGHT(cudaEventSynchronize(a));
    RIGHT(cudaEventRecord(a, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "end was never recorded", cudaEventElapsedTime(&ms, a, b));
    RIGHT(cudaEventRecord(b, NULL));
    RIGHT(cudaEventElapsedTime(&ms, a, b));
    ck_assert_float_ge(ms, 0);
    RIGHT(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    RIGHT(cudaEventRecord(untimed, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "cudaEventDisableTiming", cudaEventElapsedTime(&ms, a, untimed));
    WRONG(cudaErrorInvalidValue, "ms is null", cudaEventElapsedTime(NULL, a, a));
    WRONG(cudaErrorInvalidResourceHandle, "start is no event", cudaEventElapsedTime(&ms, NULL, a));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaEventRecord(NULL, NULL));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaEventSynchronize(NULL));
    WRONG(cudaErrorInvalidResourceHandle, "event is no event", cudaStreamWaitEvent(NULL, NULL, 0));
    RIGHT(cudaStreamWaitEvent(NULL, a, 0));
    RIGHT(cudaEventDestroy(a));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaEventDestroy(a));
    WRONG(cudaErrorInvalidValue, "event is null", cudaEventCreate(NULL));
    WRONG(cudaErrorInvalidValue, "flags is 99", cudaEventCreateWithFlags(&b, 99));
}
END_TEST

/* ---- the device ------------------------------------------------------------------------------------------------------- */

START_TEST(there_is_one_device)
{
    int value = -1;
    struct cudaDeviceProp prop;
    RIGHT(cudaGetDeviceCount(&value));
    ck_assert_int_eq(value, 1);
    RIGHT(cudaGetDevice(&value));
    ck_assert_int_eq(value, 0);
    RIGHT(cudaSetDevice(0));
    WRONG(cudaErrorInvalidDevice, "no device 99", cudaSetDevice(99));
    WRONG(cudaErrorInvalidDevice, "no device -1", cudaSetDevice(-1));
    WRONG(cudaErrorInvalidDevice, "no device 99", cudaGetDeviceProperties(&prop, 99));
    WRONG(cudaErrorInvalidValue, "prop is null", cudaGetDeviceProperties(NULL, 0));
    WRONG(cudaErrorInvalidValue, "count is null", cudaGetDeviceCount(NULL));
    WRONG(cudaErrorInvalidValue, "no attribute 9999",
          cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    WRONG(cudaErrorInvalidDevice, "no device 9", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9));
    RIGHT(cudaDriverGetVersion(&value));
    ck_assert_int_eq(value, CUDART_VERSION);
    RIGHT(cudaRuntimeGetVersion(&value));
    ck_assert_int_eq(value, CUDART_VERSION);
}
END_TEST

START_TEST(properties_and_attributes_agree)
{
    struct cudaDeviceProp p;
    RIGHT(cudaGetDeviceProperties(&p, 0));
    ck_assert_str_eq(p.name, "Scan Labs CPU device");
    const struct {
        enum cudaDeviceAttr attribute;
        size_t property;
    } rows[] = {
        {cudaDevAttrWarpSize, (size_t)p.warpSize},
        {cudaDevAttrMaxThreadsPerBlock, (size_t)p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, (size_t)p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimZ, (size_t)p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, (size_t)p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, (size_t)p.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, p.totalConstMem},
        {cudaDevAttrMaxRegistersPerBlock, (size_t)p.regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (size_t)p.regsPerMultiprocessor},
        {cudaDevAttrMultiProcessorCount, (size_t)p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p.maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p.maxBlocksPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, (size_t)p.major},
        {cudaDevAttrComputeCapabilityMinor, (size_t)p.minor},
        {cudaDevAttrL2CacheSize, (size_t)p.l2CacheSize},
        {cudaDevAttrCooperativeLaunch, (size_t)p.cooperativeLaunch},
        {cudaDevAttrManagedMemory, (size_t)p.managedMemory},
        {cudaDevAttrGlobalMemoryBusWidth, (size_t)p.memoryBusWidth},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int value = -1;
        RIGHT(cudaDeviceGetAttribute(&value, rows[i].attribute, 0));
        ck_assert_msg((size_t)value == rows[i].property, "attribute %d", rows[i].attribute);
    }
}
END_TEST

START_TEST(limits_are_kept)
{
    size_t value;
    RIGHT(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 16));
    RIGHT(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    ck_assert_uint_eq(value, 1 << 16);
    RIGHT(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    RIGHT(cudaDeviceSetLimit(cudaLimitStackSize, value));
    WRONG(cudaErrorMemoryAllocation, "stack", cudaDeviceSetLimit(cudaLimitStackSize, value + 1));
    WRONG(cudaErrorInvalidValue, "no limit 77", cudaDeviceSetLimit((enum cudaLimit)77, 1));
    WRONG(cudaErrorInvalidValue, "no limit 77", cudaDeviceGetLimit(&value, (enum cudaLimit)77));
}
END_TEST

START_TEST(what_is_no_kernel_is_refused)
{
    int blocks;
    struct cudaFuncAttributes attributes;
    const void *function = (const void *)add_one;
    WRONG(cudaErrorInvalidDeviceFunction, "func is null", cudaFuncGetAttributes(&attributes, NULL));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel", cudaFuncGetAttributes(&attributes, function));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel",
          cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    WRONG(cudaErrorInvalidDeviceFunction, "no kernel",
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
    WRONG(cudaErrorInvalidValue, "numBlocks is null",
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, function, 32, 0));
    WRONG(cudaErrorInvalidSymbol, "no __device__",
          cudaMemcpyToSymbol(&blocks, &attributes, 4, 0, cudaMemcpyHostToDevice));
}
END_TEST

START_TEST(reset_takes_everything_away)
{
    cudaStream_t s;
    void *p = device(8);
    char host[8];
    RIGHT(cudaStreamCreate(&s));
    RIGHT(cudaDeviceReset());
    WRONG(cudaErrorInvalidValue, "already freed", cudaMemcpy(host, p, 8, cudaMemcpyDeviceToHost));
    WRONG(cudaErrorInvalidResourceHandle, "already destroyed", cudaStreamDestroy(s));
    p = device(8);
    RIGHT(cudaFree(p));
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        names_and_strings_are_the_real_ones,
        last_error_stays_until_it_is_taken,
        allocation_is_checked,
        allocations_have_cudas_alignment_and_are_junk,
        free_takes_what_the_allocation_gave,
        memory_in_use_is_told,
        freed_memory_is_closed_and_no_other,
        pitch_is_a_multiple_that_holds_the_row,
        directions_are_checked_as_a_gpu_does,
        copies_stay_within_the_allocation,
        copies_of_null_or_nothing,
        overlap_is_a_finding_and_copies_all_the_same,
        rectangles_are_copied_row_by_row,
        fills_are_checked,
        pointers_tell_what_they_point_to,
        registered_memory_is_on_both_sides,
        advice_is_for_managed_memory,
        streams_are_checked,
        events_are_checked,
        there_is_one_device,
        properties_and_attributes_agree,
        limits_are_kept,
        what_is_no_kernel_is_refused,
        reset_takes_everything_away,
    };
    Suite *suite = suite_create("runtime");
    TCase *tcase = tcase_create("api");
    tcase_add_checked_fixture(tcase, begin, NULL);
    suite_add_tcase(suite, tcase);
    for (size_t i = 0; i < COUNT(tests); i++)
        tcase_add_test(tcase, tests[i]);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
