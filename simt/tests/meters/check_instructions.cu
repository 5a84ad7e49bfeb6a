// The meters of executed instructions. The compiler decides how many a loop takes, so the tests compare counts.
#include "meters.h"

enum { N = 512 };
static int *in, *out, *flag;

__global__ void once(int *to)
{
    to[threadIdx.x] = 1;
}

// Plain arithmetic, in registers.
__global__ void loop(int *to, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = (x ^ x >> 3) * 5;
    to[threadIdx.x] = (int)x;
}

#define TEN(word) word word word word word word word word word word
__global__ void unrolled_loop(int *to, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i += 100) {
        TEN(TEN(x = (x ^ x >> 3) * 5;))
    }
    to[threadIdx.x] = (int)x;
}

static void plain_arithmetic_counts_and_so_it_does_unrolled()
{
    RUN(loop<<<1, 1>>>(out, 400));
    const auto rolled = meter("instructions by one thread");
    expect_within(__func__, "rolled", rolled, 3 * 400, 12 * 400);
    RUN(unrolled_loop<<<1, 1>>>(out, 400));
    expect_within(__func__, "unrolled", meter("instructions by one thread"), rolled / 4, 2 * rolled);
}

static void lanes_that_all_do_it_each_count_it()
{
    RUN(loop<<<2, 32>>>(out, N));
    const auto one = meter("instructions by one thread");
    EXPECT("instructions", 64 * one);
    EXPECT("instruction span", one);
}

static void launches_add_up()
{
    RUN(once<<<1, 32>>>(out));
    const auto one = meter("instructions by one thread");
    RUN(once<<<1, 32>>>(out); once<<<1, 32>>>(out));
    EXPECT("instructions by one thread", 2 * one);
    EXPECT("instruction span", 2 * one);
}

// The lanes work one after another, and a shuffle passes the turn to the next.
__global__ void turns(int *to, int n)
{
    unsigned x = threadIdx.x;
    for (unsigned turn = 0; turn < 32; turn++) {
        if (threadIdx.x == turn)
            for (int i = 0; i < n; i++)
                x = (x ^ x >> 3) * 5;
        x = __shfl_sync(0xffffffffu, x, turn);
    }
    to[threadIdx.x] = (int)x;
}

// N more iterations in each turn count once for each thread, but 32 times in the chain through all threads.
static void a_shuffle_links_threads()
{
    RUN(turns<<<1, 32>>>(out, N));
    const auto one = meter("instructions by one thread"), span = meter("instruction span");
    RUN(turns<<<1, 32>>>(out, 2 * N));
    const auto more = meter("instructions by one thread") - one;
    expect_within(__func__, "one thread", more, 3 * N, 12 * N);
    EXPECT("instruction span", span + 32 * more);
}

__global__ void wait_for_a_flag(volatile int *flag, int *to, int n)
{
    if (blockIdx.x == 1) {
        while (*flag == 0) {
        }
        return;
    }
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = (x ^ x >> 3) * 5;
        *to;
        flag[1] = (int)x;
    }
    *flag = 1;
}

// The same, but the flag is read by an update that changes nothing.
__global__ void wait_by_updates(int *flag, int *to, int n)
{
    if (blockIdx.x == 1) {
        while (atomicAdd(flag, 0) == 0) {
        }
        return;
    }
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = (x ^ x >> 3) * 5;
        *(volatile int *)to;
        ((volatile int *)flag)[1] = (int)x;
    }
    atomicExch(flag, 1);
}

__global__ void work_between_polls(volatile int *flag, int *to, int n)
{
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x += flag[2] + to[i];
        flag[3] = (int)x;
    }
    to[0] = (int)x;
}

// What never changes is no flag that anybody waits for.
__global__ void work_that_looks_like_a_wait(volatile int *flag, int *to, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++) {
        x = (x ^ x >> 3) * 5;
        flag[2];
        __any_sync(0xffffffffu, x == 0);
    }
    to[threadIdx.x] = (int)x;
}

// All lanes look until the last one has its flag.
__global__ void lanes_wait_together(volatile int *flags, int *to, int n)
{
    int seen;
    if (blockIdx.x == 1) {
        do
            seen = flags[threadIdx.x];
        while (__any_sync(0xffffffffu, seen == 0));
        return;
    }
    unsigned x = 1;
    for (int i = 0; i < n && threadIdx.x == 0; i++) {
        x = (x ^ x >> 3) * 5;
        to[32] = (int)x;
        flags[32] = 1;
    }
    if (threadIdx.x == 0)
        flags[31] = 1;
}

// The chain continues in the thread that waited, without the iterations of its wait.
static void waiting_is_free_and_work_between_reads_of_a_flag_is_not()
{
    cudaMemset(flag, 0, 4 * sizeof *flag);
    RUN(wait_for_a_flag<<<2, 1>>>(flag, out, N));
    const auto waited = meter("instructions"), one = meter("instructions by one thread");
    expect_within(__func__, "both", waited, one, one + one / 8);
    expect_within(__func__, "span", meter("instruction span"), one, one + one / 8);
    cudaMemset(flag, 0, sizeof *flag);
    RUN(wait_by_updates<<<2, 1>>>(flag, out, N));
    const auto updates_one = meter("instructions by one thread");
    expect_within(__func__, "updates, span", meter("instruction span"), updates_one, updates_one + updates_one / 8);
    RUN(work_between_polls<<<1, 1>>>(flag, out, N));
    expect_within(__func__, "worked", meter("instructions by one thread"), 4 * N, 40 * N);
    RUN(work_that_looks_like_a_wait<<<1, 32>>>(flag, out, N));
    expect_within(__func__, "worked alone", meter("instructions by one thread"), 6 * N, 60 * N);
    expect_within(__func__, "its span", meter("instruction span"), 6 * N, 60 * N);
}

static void lanes_that_vote_wait_together()
{
    int *flags, host[33];
    for (int i = 0; i < 33; i++)
        host[i] = i < 31;
    cudaMalloc(&flags, sizeof host);
    cudaMemcpy(flags, host, sizeof host, cudaMemcpyHostToDevice);
    RUN(lanes_wait_together<<<2, 32>>>(flags, out, N));
    const auto one = meter("instructions by one thread");
    expect_within(__func__, "one thread", one, 4 * N, 60 * N);
    expect_within(__func__, "all", meter("instructions"), one, one + 64 * 128); // of 64 threads
    expect_within(__func__, "span", meter("instruction span"), one, one + one / 8);
    cudaFree(flags);
}

// Only thread 5 works, and between its iterations all threads meet at a barrier.
__global__ void one_works(int *to, int n)
{
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 5)
            x = (x ^ x >> 3) * 5;
        __syncthreads();
    }
    to[threadIdx.x] = (int)x;
}

// Every call counts these two without meters, from the budget. What the checks do counts for no thread.
static void the_work_of_threads_is_known_without_meters()
{
    RUN(one_works<<<2, 64>>>(out, N));
    const auto all = meter("instructions"), one = meter("instructions by one thread");
    for (int checks = 0; checks < 2; checks++) {
        simt_measure(false);
        simt_check(checks != 0);
        RUN(one_works<<<2, 64>>>(out, N));
        expect("without meters", "instructions of threads", simt_executed_by_threads(), all);
        expect("without meters", "instructions of the busiest", simt_executed_by_busiest_thread(), one);
        expect_within("without meters", "of all", simt_executed(), all + 1, 1ull << 40);
    }
    simt_check(true);
    simt_measure(true);
    RUN(one_works<<<2, 64>>>(out, 2 * N));
    expect_within(__func__, "twice the turns", simt_executed_by_busiest_thread(), one + 3 * N, one + 60 * N);
}

static void nothing_is_counted_when_no_meter_asks()
{
    simt_measure(false);
    RUN(once<<<1, 32>>>(out));
    EXPECT("instructions", ~0ull);
    simt_measure(true);
}

int main()
{
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMalloc(&flag, 4 * sizeof *flag);
    cudaMemset(in, 0, N * sizeof *in);
    void (*const tests[])() = {plain_arithmetic_counts_and_so_it_does_unrolled,
                               lanes_that_all_do_it_each_count_it,
                               launches_add_up,
                               a_shuffle_links_threads,
                               waiting_is_free_and_work_between_reads_of_a_flag_is_not,
                               lanes_that_vote_wait_together,
                               the_work_of_threads_is_known_without_meters,
                               nothing_is_counted_when_no_meter_asks};
    under_schedules(tests, sizeof tests / sizeof *tests);
    cudaFree(in);
    cudaFree(out);
    cudaFree(flag);
    return closing_line("instructions", passed, failed);
}
