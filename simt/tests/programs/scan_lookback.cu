/* Single-pass scan with decoupled look-back (Merrill and Garland): a tile takes a ticket, publishes its sum, and
 * looks back over the tiles before it until one has published its inclusive prefix. Twice: with status and value
 * packed into one 64-bit word, and with a flag and two values apart, ordered by fences. */
#include "program.h"

static const int THREADS = 128, PER_THREAD = 4, TILE = THREADS * PER_THREAD;

enum Status { EMPTY = 0, AGGREGATE = 1, PREFIX = 2 };

struct TileState {
    volatile int status;
    volatile int aggregate;
    volatile int prefix;
};

__device__ unsigned next_tile;

/* Inclusive scan of one value per thread; every thread gets the block's sum in *total. */
__device__ int scan_block(int value, int *warp_sums, int *total)
{
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    for (int offset = 1; offset < 32; offset <<= 1) {
        int left = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= (unsigned)offset)
            value += left;
    }
    if (lane == 31)
        warp_sums[warp] = value;
    __syncthreads();
    int before = 0;
    *total = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        if (w == warp)
            before = *total;
        *total += warp_sums[w];
    }
    return before + value;
}

__global__ void scan_packed(const int *in, int *out, int n, unsigned long long *states)
{
    __shared__ int warp_sums[THREADS / 32];
    __shared__ unsigned tile_shared;
    __shared__ int prefix_shared;

    if (threadIdx.x == 0)
        tile_shared = atomicAdd(&next_tile, 1u);                /* tiles start in ticket order */
    __syncthreads();
    const unsigned tile = tile_shared;

    int v[PER_THREAD], own = 0, total;
    const int first = (int)(tile * TILE + threadIdx.x * PER_THREAD);
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        v[k] = first + k < n ? in[first + k] : 0;
        own += v[k];
    }
    int inclusive = scan_block(own, warp_sums, &total);

    if (threadIdx.x == 0) {
        int prefix = 0;
        if (tile > 0) {
            atomicExch(&states[tile], (unsigned long long)AGGREGATE << 32 | (unsigned)total);
            for (int back = (int)tile - 1; back >= 0; back--) {
                unsigned long long state;
                do
                    state = atomicAdd(&states[back], 0ull);
                while (state >> 32 == EMPTY);
                prefix += (int)(unsigned)state;
                if (state >> 32 == PREFIX)
                    break;
            }
        }
        atomicExch(&states[tile], (unsigned long long)PREFIX << 32 | (unsigned)(prefix + total));
        prefix_shared = prefix;
    }
    __syncthreads();
    int running = prefix_shared + inclusive - own;
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        running += v[k];
        if (first + k < n)
            out[first + k] = running;
    }
}

__global__ void scan_fenced(const int *in, int *out, int n, TileState *states, unsigned *ticket)
{
    __shared__ int warp_sums[THREADS / 32];
    __shared__ int tile_shared, prefix_shared;

    if (threadIdx.x == 0)
        tile_shared = (int)atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = tile_shared, i = tile * THREADS + (int)threadIdx.x;
    int value = i < n ? in[i] : 0, total;
    int inclusive = scan_block(value, warp_sums, &total);

    if (threadIdx.x == 0) {
        states[tile].aggregate = total;
        __threadfence();                                        /* the value before its flag */
        states[tile].status = AGGREGATE;
        int prefix = 0;
        for (int back = tile - 1; back >= 0; back--) {
            int status;
            while ((status = states[back].status) == EMPTY)
                ;
            __threadfence();                                    /* the flag before its value */
            if (status == PREFIX) {
                prefix += states[back].prefix;
                break;
            }
            prefix += states[back].aggregate;
        }
        states[tile].prefix = prefix + total;
        __threadfence();
        states[tile].status = PREFIX;
        prefix_shared = prefix;
    }
    __syncthreads();
    if (i < n)
        out[i] = prefix_shared + inclusive;
}

int main()
{
    for (int n : {1, 512, 513, 5000, 33333}) {
        std::vector<int> values = random_ints(n, 100000, n), want(n);
        int *in = to_device(values), *out = device_alloc<int>(n);

        unsigned running = 0;
        for (int i = 0; i < n; i++) {
            running += (unsigned)values[i];
            want[i] = (int)running;
        }

        const unsigned zero = 0, tiles = blocks_for(n, TILE), small_tiles = blocks_for(n, THREADS);
        unsigned long long *states = device_alloc<unsigned long long>(tiles);
        CUDA_CHECK(cudaMemset(states, 0, tiles * sizeof *states));
        CUDA_CHECK(cudaMemcpyToSymbol(next_tile, &zero, sizeof zero));
        scan_packed<<<tiles, THREADS>>>(in, out, n, states);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("packed states", from_device(out, n), want);

        TileState *apart = device_alloc<TileState>(small_tiles);
        unsigned *ticket = device_alloc<unsigned>(1);
        CUDA_CHECK(cudaMemset(apart, 0, small_tiles * sizeof *apart));
        CUDA_CHECK(cudaMemset(ticket, 0, sizeof *ticket));
        CUDA_CHECK(cudaMemset(out, 0xff, n * sizeof *out));
        scan_fenced<<<small_tiles, THREADS>>>(in, out, n, apart, ticket);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("flags and fences", from_device(out, n), want);
        expect_number("tickets", from_device(ticket, 1)[0], small_tiles);

        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
        CUDA_CHECK(cudaFree(states));
        CUDA_CHECK(cudaFree(apart));
        CUDA_CHECK(cudaFree(ticket));
    }
    return program_end();
}
