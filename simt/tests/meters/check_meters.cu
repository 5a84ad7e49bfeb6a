// The meters, on kernels small enough to count by hand. Each test runs under three schedules: what a warp asks of
// memory does not depend on which lane comes first.
#include "meters.h"
#include <cooperative_groups.h>

static int *ints;   /* 4096, all 0 */
static int *others; /* the same */
static char *bytes;

/* ---- shared memory: each lane writes a place and reads it back: two requests ---------------------------------- */

template <class T, int STRIDE, int ROW> __global__ void strided(T *out)
{
    __shared__ T tile[2048 / sizeof(T) * 4];
    unsigned place = threadIdx.x * STRIDE;
    place += place / ROW; /* one unused place a row */
    tile[place] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[place];
}

enum { UNPADDED = 1 << 30 };

static void strides_of_words()
{
    RUN(strided<int, 1, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<int, 2, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 2);
    RUN(strided<int, 4, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 4);
    RUN(strided<int, 8, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 8);
    RUN(strided<int, 16, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 16);
    RUN(strided<int, 32, UNPADDED><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 32);
    EXPECT("excess wavefronts", 2 * 31);
    RUN(strided<int, 33, UNPADDED><<<1, 32>>>(ints)); /* odd strides reach all banks */
    EXPECT("shared wavefronts", 2 * 1);
    EXPECT("excess wavefronts", 0);
}

static void padding_spreads_a_column_over_the_banks()
{
    RUN(strided<int, 32, 32><<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<int, 16, 32><<<1, 32>>>(ints)); /* 0 16 33 49 66 ...: banks 0 16 1 17 ... */
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<int, 2, 32><<<1, 32>>>(ints)); /* 0 2 ... 30 33 35 ... 63: all banks */
    EXPECT("shared wavefronts", 2 * 1);
}

static void wide_accesses_go_in_halves_and_quarters()
{
    RUN(strided<int2, 1, UNPADDED><<<1, 32>>>((int2 *)ints));
    EXPECT("shared wavefronts", 2 * 2);
    EXPECT("excess wavefronts", 0);
    RUN(strided<int2, 2, UNPADDED><<<1, 32>>>((int2 *)ints)); /* half a warp reaches over two rows of banks */
    EXPECT("shared wavefronts", 2 * 4);
    EXPECT("excess wavefronts", 2 * 2);
    RUN(strided<int2, 16, UNPADDED><<<1, 32>>>((int2 *)ints)); /* all lanes in banks 0 and 1 */
    EXPECT("shared wavefronts", 2 * 32);
    RUN(strided<int2, 16, 16><<<1, 32>>>((int2 *)ints)); /* a padded column of elements of 8 bytes */
    EXPECT("shared wavefronts", 2 * 2);
    RUN(strided<int4, 1, UNPADDED><<<1, 32>>>((int4 *)ints));
    EXPECT("shared wavefronts", 2 * 4);
    EXPECT("excess wavefronts", 0);
    RUN(strided<int4, 2, UNPADDED><<<1, 32>>>((int4 *)ints));
    EXPECT("shared wavefronts", 2 * 8);
    EXPECT("excess wavefronts", 2 * 4);
}

static void narrow_accesses_share_words()
{
    RUN(strided<char, 1, UNPADDED><<<1, 32>>>(bytes)); /* 8 words */
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<short, 2, UNPADDED><<<1, 32>>>((short *)ints));
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<short, 4, UNPADDED><<<1, 32>>>((short *)ints)); /* every second word */
    EXPECT("shared wavefronts", 2 * 2);
}

static void part_of_a_warp_takes_no_more_than_its_lanes_need()
{
    RUN(strided<int, 32, UNPADDED><<<1, 5>>>(ints));
    EXPECT("shared wavefronts", 2 * 5);
    EXPECT("idle lanes", 4 * 27);
    RUN(strided<int2, 1, UNPADDED><<<1, 16>>>((int2 *)ints)); /* one half */
    EXPECT("shared wavefronts", 2 * 1);
    RUN(strided<int, 1, UNPADDED><<<3, 40>>>(ints)); /* two warps a block */
    EXPECT("shared wavefronts", 3 * 2 * 2);
    EXPECT("global requests", 3 * 2 * 2);
    EXPECT("idle lanes", 3 * 4 * 24);
}

__global__ void broadcast(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = 1; /* 1 */
    __syncthreads();
    int sum = tile[7];              /* 1: one word for all */
    sum += tile[threadIdx.x / 16];  /* 1: two words */
    sum += tile[threadIdx.x & 32];  /* 1 */
    out[threadIdx.x] = sum;
}

static void lanes_that_want_one_word_get_it_at_once()
{
    RUN(broadcast<<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 4);
    EXPECT("excess wavefronts", 0);
    EXPECT("barriers", 1);
}

/* Lane t goes round t + 1 times: round k has the lanes from k on. */
__global__ void uneven_rounds(int *out)
{
    __shared__ int tile[1024];
    int sum = 0;
    for (unsigned i = 0; i < 32; i++)
        tile[i * 32 + threadIdx.x] = 0; /* 32 requests */
    for (unsigned i = 0; i <= threadIdx.x; i++)
        sum += tile[i * 32 + threadIdx.x]; /* 32 requests without a conflict */
    for (unsigned i = 0; i <= threadIdx.x; i++)
        sum += tile[threadIdx.x * 32 + i]; /* 32 requests; round k: 32 - k lanes in one bank */
    out[threadIdx.x] = sum;
}

static void rounds_of_a_divergent_loop_are_told_apart()
{
    RUN(uneven_rounds<<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 32 + 32 + 33 * 16);
    EXPECT("excess wavefronts", 33 * 16 - 32);
    EXPECT("idle lanes", 2 * 31 * 16);
    RUN(uneven_rounds<<<1, 1>>>(ints));
    EXPECT("shared wavefronts", 32 + 1 + 1);
}

/* Odd lanes skip every second round, and all wait for each other in each. */
__global__ void skipped_rounds(int *out)
{
    __shared__ int tile[32];
    for (unsigned i = 0; i < 8; i++) {
        if (threadIdx.x % 2 == 0 || i % 2 == 0)
            tile[threadIdx.x] = i;
        __syncwarp();
    }
    out[threadIdx.x] = tile[threadIdx.x];
}

static void a_warp_operation_aligns_rounds_that_some_lanes_skip()
{
    RUN(skipped_rounds<<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 8 + 1);
    EXPECT("idle lanes", 4 * 16);
}

__global__ void both_branches(int *out)
{
    __shared__ int tile[64];
    if (threadIdx.x < 8)
        tile[threadIdx.x * 2] = 1;
    else
        tile[threadIdx.x * 2 + 1] = 2;
    out[threadIdx.x] = tile[threadIdx.x * 2 + (threadIdx.x >= 8)];
}

static void branches_are_requests_of_their_own()
{
    RUN(both_branches<<<1, 32>>>(ints));
    EXPECT("shared wavefronts", 1 + 2 + 2); /* 8 lanes; 24 lanes over 48 words; all, over 64 words */
    EXPECT("idle lanes", 24 + 8);
    EXPECT("divergent branches", 1);
}

__global__ void counters(int *out)
{
    __shared__ int count[32];
    count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&count[threadIdx.x], 1);     /* 1 */
    atomicAdd(&count[threadIdx.x / 4], 1); /* 4 lanes a word */
    __syncthreads();
    atomicAdd(out, count[threadIdx.x]);
}

static void atomics_on_one_word_go_one_after_the_other()
{
    RUN(counters<<<2, 32>>>(others));
    EXPECT("shared wavefronts", 2 * (1 + 1 + 4 + 1));
    EXPECT("global sectors", 2 * 1);
    EXPECT("atomics", 2 * 3 * 32);
    EXPECT("atomics on one address", 2 * 32); /* a block's shared memory is its own: 5 there */
}

/* ---- global memory ---------------------------------------------------------------------------------------------- */

template <class T> __global__ void copy_strided(const T *in, T *out, unsigned stride)
{
    out[threadIdx.x] = in[threadIdx.x * stride];
}

static void sectors_of_a_warp()
{
    RUN(copy_strided<<<1, 32>>>(ints, others, 1));
    EXPECT("global requests", 2);
    EXPECT("global sectors", 4 + 4);
    RUN(copy_strided<<<1, 32>>>(ints + 1, others, 1)); /* one word over the edge */
    EXPECT("global sectors", 5 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 2));
    EXPECT("global sectors", 8 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 8)); /* a sector a lane */
    EXPECT("global sectors", 32 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 32));
    EXPECT("global sectors", 32 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 0)); /* one word for all */
    EXPECT("global sectors", 1 + 4);
    RUN(copy_strided<<<1, 5>>>(ints, others, 1));
    EXPECT("global sectors", 1 + 1);
    RUN(copy_strided<<<4, 256>>>(ints, others, 1)); /* nothing is remembered from earlier requests */
    EXPECT("global requests", 4 * 8 * 2);
    EXPECT("global sectors", 4 * 8 * 8);
}

static void sectors_of_wide_and_narrow_accesses()
{
    RUN(copy_strided<<<1, 32>>>((const char *)ints, bytes, 1));
    EXPECT("global sectors", 1 + 1);
    RUN(copy_strided<<<1, 32>>>((const int2 *)ints, (int2 *)others, 1));
    EXPECT("global requests", 2);
    EXPECT("global sectors", 8 + 8);
    RUN(copy_strided<<<1, 32>>>((const int4 *)ints, (int4 *)others, 1));
    EXPECT("global requests", 2);
    EXPECT("global sectors", 16 + 16);
    RUN(copy_strided<<<1, 32>>>((const float4 *)ints, (float4 *)others, 2)); /* a sector holds two; every second is wanted */
    EXPECT("global sectors", 32 + 16);
    RUN(copy_strided<<<1, 32>>>((const int3 *)ints, (int3 *)others, 1)); /* three words: three requests each */
    EXPECT("global requests", 2 * 3);
    EXPECT("global sectors", 2 * 3 * 12);
}

__global__ void twice(const int *in, volatile int *out, unsigned stride)
{
    int sum = in[threadIdx.x * stride] + in[threadIdx.x * stride + 1];
    __syncthreads();
    out[threadIdx.x] = sum + in[threadIdx.x * stride + 2];
}

__global__ void polling(const volatile int *flag, int *out)
{
    int sum = *flag;
    sum += *flag;
    out[threadIdx.x] = sum + *flag;
}

static void what_a_block_has_fetched_it_need_not_fetch_again()
{
    RUN(twice<<<1, 32>>>(ints, others, 8)); /* three words of each sector */
    EXPECT("global sectors", 3 * 32 + 4);
    EXPECT("uncached sectors", 32 + 4);
    RUN(twice<<<2, 32>>>(ints, others, 8)); /* but another block must */
    EXPECT("uncached sectors", 2 * (32 + 4));
    RUN(copy_strided<<<1, 32>>>(ints, ints, 1)); /* writing is not reading */
    EXPECT("uncached sectors", 4 + 4);
    RUN(polling<<<1, 32>>>(ints, others)); /* volatile: from memory each time */
    EXPECT("uncached sectors", 3 * 1 + 4);
    RUN(counters<<<2, 32>>>(others));
    EXPECT("uncached sectors", 2 * 1);
}

static void copies_within_the_device_are_sectors_too()
{
    RUN(cudaMemcpy(others, ints, 4096, cudaMemcpyDeviceToDevice));
    EXPECT("copied sectors", 2 * 128);
    RUN(cudaMemset(others, 0, 4096));
    EXPECT("copied sectors", 128);
    int host[8];
    RUN(cudaMemcpy(host, ints, sizeof host, cudaMemcpyDeviceToHost)); /* goes over the bus */
    EXPECT("copied sectors", 0);
}

/* One function for both memories: its accesses go where the pointer leads. */
__device__ __noinline__ int first_of(const int *list)
{
    return list[threadIdx.x];
}

__global__ void both_memories(const int *in, int *out)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 0;
    out[threadIdx.x] = first_of(threadIdx.x < 16 ? in : tile);
}

static void a_place_may_lead_to_both_memories()
{
    RUN(both_memories<<<1, 32>>>(ints, others));
    EXPECT("shared wavefronts", 1 + 1);
    EXPECT("global requests", 1 + 1);
    EXPECT("global sectors", 2 + 4);
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

__device__ int add(int a, int b)
{
    simt_count_combine();
    return a + b;
}

__global__ void serial(int *data, int n)
{
    int sum = 0;
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            sum = add(sum, data[i]);
    data[threadIdx.x] = sum;
}

__global__ void tree(int *data)
{
    __shared__ int sums[128];
    sums[threadIdx.x] = data[threadIdx.x];
    sums[threadIdx.x + 64] = data[threadIdx.x + 64];
    for (unsigned half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] = add(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        data[0] = sums[0];
}

__global__ void hillis_steele(int *data)
{
    __shared__ int sums[64];
    int sum = sums[threadIdx.x] = data[threadIdx.x];
    for (unsigned stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        if (threadIdx.x >= stride)
            sum = add(sums[threadIdx.x - stride], sum);
        __syncthreads();
        sums[threadIdx.x] = sum;
    }
    data[threadIdx.x] = sum;
}

__global__ void shuffled(int *data)
{
    int sum = data[threadIdx.x];
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        int left = __shfl_up_sync(~0u, sum, stride);
        if (threadIdx.x >= stride)
            sum = add(left, sum);
    }
    data[threadIdx.x] = sum;
}

/* Each block adds to what the block before has published: a chain of as many links as there are blocks. */
__global__ void chain(int *turn, volatile int *sum)
{
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(turn, 1);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    volatile int *ready = turn + 1;
    while (*ready != ticket)
        ;
    *sum = add(*sum, 1);
    __threadfence();
    *ready = ticket + 1;
}

__global__ void once(int *data)
{
    data[threadIdx.x] = add(data[threadIdx.x], 1);
}

/* Round k: block k adds to what the block before it has left. */
__global__ void relay(int *data)
{
    for (unsigned k = 0; k < gridDim.x; k++) {
        if (blockIdx.x == k && threadIdx.x == 0)
            *data = add(*data, 1);
        cooperative_groups::this_grid().sync();
    }
}

/* Each thread adds 1 by a compare-and-swap, and adds 1 more when it has. */
__global__ void swaps(int *data)
{
    int old = 0, seen;
    while ((seen = atomicCAS(data, old, add(old, 1))) != old)
        old = seen;
}

static void steps_are_the_longest_chain()
{
    RUN(serial<<<1, 64>>>(ints, 10));
    EXPECT("steps", 10);
    EXPECT("combines", 10);
    EXPECT("idle lanes", 2 * 10 * 31); /* the reads of one thread, and its additions */
    RUN(tree<<<1, 64>>>(ints));
    EXPECT("steps", 7);
    EXPECT("combines", 127);
    EXPECT("barriers", 7);
    RUN(hillis_steele<<<1, 64>>>(ints));
    EXPECT("steps", 6);
    EXPECT("combines", 64 * 6 - 63);
    RUN(shuffled<<<1, 32>>>(ints));
    EXPECT("steps", 5);
    RUN(once<<<16, 64>>>(ints)); /* all at once */
    EXPECT("steps", 1);
    RUN(once<<<1, 64>>>(ints); once<<<1, 64>>>(ints)); /* one launch after the other */
    EXPECT("steps", 2);
    void *arguments[] = {&ints};
    RUN(cudaLaunchCooperativeKernel((const void *)relay, dim3(5), dim3(32), arguments, 0, nullptr));
    EXPECT("steps", 5);
    EXPECT("global requests", 5 * 2);
    cudaMemset(others, 0, 16);
    RUN(swaps<<<1, 1>>>(others));
    EXPECT("steps", 1);
    EXPECT("atomics", 1);
    RUN(swaps<<<1, 1>>>(others)); /* the first one fails */
    EXPECT("steps", 2);
    EXPECT("atomics", 2);
    cudaMemset(others, 0, 16);
    RUN(chain<<<9, 32>>>(others, others + 2));
    EXPECT("steps", 9);
    EXPECT("atomics on one address", 9);
}

/* ---- by line ---------------------------------------------------------------------------------------------------- */

static int first_line = __LINE__ + 4;
__global__ void lines(int *data)
{
    __shared__ int tile[1024];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    int sum = add(tile[threadIdx.x * 8 % 256], 1);
    atomicAdd(&data[0], sum);
}

static const struct simt_line *line(int number)
{
    static const struct simt_line none = {};
    size_t count = simt_line_count();
    for (size_t i = 0; i < count; i++)
        if (simt_line_at(i)->where.line == number && strcmp(simt_line_at(i)->where.file, "check_meters.cu") == 0)
            return simt_line_at(i);
    return &none;
}

#define EXPECT_LINE(number, field, wanted) expect(__func__, #number " " #field, line(first_line + number)->field, wanted)

static void each_line_has_its_own_counts()
{
    RUN(lines<<<2, 64>>>(ints));
    EXPECT_LINE(0, shared_requests, 4);
    EXPECT_LINE(0, shared_wavefronts, 4);
    EXPECT_LINE(0, global_requests, 4);
    EXPECT_LINE(0, global_sectors, 16);
    EXPECT_LINE(0, excess_sectors, 0);
    EXPECT_LINE(0, instructions, 8);
    EXPECT_LINE(1, barriers, 2);
    EXPECT_LINE(2, shared_requests, 4);
    EXPECT_LINE(2, shared_wavefronts, 4 * 8);
    EXPECT_LINE(2, excess_wavefronts, 4 * 7);
    EXPECT_LINE(2, combines, 0); /* they stand where they are written: in add */
    EXPECT_LINE(3, atomics, 128);
    EXPECT_LINE(3, global_requests, 4);
    EXPECT_LINE(3, global_sectors, 4);
}

static void meters_that_are_off_are_not_there()
{
    simt_measure(false);
    RUN(tree<<<1, 64>>>(ints));
    EXPECT("combines", 127);
    EXPECT("barriers", 7);
    EXPECT("steps", ~0ull);
    EXPECT("shared wavefronts", ~0ull);
    simt_measure(true);
}

int main()
{
    static const struct {
        const char *name;
        struct simt_schedule schedule;
    } orders[] = {{"forward", {SIMT_FORWARD, 0, 16, 0}},
                  {"reverse", {SIMT_REVERSE, 0, 16, 0}},
                  {"random", {SIMT_RANDOM, 7, 2, 0}}};

    cudaMalloc(&ints, 4096 * sizeof *ints);
    cudaMalloc(&others, 4096 * sizeof *others);
    cudaMalloc(&bytes, 4096);
    cudaMemset(ints, 0, 4096 * sizeof *ints);
    simt_check(false); /* kernels that count one thing leave out what would make their results matter */
    simt_measure(true);
    for (const auto &order : orders) {
        order_name = order.name;
        simt_set_schedule(&order.schedule);
        strides_of_words();
        padding_spreads_a_column_over_the_banks();
        wide_accesses_go_in_halves_and_quarters();
        narrow_accesses_share_words();
        part_of_a_warp_takes_no_more_than_its_lanes_need();
        lanes_that_want_one_word_get_it_at_once();
        rounds_of_a_divergent_loop_are_told_apart();
        a_warp_operation_aligns_rounds_that_some_lanes_skip();
        branches_are_requests_of_their_own();
        atomics_on_one_word_go_one_after_the_other();
        sectors_of_a_warp();
        sectors_of_wide_and_narrow_accesses();
        what_a_block_has_fetched_it_need_not_fetch_again();
        copies_within_the_device_are_sectors_too();
        a_place_may_lead_to_both_memories();
        steps_are_the_longest_chain();
        each_line_has_its_own_counts();
        meters_that_are_off_are_not_there();
    }
    cudaFree(ints);
    cudaFree(others);
    cudaFree(bytes);
    printf("meters: %d passed, %d failed\n", passed, failed);
    return failed > 0;
}
