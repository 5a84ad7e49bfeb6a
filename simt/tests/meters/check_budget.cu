// The work that a call executes, and the budget that ends it. The compiler decides how many instructions a loop takes,
// so the tests compare counts.
#include "meters.h"

enum { N = 512 };
static const unsigned long long BUDGET = 1000000;
static int *out, *flag;

// Returns the work of a call and sets `ends` to whether the call returned.
static unsigned long long executed(void (*body)(void *), void *context, bool *ends)
{
    cudaDeviceReset();
    cudaMalloc(&out, N * sizeof *out);
    cudaMalloc(&flag, 4 * sizeof *flag);
    cudaMemset(flag, 0, 4 * sizeof *flag);
    simt_begin_run();
    *ends = simt_call(body, context);
    return simt_executed();
}

static unsigned long long work_of(void (*body)(void *), int n)
{
    bool ends;
    const auto work = executed(body, &n, &ends);
    expect("work_of", "call that comes back", ends, 1);
    return work;
}

__global__ void loop(int *to, unsigned n)
{
    unsigned x = threadIdx.x;
    for (unsigned i = 0; i != n; i++)
        x = (x ^ x >> 3) * 5;
    to[threadIdx.x] = (int)x;
}

static void launch(void *n)
{
    loop<<<1, 32>>>(out, *(int *)n);
    cudaDeviceSynchronize();
}

static void loop_on_the_host(void *n)
{
    unsigned x = 1;
    for (unsigned i = 0; i != *(unsigned *)n; i++)
        asm volatile("" : "+r"(x));
}

static void fill(void *n)
{
    cudaMemset(out, 0, *(int *)n);
}

static FILE *nowhere;

static void print(void *text)
{
    fputs((const char *)text, nowhere);
    fprintf(nowhere, "%s", (const char *)text);
    fputc(*(const char *)text, nowhere);
}

static void what_is_printed_counts_by_its_bytes()
{
    char none[] = "", much[1001];
    memset(much, 'x', 1000);
    much[1000] = 0;
    bool ends;
    nowhere = fopen("/dev/null", "w");
    const auto one = executed(print, none, &ends), more = executed(print, much, &ends);
    expect_within(__func__, "two thousand bytes", more - one, 2000 * 256, 2000 * 256 + 1000);
    fclose(nowhere);
}

static void kernels_and_host_code_count_by_what_they_execute()
{
    const auto one = work_of(launch, 1000), two = work_of(launch, 2000);
    expect_within(__func__, "a thousand turns of 32 threads", two - one, 32 * 3 * 1000, 32 * 12 * 1000);
    expect(__func__, "the same call again", work_of(launch, 1000), one);
    const auto less = work_of(loop_on_the_host, 1000), more = work_of(loop_on_the_host, 2000);
    expect_within(__func__, "a thousand turns on the host", more - less, 1000, 12 * 1000);
    expect(__func__, "bytes that are filled", work_of(fill, 1616) - work_of(fill, 16), 100);
}

static void create_streams_and_events(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
        cudaStream_t stream;
        cudaEvent_t event;
        cudaStreamCreate(&stream);
        cudaEventCreate(&event);
        cudaEventDestroy(event);
        cudaStreamDestroy(stream);
    }
    cudaDeviceSynchronize();
}

static void allocate(void *bytes)
{
    void *array;
    cudaMalloc(&array, *(int *)bytes);
    cudaFree(array);
}

// Earlier calls in the same process do not make a call's work more.
static void what_the_device_makes_counts()
{
    const auto one = work_of(create_streams_and_events, 1), two = work_of(create_streams_and_events, 2);
    expect_within(__func__, "a stream and an event", two - one, 2 * 4096, 2 * 4096 + 1000);
    expect(__func__, "the same call again", work_of(create_streams_and_events, 2), two);
    expect_within(__func__, "an array of one byte", work_of(allocate, 1), 4096, 4 * 4096);
}

static void call_with_shared(void *bytes)
{
    loop<<<8, 1, *(int *)bytes>>>(out, 0);
}

static void shared_memory_counts_for_each_block()
{
    expect(__func__, "of 8 blocks", work_of(call_with_shared, 1616) - work_of(call_with_shared, 16), 800);
}

// Block 1 waits until block 0 has made n changes.
__global__ void wait_for_a_flag(volatile int *flag, int n)
{
    if (blockIdx.x == 1) {
        while (*flag == 0) {
        }
        return;
    }
    for (int i = 0; i < n; i++)
        flag[1] = i;
    *flag = 1;
}

static void launch_worker(void *n)
{
    wait_for_a_flag<<<1, 1>>>(flag, *(int *)n);
}

static void launch_worker_and_waiter(void *n)
{
    wait_for_a_flag<<<2, 1>>>(flag, *(int *)n);
}

static void waiting_is_free_while_another_thread_works()
{
    for (int n : {10, 10000}) {
        const auto alone = work_of(launch_worker, n);
        expect_within(__func__, "of both", work_of(launch_worker_and_waiter, n), alone, alone + 400);
    }
}

// Each block writes one word: the same one for all blocks, or a word of its own.
__global__ void write_words(volatile int *to, int apart)
{
    __threadfence();
    to[blockIdx.x * apart] = 1;
}

static void launch_writers(void *apart)
{
    write_words<<<64, 1>>>(out, *(int *)apart);
}

// The race check compares each write with those of all blocks before it.
static void comparisons_of_the_race_check_count()
{
    simt_check(true);
    const auto apart = work_of(launch_writers, 1), together = work_of(launch_writers, 0);
    simt_check(false);
    expect_within(__func__, "of 64 blocks", together - apart, 8 * 62 * 63 / 2, 8 * 64 * 64);
}

// Ends only when i is 7, which does not happen with an even step.
static void loop_for_ever(void *)
{
    for (unsigned i = 0; i != 7; i += 2)
        asm volatile("");
}

static void launch_for_ever(void *)
{
    loop<<<1, 1>>>(out, ~0u);
    cudaDeviceSynchronize();
}

__global__ void poll(volatile int *flag)
{
    while (*flag == 0) {
    }
}

static void poll_for_ever(void *)
{
    poll<<<1, 1>>>(flag);
    cudaDeviceSynchronize();
}

static void a_spent_budget_ends_host_code_and_kernels_at_the_same_work()
{
    struct simt_schedule schedule = simt_get_schedule();
    const auto kept = schedule;
    schedule.work = BUDGET;
    simt_set_schedule(&schedule);
    bool ends;
    const auto host = executed(loop_for_ever, nullptr, &ends);
    expect(__func__, "the loop on the host comes back", ends, 0);
    expect(__func__, "its finding", simt_finding_at(0)->kind, SIMT_ENDLESS);
    expect_within(__func__, "its work", host, BUDGET, 4 * BUDGET);
    expect(__func__, "its work, again", executed(loop_for_ever, nullptr, &ends), host);
    const auto kernel = executed(launch_for_ever, nullptr, &ends);
    expect(__func__, "the kernel's finding", simt_finding_at(0)->kind, SIMT_ENDLESS);
    expect(__func__, "its work, again", executed(launch_for_ever, nullptr, &ends), kernel);
    const auto polls = executed(poll_for_ever, nullptr, &ends);
    expect(__func__, "the poll's finding", simt_finding_at(0)->kind, SIMT_DEADLOCK);
    expect_within(__func__, "its work", polls, 1, BUDGET / 10);
    simt_set_schedule(&kept);
}

static void what_stays_within_the_budget_is_left_alone()
{
    struct simt_schedule schedule = simt_get_schedule();
    const auto kept = schedule;
    const auto work = work_of(loop_on_the_host, 100000);
    bool ends;
    int n = 100000;
    schedule.work = work + work / 100;
    simt_set_schedule(&schedule);
    executed(loop_on_the_host, &n, &ends);
    expect(__func__, "with a little more than it needs it comes back", ends, 1);
    schedule.work = work - work / 100;
    simt_set_schedule(&schedule);
    executed(loop_on_the_host, &n, &ends);
    expect(__func__, "with a little less it comes back", ends, 0);
    simt_set_schedule(&kept);
}

static void silent(const struct simt_finding *, void *)
{
}

int main()
{
    simt_set_finding_sink(silent, nullptr);
    void (*const tests[])() = {kernels_and_host_code_count_by_what_they_execute,
                               what_is_printed_counts_by_its_bytes,
                               waiting_is_free_while_another_thread_works,
                               comparisons_of_the_race_check_count,
                               what_the_device_makes_counts,
                               shared_memory_counts_for_each_block,
                               a_spent_budget_ends_host_code_and_kernels_at_the_same_work,
                               what_stays_within_the_budget_is_left_alone};
    under_schedules(tests, sizeof tests / sizeof *tests);
    cudaDeviceReset();
    simt_begin_run(); // forgets the findings that the tests have checked, which would decide the exit status
    return closing_line("budget", passed, failed);
}
