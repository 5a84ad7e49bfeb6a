/* Threads that come late to a line: a race that is right in the usual orders gives a wrong result, and a clean twin, in which a
 * barrier or a fence orders the two accesses, does not. */
#include "closing.h"
#include "simt.h"
#include <stdio.h>

enum { THREADS = 8 };
static int passed, failed;
static int *out;    /* managed */
static int *passes; /* device memory */
static unsigned *flags;

static void expect(const char *test, int got, int wanted)
{
    passed += got == wanted;
    failed += got != wanted;
    if (got != wanted)
        printf("not ok: %s: %d, expected %d\n", test, got, wanted);
}

/* ---- a missing barrier ------------------------------------------------------------------------------------------- */

static const int WRITES = __LINE__ + 5, READS = __LINE__ + 8;
template <bool waits> __global__ void pass_on(int *result)
{
    __shared__ int box[THREADS];
    const int t = threadIdx.x;
    box[t] = t + 1;
    if (waits)
        __syncthreads();
    int before = t > 0 ? box[t - 1] : 0;
    result[t] = before;
}

template <bool waits> static int passed_to(unsigned thread, simt_late late)
{
    simt_set_late(&late);
    pass_on<waits><<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    return out[thread];
}

static simt_late thread_late(int line, uint32_t thread)
{
    return {line, false, true, true, {thread, 0, 0}, {0, 0, 0}};
}

static void a_late_write_is_not_read(void)
{
    expect(__func__, passed_to<false>(4, {}), 4);
    expect(__func__, passed_to<false>(4, thread_late(WRITES, 3)) == 4, false);
    expect(__func__, passed_to<false>(5, thread_late(WRITES, 3)), 5); /* the others are in time */
    expect(__func__, passed_to<false>(3, thread_late(WRITES, 3)), 3);
    expect(__func__, passed_to<true>(4, thread_late(WRITES, 3)), 4);
}

static void a_late_read_is_in_time_for_all_writes(void)
{
    const simt_schedule reverse = {SIMT_REVERSE, 0, 16, 0}, forward = {SIMT_FORWARD, 0, 16, 0};
    simt_set_schedule(&reverse);
    expect(__func__, passed_to<false>(4, {}) == 4, false);
    expect(__func__, passed_to<false>(4, thread_late(READS, 4)), 4);
    expect(__func__, passed_to<false>(4, {READS, false, false, false, {}, {}}), 4); /* all threads */
    simt_set_schedule(&forward);
}

/* ---- a missing fence --------------------------------------------------------------------------------------------- */

static const int PUBLISHES = __LINE__ + 6;
enum fence { NONE, OF_BLOCK, OF_DEVICE };
template <fence kind, bool reads_back>
__global__ void hand_over(int *value, volatile unsigned *flag, int *result)
{
    if (blockIdx.x == 0) {
        value[0] = 42;
        if (kind == OF_BLOCK)
            __threadfence_block();
        if (kind == OF_DEVICE)
            __threadfence();
        result[0] = reads_back ? *(volatile int *)value : 0;
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        result[1] = value[0];
    }
}

template <fence kind, bool reads_back = false> static int handed_over(simt_late late)
{
    cudaMemset(flags, 0, sizeof *flags);
    cudaMemset(passes, 0, sizeof *passes);
    simt_set_late(&late);
    hand_over<kind, reads_back><<<2, 1>>>(passes, flags, out);
    cudaDeviceSynchronize();
    return out[1];
}

static void a_late_store_arrives_after_the_flag(void)
{
    const simt_late stores = {PUBLISHES, true, true, true, {}, {}};
    expect(__func__, handed_over<NONE>({}), 42);
    expect(__func__, handed_over<NONE>(stores), 0);
    expect(__func__, handed_over<OF_BLOCK>(stores), 0);
    expect(__func__, handed_over<OF_DEVICE>(stores), 42);
    const int read_by_others = handed_over<NONE, true>(stores);
    expect(__func__, out[0], 42); /* the block itself sees its store, and then the others do, too */
    expect(__func__, read_by_others, 42);
    int after = 0;
    handed_over<NONE>(stores);
    cudaMemcpy(&after, passes, sizeof after, cudaMemcpyDeviceToHost);
    expect(__func__, after, 42); /* it arrives before the launch ends */
}

/* ---- others wait in vain ----------------------------------------------------------------------------------------- */

static const int SETS = __LINE__ + 4;
__global__ void wait_for_the_other(volatile unsigned *flag, int *result)
{
    if (blockIdx.x == 0)
        *flag = 7;
    else
        while (*flag == 0)
            ;
    result[blockIdx.x] = 1;
}

static void a_late_thread_goes_on_when_the_others_only_wait(void)
{
    const simt_late late = thread_late(SETS, 0);
    cudaMemset(flags, 0, sizeof *flags);
    out[0] = out[1] = 0;
    simt_set_late(&late);
    wait_for_the_other<<<2, 1>>>(flags, out);
    expect(__func__, cudaDeviceSynchronize(), cudaSuccess);
    expect(__func__, out[0] + out[1], 2);
}

int main()
{
    cudaMallocManaged(&out, THREADS * sizeof *out);
    cudaMalloc(&passes, sizeof *passes);
    cudaMalloc(&flags, sizeof *flags);
    simt_check(false);
    a_late_write_is_not_read();
    a_late_read_is_in_time_for_all_writes();
    a_late_store_arrives_after_the_flag();
    a_late_thread_goes_on_when_the_others_only_wait();
    cudaFree(out);
    cudaFree(passes);
    cudaFree(flags);
    return closing_line("late threads", passed, failed);
}
