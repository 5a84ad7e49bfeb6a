// The meters, on kernels small enough to count by hand. Each test runs under three schedules, because the requests of a
// warp do not depend on which lane runs first.
#include "meters.h"
#include <cooperative_groups.h>

static int *ints;   /* 4096, all 0 */
static int *others; /* the same */
static char *bytes;

/* ---- shared memory: each lane writes a place and reads it: two requests --------------------------------------- */

template <class T, int STRIDE, int ROW> __global__ void strided(T *out)
{
    __shared__ T tile[2048 / sizeof(T) * 4];
    unsigned place = threadIdx.x * STRIDE;
    place += place / ROW; /* one unused place in each row */
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

/* Lane t makes t + 1 iterations, so iteration k has the lanes from k on. */
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

/* Odd lanes skip every second iteration, and all lanes wait for each other in each. */
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
    atomicAdd(&count[threadIdx.x / 4], 1); /* 4 lanes for each word */
    __syncthreads();
    atomicAdd(out, count[threadIdx.x]);
}

static void atomics_on_one_word_go_one_after_the_other()
{
    RUN(counters<<<2, 32>>>(others));
    EXPECT("shared wavefronts", 2 * (1 + 1 + 4 + 1));
    EXPECT("global sectors", 2 * 1);
    EXPECT("atomics", 2 * 3 * 32);
    EXPECT("atomics on one address", 2 * 32); /* each block has its own shared memory, with 5 there */
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
    RUN(copy_strided<<<1, 32>>>(ints + 1, others, 1)); /* one word past the sector */
    EXPECT("global sectors", 5 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 2));
    EXPECT("global sectors", 8 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 8)); /* a sector for each lane */
    EXPECT("global sectors", 32 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 32));
    EXPECT("global sectors", 32 + 4);
    RUN(copy_strided<<<1, 32>>>(ints, others, 0)); /* one word for all */
    EXPECT("global sectors", 1 + 4);
    RUN(copy_strided<<<1, 5>>>(ints, others, 1));
    EXPECT("global sectors", 1 + 1);
    RUN(copy_strided<<<4, 256>>>(ints, others, 1)); /* no earlier requests are remembered */
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
    RUN(twice<<<2, 32>>>(ints, others, 8)); /* but another block must read it again */
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

static void allocate_and_copy(void *)
{
    int *own, host;
    cudaMalloc(&own, 4096);
    cudaMemset(own, 0, 64);
    cudaMemcpy(others, own, 64, cudaMemcpyDeviceToDevice);
    cudaMemcpy(&host, own, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(own);
}

static void what_the_host_asks_for_counts_in_a_call_only()
{
    RUN(simt_call(allocate_and_copy, nullptr));
    EXPECT("allocations", 1);
    EXPECT("allocated bytes", 4096);
    EXPECT("device copies", 2);
    EXPECT("host copies", 1);
    EXPECT("stock calls", 0);
    RUN(allocate_and_copy(nullptr));
    EXPECT("allocations", 0);
    EXPECT("allocated bytes", 0);
    EXPECT("device copies", 0);
    EXPECT("host copies", 0);
}

/* One function for both memories: its accesses belong to the memory that the pointer points to. */
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

__global__ void through_shared_memory(const int *in, int *out, unsigned words, unsigned rounds)
{
    __shared__ int tile[256];
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = threadIdx.x; i < words * (blockIdx.x + 1); i += 32)
            tile[i] = in[i];
    out[threadIdx.x] = tile[threadIdx.x];
}

static void launches_and_blocks_add_up()
{
    RUN(copy_strided<<<3, 32>>>(ints, others, 1); copy_strided<<<dim3(2, 2), 32>>>(ints, others, 1));
    EXPECT("launches", 2);
    EXPECT("blocks", 3 + 4);
    RUN((void)0);
    EXPECT("launches", 0);
    EXPECT("blocks", 0);
}

static void bytes_in_global_memory_count_each_time()
{
    RUN(through_shared_memory<<<1, 32>>>(ints, others, 64, 3));
    EXPECT("global bytes", 4 * (3 * 64 + 32));
    EXPECT("written bytes", 4 * 32);
    RUN(copy_strided<<<1, 32>>>((const int4 *)ints, (int4 *)others, 1));
    EXPECT("global bytes", 2 * 32 * 16);
    RUN(cudaMemcpy(others, ints, 4096, cudaMemcpyDeviceToDevice); cudaMemset(others, 0, 4096));
    EXPECT("global bytes", 3 * 4096);
    EXPECT("written bytes", 2 * 4096);
    int host[8];
    RUN(cudaMemcpy(host, ints, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT("global bytes", sizeof host);
}

static void bytes_of_shared_memory_count_once_in_the_block_that_has_most()
{
    RUN(through_shared_memory<<<1, 32>>>(ints, others, 64, 3));
    EXPECT("shared bytes", 4 * 64);
    RUN(through_shared_memory<<<3, 32>>>(ints, others, 64, 1); through_shared_memory<<<1, 32>>>(ints, others, 32, 1));
    EXPECT("shared bytes", 4 * 3 * 64);
    RUN(copy_strided<<<1, 32>>>(ints, others, 1));
    EXPECT("shared bytes", 0);
}

/* Blocks draw tiles. In a look-back they publish that a tile has its sum (1), and later that it has its prefix (2). In a chain
 * they publish prefixes only. */
__global__ void draw_tiles(int *ticket, volatile int *status, int tiles, bool chained)
{
    for (int b = atomicAdd(ticket, 1); *(volatile int *)ticket >= 0 && b < tiles; b = atomicAdd(ticket, 1)) {
        if (!chained && b > 0)
            atomicExch((int *)&status[b], 1);
        for (int from = b; from > 0;) {
            const int seen = b % 2 ? status[from - 1] : atomicAdd((int *)&status[from - 1], 0);
            if (seen == 2)
                break;
            from -= seen == 1;
        }
        status[b] = 2;
    }
}

static void past_a_held_block_go_those_that_do_not_wait_for_it()
{
    enum { TILES = 64 };
    static const struct {
        unsigned blocks, read, held, past; /* in a look-back; in a chain the same is held */
    } cases[] = {{64, 1, 1, 62}, {8, 1, 1, 6}, {3, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 0, 0}, {64, 5, 1, 59}, {64, 99, 0, 0}};
    for (const auto &of : cases)
        for (int chained = 0; chained < 2; chained++) {
            const simt_schedule lockstep = {SIMT_LOCKSTEP, of.read, 16, 0};
            simt_set_schedule(&lockstep);
            cudaMemset(others, 0, sizeof(int) * (TILES + 1));
            RUN(draw_tiles<<<of.blocks, 1>>>(others, others + 1, TILES, chained));
            if (!chained || of.read == 1)
                EXPECT("blocks held", of.held);
            EXPECT("blocks past the held one", chained ? 0 : of.past);
        }
    const simt_schedule forward = {SIMT_FORWARD, 1, 16, 0};
    simt_set_schedule(&forward);
    cudaMemset(others, 0, sizeof(int) * (TILES + 1));
    RUN(draw_tiles<<<TILES, 1>>>(others, others + 1, TILES, false));
    EXPECT("blocks held", 0);
}

enum { LOOKS = 4 /* the fourth one comes while a block is held up */ };

/* A chain. Blocks that wait look at the flag of tile 0 and write an element of their own result, or the first one, which other
 * blocks write, too. `again`: it writes its own element once more when it has its prefix. */
__global__ void pretend(int *ticket, volatile int *status, int *result, bool own, bool again)
{
    const int b = atomicAdd(ticket, 1);
    int looks   = 0;
    while (b > 0 && status[b - 1] != 2)
        if (status[0] == 2 && ++looks == LOOKS)
            result[own ? b : 0] = 1;
    if (again)
        result[b] = 2;
    status[b] = 2;
}

static void past_a_held_block_are_those_whose_results_stay()
{
    enum { BLOCKS = 16 };
    static const struct {
        bool own, again;
        unsigned past;
    } cases[] = {{true, false, BLOCKS / 2}, {true, true, 0}, {false, false, 0}};
    int *result;
    cudaMalloc(&result, BLOCKS * sizeof *result);
    simt_mark_output(result);
    for (const auto &of : cases) {
        const simt_schedule lockstep = {SIMT_LOCKSTEP, 2, BLOCKS, 0};
        simt_set_schedule(&lockstep);
        cudaMemset(others, 0, sizeof(int) * (BLOCKS + 1));
        RUN(pretend<<<BLOCKS, 1>>>(others, others + 1, result, of.own, of.again));
        EXPECT("blocks held", 1);
        EXPECT("blocks past the held one", of.past);
    }
    cudaFree(result);
}

int main()
{
    static void (*const tests[])() = {
        strides_of_words,
        padding_spreads_a_column_over_the_banks,
        wide_accesses_go_in_halves_and_quarters,
        narrow_accesses_share_words,
        part_of_a_warp_takes_no_more_than_its_lanes_need,
        lanes_that_want_one_word_get_it_at_once,
        rounds_of_a_divergent_loop_are_told_apart,
        a_warp_operation_aligns_rounds_that_some_lanes_skip,
        branches_are_requests_of_their_own,
        atomics_on_one_word_go_one_after_the_other,
        sectors_of_a_warp,
        sectors_of_wide_and_narrow_accesses,
        what_a_block_has_fetched_it_need_not_fetch_again,
        copies_within_the_device_are_sectors_too,
        what_the_host_asks_for_counts_in_a_call_only,
        a_place_may_lead_to_both_memories,
        launches_and_blocks_add_up,
        bytes_in_global_memory_count_each_time,
        bytes_of_shared_memory_count_once_in_the_block_that_has_most,
        past_a_held_block_go_those_that_do_not_wait_for_it,
        past_a_held_block_are_those_whose_results_stay,
    };

    cudaMalloc(&ints, 4096 * sizeof *ints);
    cudaMalloc(&others, 4096 * sizeof *others);
    cudaMalloc(&bytes, 4096);
    cudaMemset(ints, 0, 4096 * sizeof *ints);
    under_schedules(tests, sizeof tests / sizeof *tests);
    cudaFree(ints);
    cudaFree(others);
    cudaFree(bytes);
    return closing_line("meters", passed, failed);
}
