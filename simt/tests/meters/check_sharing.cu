// The meters that show how the work is shared, on kernels small enough to count by hand, under three schedules.
#include "meters.h"
#include <cooperative_groups.h>
#include <stdlib.h>

enum { N = 64 };
static int *in, *out, *flags; /* 4096 elements each */

__device__ static __forceinline__ int add(int left, int right)
{
    simt_count_combine();
    return left + right;
}

/* ---- span ------------------------------------------------------------------------------------------------------- */

__global__ void copy_each(const int *from, int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

__global__ void scan_by_one(const int *from, int *to, int n)
{
    int sum = from[0];
    to[0] = sum;
    for (int i = 1; i < n; i++)
        to[i] = sum = add(sum, from[i]);
}

__global__ void scan_by_one_with_its_own_operator(const int *from, int *to, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        to[i] = sum += from[i];
}

__global__ void scan_in_local_memory(const int4 *from, int4 *to, int n)
{
    int4 local[N / 4];
    for (int i = 0; i < n / 4; i++)
        local[i] = from[i];
    for (int i = 1; i < n / 4; i++)
        local[i].x = local[i].x + local[i - 1].w;
    for (int i = 0; i < n / 4; i++)
        to[i] = local[i];
}

static void a_loop_of_one_thread_is_a_long_chain()
{
    RUN(copy_each<<<4, 32>>>(in, out));
    EXPECT("span", 2);
    EXPECT("steps", 0);
    RUN(scan_by_one<<<1, 1>>>(in, out, N));
    EXPECT("span", 2 * N + (N - 1));
    EXPECT("steps", N - 1);
    RUN(scan_by_one_with_its_own_operator<<<1, 1>>>(in, out, N));
    EXPECT("span", 2 * N);
    RUN(scan_in_local_memory<<<1, 1>>>((int4 *)in, (int4 *)out,
                                       N)); /* a vector is one access, a local variable is none */
    EXPECT("span", 2 * N / 4);
}

/* An iteration reads two values, combines them and writes; the threads synchronize after each. */
__global__ void tree(const int *from, int *to)
{
    __shared__ int sums[N];
    unsigned t = threadIdx.x;
    sums[t] = from[t];
    for (unsigned stride = N / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] = add(sums[t], sums[t + stride]);
    }
    if (t == 0)
        *to = sums[0];
}

__global__ void tree_of_a_warp(const int *from, int *to)
{
    int sum = from[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum = add(sum, __shfl_down_sync(0xffffffff, sum, offset));
    if (threadIdx.x == 0)
        *to = sum;
}

__global__ void two_phases(int *data)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t == 0)
        data[0] = data[1] = data[2] = 5;
    cooperative_groups::this_grid().sync();
    data[t + 4] = data[0];
}

static void threads_that_meet_go_on_from_the_longest_chain()
{
    RUN(tree<<<1, N>>>(in, out));
    EXPECT("span", 2 + 6 * 4 + 2);
    EXPECT("steps", 6);
    RUN(tree_of_a_warp<<<1, 32>>>(in, out));
    EXPECT("span", 1 + 5 + 1);
    void *arguments[] = {&out};
    RUN(cudaLaunchCooperativeKernel((const void *)two_phases, dim3(4), dim3(32), arguments, 0, nullptr));
    EXPECT("span", 3 + 2);
    RUN(copy_each<<<4, 32>>>(in, out); copy_each<<<4, 32>>>(out, in)); /* one launch after the other */
    EXPECT("span", 2 + 2);
    RUN(cudaMemset(out, 0, 64); copy_each<<<4, 32>>>(in, out);
        cudaMemcpy(flags, out, 64, cudaMemcpyDeviceToDevice));
    EXPECT("span", 1 + 2 + 2);
}

/* Each block waits for the one before it. It reads the flag (counted once) and the value, adds, and writes both. */
__global__ void relay(const int *from, int *to, volatile int *flag)
{
    unsigned b = blockIdx.x;
    int sum = from[b];
    if (b > 0) {
        while (flag[b - 1] == 0)
            ;
        __threadfence();
        sum = add(((volatile int *)to)[b - 1], sum);
    }
    ((volatile int *)to)[b] = sum;
    __threadfence();
    flag[b] = 1;
}

__global__ void count(unsigned *counter, int *to)
{
    if (atomicAdd(counter, 1u) == 1u << 30)
        *to = 1;
}

static void a_flag_hands_the_chain_on()
{
    enum { BLOCKS = 6 };
    cudaMemset(flags, 0, 4096 * sizeof *flags);
    RUN(relay<<<BLOCKS, 1>>>(in, out, flags));
    EXPECT("span", 1 + 2 + (BLOCKS - 1) * 5);
    EXPECT("steps", BLOCKS - 1);
    RUN(count<<<4, 32>>>((unsigned *)flags, out)); /* adding with atomics is one access for each thread */
    EXPECT("span", 1);
    EXPECT("atomics on one address", 128);
}

__constant__ int table[N];

__global__ void sum_of_table(int *to)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += table[i];
    *to = sum;
}

struct large {
    int value[N];
};

__global__ void copy_of_struct(const large *from, large *to)
{
    large local = *from;
    *to = local;
}

static void wide_accesses_and_constants_are_links_too()
{
    RUN(sum_of_table<<<1, 1>>>(out));
    EXPECT("span", N + 1);
    RUN(copy_of_struct<<<1, 1>>>((large *)in, (large *)out));
    EXPECT("span", 2 * sizeof(large) / 16);
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

static void the_busiest_thread_and_block_are_found()
{
    RUN(copy_each<<<4, 32>>>(in, out));
    EXPECT("accesses and combines", 4 * 32 * 2);
    EXPECT("accesses and combines by one thread", 2);
    EXPECT("accesses and combines by one block", 32 * 2);
    RUN(scan_by_one<<<1, 1>>>(in, out, N));
    EXPECT("accesses and combines", 3 * N - 1);
    EXPECT("accesses and combines by one thread", 3 * N - 1);
    EXPECT("accesses and combines by one block", 3 * N - 1);
    RUN(copy_each<<<4, 32>>>(in, out); scan_by_one<<<1, 1>>>(in, out, N)); /* over all launches */
    EXPECT("accesses and combines", 256 + 3 * N - 1);
    EXPECT("accesses and combines by one thread", 2 + 3 * N - 1);
    EXPECT("accesses and combines by one block", 64 + 3 * N - 1);
}

__global__ void join_and_write(int *to, int of_first)
{
    int local[N], mine = threadIdx.x == 0 ? of_first : 1;
    for (int i = 0; i < mine; i++) {
        simt_count_join(SIMT_ONE_PART, SIMT_ONE_PART, (uint64_t)i);
        local[i] = i;
        to[blockIdx.x] = ((volatile int *)local)[i];
    }
}

static void what_makes_results_is_counted_by_thread_and_block()
{
    int *result;
    cudaMalloc(&result, 64);
    RUN(join_and_write<<<2, 32>>>(result, 20));
    EXPECT("output writes", 0);
    simt_mark_output(result);
    RUN(join_and_write<<<2, 32>>>(result, 20));
    EXPECT("joining combines", 2 * (20 + 31));
    EXPECT("joining combines by one thread", 20);
    EXPECT("joining combines by one block", 20 + 31);
    EXPECT("output writes", 2 * (20 + 31));
    EXPECT("output writes by one thread", 20);
    EXPECT("output writes by one block", 20 + 31);
    EXPECT("local accesses by one thread", 2 * 20);
    cudaFree(result);
}

/* ---- bytes that go to the host ------------------------------------------------------------------------------------ */

__device__ int variable[4];
__managed__ int managed_variable[4];

__global__ void write_some(int *to, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = 1;
}

__global__ void swap_one(int *to)
{
    atomicCAS(to, 1, 7);
}

static void copies_to_the_host_are_counted()
{
    int host[16], *pinned;
    cudaMallocHost(&pinned, 64);
    RUN(cudaMemcpy(host, out, 40, cudaMemcpyDeviceToHost));
    EXPECT("host bytes", 40);
    RUN(cudaMemcpy(host, out, 12, cudaMemcpyDefault); cudaMemcpyAsync(host, out, 8, cudaMemcpyDeviceToHost));
    EXPECT("host bytes", 20);
    RUN(cudaMemcpy2D(host, 8, out, 16, 8, 3, cudaMemcpyDeviceToHost));
    EXPECT("host bytes", 24);
    RUN(cudaMemcpyFromSymbol(host, variable, 16));
    EXPECT("host bytes", 16);
    RUN(cudaMemcpy(pinned, out, 16, cudaMemcpyDeviceToHost); host[0] = pinned[1] + pinned[2]);
    EXPECT("host bytes", 16);
    RUN(cudaMemcpy(out, host, 64, cudaMemcpyHostToDevice);
        cudaMemcpy(out + 32, out, 64, cudaMemcpyDeviceToDevice); cudaMemset(out, 0, 64));
    EXPECT("host bytes", 0);
    cudaFreeHost(pinned);
}

template <class Allocate> static void write_from_both_sides(const char *test, Allocate allocate)
{
    int *both = allocate(), sum = 0, host[16] = {};
    RUN(both[0] = 3; sum += both[0]; cudaMemcpy(out, both, 8, cudaMemcpyDefault));
    expect(test, "host bytes", meter("host bytes"), 0); /* the host's own values are not new to it */
    RUN(write_some<<<1, 4>>>(both, 8));
    expect(test, "host bytes", meter("host bytes"), 32); /* although it has not read them */
    RUN(write_some<<<1, 4>>>(both, 8); cudaMemcpy(host, both, 24, cudaMemcpyDefault); sum += host[1]);
    expect(test, "host bytes", meter("host bytes"), 32); /* but only once when it has */
    RUN(swap_one<<<1, 1>>>(both); swap_one<<<1, 1>>>(both));
    expect(test, "host bytes", meter("host bytes"), 4); /* the second one writes nothing */
    RUN(cudaMemcpy(both, out, 16, cudaMemcpyDefault));
    expect(test, "host bytes", meter("host bytes"), 16);
    if (sum == -1)
        printf("%d\n", host[0]);
}

static void what_kernels_write_where_the_host_reads_counts()
{
    static int registered[16];
    write_from_both_sides("managed memory", [] {
        int *both;
        cudaMallocManaged(&both, 64);
        return both;
    });
    write_from_both_sides("pinned memory", [] {
        int *both;
        cudaMallocHost(&both, 64);
        return both;
    });
    write_from_both_sides("registered memory", [] {
        cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped);
        return registered;
    });
    cudaHostUnregister(registered);
    RUN(write_some<<<1, 1>>>(managed_variable, 4));
    EXPECT("host bytes", 16);
}

static void what_the_host_copies_to_an_output_is_counted()
{
    int host[16] = {}, *result, *managed;
    cudaMalloc(&result, 64);
    cudaMallocManaged(&managed, 64);
    simt_mark_output(result);
    RUN(cudaMemcpy(result, host, 64, cudaMemcpyHostToDevice);
        cudaMemcpy(out, host, 64, cudaMemcpyHostToDevice));
    EXPECT("output bytes from the host", 64);
    RUN(cudaMemset(result, 0, 64); cudaMemcpy(result, out, 64, cudaMemcpyDeviceToDevice);
        copy_each<<<1, 16>>>(in, result));
    EXPECT("output bytes from the host", 0);
    RUN(write_some<<<1, 8>>>(managed, 8); cudaMemcpy(result, managed, 40, cudaMemcpyDefault));
    EXPECT("output bytes from the host", 40); /* the host may have written all of them */
    cudaFree(result);
    cudaFree(managed);
}

/* ---- joins ---------------------------------------------------------------------------------------------------------- */

__global__ void join_ranges(int kinds)
{
    simt_count_join(SIMT_ONE_PART, SIMT_ONE_PART, threadIdx.x % kinds);
}

__global__ void join_results(uint64_t left, uint64_t right)
{
    simt_count_join(left, right, left + right);
}

static void a_result_that_is_joined_again_counts_once()
{
    RUN(join_ranges<<<2, 32>>>(20));
    EXPECT("joins", 20);
    RUN(simt_count_join(SIMT_ONE_PART, SIMT_ONE_PART, 1)); /* on the host */
    EXPECT("joins", 0);
}

static void operands_that_no_combine_made_are_counted()
{
    RUN(join_ranges<<<1, 32>>>(20); join_results<<<1, 1>>>(3, 19); join_results<<<1, 1>>>(22, SIMT_ONE_PART));
    EXPECT("operands made elsewhere", 0);
    RUN(simt_count_join(SIMT_ONE_PART, SIMT_ONE_PART, 5);
        join_results<<<1, 1>>>(5, SIMT_ONE_PART)); /* by the host */
    EXPECT("operands made elsewhere", 0);
    RUN(join_results<<<2, 32>>>(5, 7));
    EXPECT("operands made elsewhere", 2);
    EXPECT("joins", 1);
}

static void they_count_without_the_other_meters_and_cost_nothing_when_off()
{
    simt_measure_sharing(false);
    RUN(tree<<<1, N>>>(in, out));
    EXPECT("span", ~0ull);
    EXPECT("host bytes", ~0ull);
    simt_measure_sharing(true);
    RUN(tree<<<1, N>>>(in, out));
    EXPECT("span", 28);
    EXPECT("shared wavefronts", ~0ull);
}

int main()
{
    static const struct {
        const char *name;
        struct simt_schedule schedule;
    } orders[] = {{"forward", {SIMT_FORWARD, 0, 16, 0}},
                  {"reverse", {SIMT_REVERSE, 0, 16, 0}},
                  {"random", {SIMT_RANDOM, 7, 6, 0}}};

    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMalloc(&flags, 4096 * sizeof *flags);
    cudaMemset(in, 0, 4096 * sizeof *in);
    simt_check(false);
    for (const auto &order : orders) {
        order_name = order.name;
        simt_set_schedule(&order.schedule);
        simt_measure(true);
        a_loop_of_one_thread_is_a_long_chain();
        threads_that_meet_go_on_from_the_longest_chain();
        a_flag_hands_the_chain_on();
        wide_accesses_and_constants_are_links_too();
        the_busiest_thread_and_block_are_found();
        what_makes_results_is_counted_by_thread_and_block();
        copies_to_the_host_are_counted();
        what_kernels_write_where_the_host_reads_counts();
        what_the_host_copies_to_an_output_is_counted();
        a_result_that_is_joined_again_counts_once();
        operands_that_no_combine_made_are_counted();
        simt_measure(false);
        they_count_without_the_other_meters_and_cost_nothing_when_off();
    }
    cudaFree(in);
    cudaFree(out);
    cudaFree(flags);
    return closing_line("sharing", passed, failed);
}
