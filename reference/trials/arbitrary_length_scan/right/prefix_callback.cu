/* As CUB 1.x does it: WarpScan and BlockScan as classes with TempStorage in a union, items in blocked arrangement through a
 * transpose, and a functor that the first warp calls with the tile's aggregate for the tile's prefix. Descriptors are three arrays
 * of their own: a status that is read volatile, and values before a fence. scan_exclusive is the inclusive scan of a shifted copy.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"
#include <cstdio>

#define CubDebug(e)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t code_ = (e);                                                                                 \
        if (code_ != cudaSuccess)                                                                                      \
            printf("CUDA error %d: %s\n", (int)code_, cudaGetErrorString(code_));                                      \
    } while (0)

enum ScanTileStatus : int { INVALID, PARTIAL, INCLUSIVE };

constexpr int THREADS = 128, ITEMS = TILE >= 512 ? 4 : 1;
constexpr int TILE_ITEMS = THREADS * ITEMS, WARPS = THREADS / 32;

struct TileState {
    int *status;
    elem_t *partial, *inclusive;

    __device__ void set(int tile, elem_t value, ScanTileStatus what) const
    {
        (what == PARTIAL ? partial : inclusive)[tile] = value;
        __threadfence();
        *(volatile int *)&status[tile] = what;
    }

    __device__ int wait(int tile, elem_t &value) const
    {
        int what;
        do {
            what = *(volatile int *)&status[tile];
        } while (what == INVALID);
        __threadfence();
        value = (what == PARTIAL ? partial : inclusive)[tile];
        return what;
    }
};

struct WarpScan {
    static __device__ elem_t up(elem_t x, unsigned d)
    {
        union U {
            elem_t value;
            int words[sizeof(elem_t) / 4];
            __device__ U() {}
        } u;
        u.value = x;
#pragma unroll
        for (int &word : u.words)
            word = __shfl_up_sync(0xffffffffu, word, d);
        return u.value;
    }

    static __device__ elem_t inclusive(elem_t x, int lane)
    {
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            const elem_t left = up(x, d);
            if (lane >= d)
                x = combine(left, x);
        }
        return x;
    }
};

struct BlockScan {
    struct TempStorage {
        elem_t warp_aggregates[WARPS];
        elem_t prefix;
    };

    TempStorage &temp;
    const int warp, lane;

    __device__ BlockScan(TempStorage &t) : temp(t), warp(threadIdx.x / 32), lane(threadIdx.x % 32) {}

    /* items[k] becomes the inclusive scan, with the prefix that the callback returns before it. */
    template <class Callback> __device__ void InclusiveScan(elem_t (&items)[ITEMS], elem_t &aggregate, Callback &callback)
    {
#pragma unroll
        for (int k = 1; k < ITEMS; k++)
            items[k] = combine(items[k - 1], items[k]);
        elem_t scanned = WarpScan::inclusive(items[ITEMS - 1], lane);
        if (lane == 31)
            temp.warp_aggregates[warp] = scanned;
        __syncthreads();
        elem_t before = WarpScan::up(scanned, 1), sums = temp.warp_aggregates[0];
        bool has = lane > 0;
        aggregate = sums;
#pragma unroll
        for (int w = 1; w < WARPS; w++) {
            if (w == warp) {
                before = has ? combine(aggregate, before) : aggregate;
                has    = true;
            }
            aggregate = combine(aggregate, temp.warp_aggregates[w]);
        }
        if (callback.has_prefix()) {
            if (warp == 0) {
                const elem_t prefix = callback(aggregate);
                if (lane == 0)
                    temp.prefix = prefix;
            }
            __syncthreads();
            before = has ? combine(temp.prefix, before) : temp.prefix;
            has    = true;
        } else if (threadIdx.x == 0) {
            callback.first(aggregate);
        }
        if (has)
#pragma unroll
            for (int k = 0; k < ITEMS; k++)
                items[k] = combine(before, items[k]);
    }
};

struct NoPrefix {
    __device__ bool has_prefix() const { return false; }
    __device__ void first(elem_t) {}
    __device__ elem_t operator()(elem_t x) { return x; }
};

struct Spine {
    const elem_t *sums;
    int tile;
    __device__ bool has_prefix() const { return tile > 0; }
    __device__ void first(elem_t) {}
    __device__ elem_t operator()(elem_t) { return sums[tile - 1]; }
};

struct LookBack {
    TileState state;
    int tile;
    __device__ bool has_prefix() const { return tile > 0; }
    __device__ void first(elem_t aggregate) { state.set(0, aggregate, INCLUSIVE); }
    __device__ elem_t operator()(elem_t aggregate)
    {
        elem_t prefix = IDENTITY;
        if (threadIdx.x == 0) {
            state.set(tile, aggregate, PARTIAL);
            int what = state.wait(tile - 1, prefix);
            for (int before = tile - 2; what != INCLUSIVE; before--) {
                elem_t value;
                what   = state.wait(before, value);
                prefix = combine(value, prefix);
            }
            state.set(tile, combine(prefix, aggregate), INCLUSIVE);
        }
        return prefix;
    }
};

union Shared {
    BlockScan::TempStorage scan;
    elem_t items[TILE_ITEMS];
    __device__ Shared() {}
};

template <class Callback>
__device__ elem_t consume_tile(Shared &shared, const elem_t *in, elem_t *out, size_t base, int valid, Callback callback)
{
    elem_t items[ITEMS], aggregate;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i     = k * THREADS + threadIdx.x;
        shared.items[i] = i < valid ? in[base + i] : IDENTITY;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        items[k] = shared.items[threadIdx.x * ITEMS + k];
    __syncthreads();
    BlockScan(shared.scan).InclusiveScan(items, aggregate, callback);
    __syncthreads();
    if (out) {
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            shared.items[threadIdx.x * ITEMS + k] = items[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = k * THREADS + threadIdx.x;
            if (i < valid)
                out[base + i] = shared.items[i];
        }
    }
    return aggregate;
}

static __device__ int valid_of(size_t n, size_t base, int most) { return n - base < (size_t)most ? (int)(n - base) : most; }

/* The contract's tiles, a part of one by each turn. */
__global__ void __launch_bounds__(THREADS) tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ Shared shared;
    __shared__ elem_t carry;
    const size_t base = (size_t)blockIdx.x * TILE;
    const int all     = valid_of(n, base, TILE);
    for (int done = 0; done < all; done += TILE_ITEMS) {
        Spine spine = {&carry, done > 0};
        const int valid  = min(TILE_ITEMS, all - done);
        elem_t aggregate = consume_tile(shared, in, out, base + done, valid, spine);
        if (threadIdx.x == 0) {
            carry = done > 0 ? combine(carry, aggregate) : aggregate;
            if (done + TILE_ITEMS >= all)
                sums[blockIdx.x] = carry;
        }
        __syncthreads();
    }
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n)
        tiles_kernel<<<(unsigned)((n + TILE - 1) / TILE), THREADS>>>(in, out, sums, n);
    CubDebug(cudaPeekAtLastError());
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = i < TILE ? in[i] : combine(sums[i / TILE - 1], in[i]);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n)
        add_kernel<<<(unsigned)((n + 255) / 256), 256>>>(sums, in, out, n);
}

__global__ void __launch_bounds__(THREADS) upsweep_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    __shared__ Shared shared;
    const size_t base = (size_t)blockIdx.x * TILE_ITEMS;
    const elem_t sum  = consume_tile(shared, in, (elem_t *)nullptr, base, valid_of(n, base, TILE_ITEMS), NoPrefix());
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) downsweep_kernel(const elem_t *in, elem_t *out, const elem_t *sums, size_t n)
{
    __shared__ Shared shared;
    const size_t base = (size_t)blockIdx.x * TILE_ITEMS;
    consume_tile(shared, in, out, base, valid_of(n, base, TILE_ITEMS), Spine{sums, (int)blockIdx.x});
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    const size_t tiles = (n + TILE_ITEMS - 1) / TILE_ITEMS;
    elem_t *sums       = nullptr;
    if (tiles > 1) {
        CubDebug(cudaMalloc(&sums, tiles * sizeof *sums));
        upsweep_kernel<<<(unsigned)tiles, THREADS>>>(in, sums, n);
        scan_inclusive(sums, sums, tiles);
    }
    if (tiles > 0)
        downsweep_kernel<<<(unsigned)tiles, THREADS>>>(in, out, sums, n);
    if (sums)
        CubDebug(cudaFree(sums));
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    const elem_t identity = IDENTITY;
    elem_t *shifted;
    if (n == 0)
        return;
    CubDebug(cudaMalloc(&shifted, n * sizeof *shifted));
    CubDebug(cudaMemcpy(shifted, &identity, sizeof identity, cudaMemcpyHostToDevice));
    CubDebug(cudaMemcpy(shifted + 1, in, (n - 1) * sizeof *in, cudaMemcpyDeviceToDevice));
    scan_inclusive(shifted, out, n);
    CubDebug(cudaFree(shifted));
}

__global__ void __launch_bounds__(THREADS)
    single_pass_kernel(const elem_t *in, elem_t *out, TileState state, unsigned *ticket, size_t n)
{
    __shared__ Shared shared;
    __shared__ unsigned drawn;
    if (threadIdx.x == 0)
        drawn = atomicInc(ticket, 0xffffffffu);
    __syncthreads();
    const int tile    = (int)drawn;
    const size_t base = (size_t)tile * TILE_ITEMS;
    consume_tile(shared, in, out, base, valid_of(n, base, TILE_ITEMS), LookBack{state, tile});
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    const size_t tiles = (n + TILE_ITEMS - 1) / TILE_ITEMS;
    TileState state;
    unsigned *ticket;
    if (tiles == 0)
        return;
    CubDebug(cudaMalloc(&state.status, (tiles + 1) * sizeof(int)));
    CubDebug(cudaMalloc(&state.partial, tiles * sizeof(elem_t)));
    CubDebug(cudaMalloc(&state.inclusive, tiles * sizeof(elem_t)));
    CubDebug(cudaMemset(state.status, 0, (tiles + 1) * sizeof(int)));
    ticket = (unsigned *)(state.status + tiles);
    single_pass_kernel<<<(unsigned)tiles, THREADS>>>(in, out, state, ticket, n);
    CubDebug(cudaFree(state.status));
    CubDebug(cudaFree(state.partial));
    CubDebug(cudaFree(state.inclusive));
}
