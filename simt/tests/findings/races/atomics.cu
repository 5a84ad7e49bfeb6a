/* Read-modify-writes of each kind, and the plain code that they replace. */
#include "pair.h"

__device__ int best, bits, parity, left_over;
__device__ unsigned place;

/* expect: race on __device__ best */
__global__ void least(bool faulty)
{
    int mine = 10 - (int)blockIdx.x;
    if (!faulty)
        atomicMin(&best, mine);
    else if (mine < best) //! reads
        best = mine;      //! writes
}
PAIR(atomic_least_by_comparing)
{
    int ten = 100;
    must(cudaMemcpyToSymbol(best, &ten, sizeof ten));
    least<<<6, 1>>>(faulty);
}

/* The look that saves the atomic operation must not be a plain read, because other threads update atomically.
 * expect: race on __device__ best
 * also: warning: the order of threads decides what is read of __device__ best */
__global__ void greatest(bool faulty)
{
    int mine = blockIdx.x + 1;
    if (faulty ? mine > best : mine > atomicAdd(&best, 0)) //! looks
        atomicMax(&best, mine);                            //! sets
}
PAIR(atomic_spared_by_a_plain_look)
{
    greatest<<<6, 1>>>(faulty);
}

/* expect: race on __device__ bits */
__global__ void set_bits(bool faulty)
{
    if (faulty)
        bits |= 1 << threadIdx.x; //! both
    else
        atomicOr(&bits, 1 << threadIdx.x);
}
PAIR(atomic_bits_by_or)
{
    set_bits<<<1, 32>>>(faulty);
}

/* One thread clears its bit plainly while the others set theirs.
 * expect: race on __device__ bits */
__global__ void clear_bits(bool faulty)
{
    if (threadIdx.x != 7)
        atomicOr(&bits, 1 << threadIdx.x); //! sets
    else if (faulty)
        bits &= ~(1 << threadIdx.x); //! clears
    else
        atomicAnd(&bits, ~(1 << threadIdx.x));
}
PAIR(atomic_bits_cleared_plainly)
{
    clear_bits<<<1, 32>>>(faulty);
}

/* expect: race on __device__ parity */
__global__ void flip(bool faulty)
{
    if (faulty)
        parity ^= 1; //! both
    else
        atomicXor(&parity, 1);
}
PAIR(atomic_parity)
{
    flip<<<5, 1>>>(faulty);
}

/* A ring of places: atomicInc wraps to 0 by itself, but a reset by hand races with other threads.
 * expect: race on __device__ place */
__global__ void draw_round(unsigned *out, bool faulty)
{
    unsigned mine = faulty ? atomicAdd(&place, 1) : atomicInc(&place, 3); //! draws
    out[blockIdx.x] = mine;
    if (faulty && mine == 1)
        place = 0; //! sets back
}
PAIR(atomic_ring_set_back_by_hand)
{
    draw_round<<<8, 1>>>(zeros<unsigned>(8), faulty);
}

/* expect: race on __device__ place */
__global__ void take_down(int *taken, bool faulty)
{
    unsigned mine;
    if (faulty)
        mine = place--; //! both
    else
        mine = atomicDec(&place, 7);
    taken[blockIdx.x] = (int)mine;
}
PAIR(atomic_countdown)
{
    unsigned seven = 7;
    must(cudaMemcpyToSymbol(place, &seven, sizeof seven));
    take_down<<<8, 1>>>(zeros<int>(8), faulty);
}

/* A loop of compare-and-swaps, like atomicAdd for double in the CUDA C++ Programming Guide, begins with a plain read.
 * If that is too early, the compare-and-swap fails and the loop continues, so this is a warning.
 * expect: warning: a plain read of */
__global__ void add_up(float *sum, bool faulty)
{
    int *address = (int *)sum, old = faulty ? *address : atomicAdd(address, 0), seen; //! looks
    do {
        seen = old;
        old = atomicCAS(address, seen, __float_as_int(__int_as_float(seen) + 1.0f)); //! swaps
    } while (old != seen);
}
PAIR(atomic_swap_after_a_plain_look)
{
    add_up<<<6, 1>>>(zeros<float>(1), faulty);
}

/* A stack: the new node is filled in before the head points to it, with a fence between.
 * expect: race on
 * resident: 2 */
__device__ int head;
__global__ void push_and_pop(int *values, int *next, int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        for (int node = 1; node < 4; node++) {
            int old = atomicAdd(&head, 0), seen;
            do {
                seen = old;
                values[node] = node; //! writes
                next[node] = seen;
                if (!faulty)
                    __threadfence();
                old = atomicCAS(&head, seen, node);
            } while (old != seen);
        }
    } else {
        int top;
        while ((top = atomicExch(&head, 0)) == 0)
            ;
        __threadfence();
        *out = values[top]; //! reads
    }
}
PAIR(atomic_stack_without_release)
{
    push_and_pop<<<2, 1>>>(zeros<int>(4), zeros<int>(4), zeros<int>(1), faulty);
}

/* The greatest value and its place must be in one word of 64 bits, or the place is from whichever thread was last.
 * expect: race on */
__global__ void where_is_the_greatest(unsigned long long *packed, int *where, bool faulty)
{
    unsigned long long mine = (unsigned long long)5 << 8; /* a tie */
    if (!faulty)
        atomicMax(packed, mine | blockIdx.x);
    else if (atomicMax(packed, mine) <= mine)
        *where = (int)blockIdx.x; //! both
}
PAIR(atomic_place_of_the_greatest)
{
    where_is_the_greatest<<<6, 1>>>(zeros<unsigned long long>(1), zeros<int>(1), faulty);
}

/* Atomics of 16 bits next to a plain neighbour, which is not part of them.
 * expect: race on __device__ halves */
__device__ unsigned short halves[2];
__global__ void swap_halves(bool faulty)
{
    if (blockIdx.x == 0)
        halves[faulty ? 0 : 1] = 3; //! writes
    else
        atomicCAS(&halves[0], (unsigned short)0, (unsigned short)1); //! swaps
}
PAIR(atomic_of_16_bits)
{
    swap_halves<<<2, 1>>>(faulty);
}

/* Atomic operations on 64 bits and on their lower 32 are not atomic to each other.
 * expect: race on __device__ wide */
__device__ unsigned long long wide;
__global__ void two_widths(bool faulty)
{
    if (faulty && blockIdx.x == 0)
        atomicAdd((unsigned *)&wide, 1u); //! lower half
    else
        atomicAdd(&wide, 1ull); //! whole
}
PAIR(atomic_of_two_widths)
{
    two_widths<<<3, 1>>>(faulty);
}

/* Each component of a vector is added atomically, so a plain read of the whole vector races.
 * expect: race on */
__global__ void add_vectors(float2 *sum, float2 *out, bool faulty)
{
    if (blockIdx.x == 1)
        *out = faulty ? *sum : make_float2(atomicAdd(&sum->x, 0.0f), atomicAdd(&sum->y, 0.0f)); //! reads
    atomicAdd(&sum->y, 1.0f);                                                                   //! adds
}
PAIR(atomic_component_and_whole_vector)
{
    add_vectors<<<3, 1>>>(zeros<float2>(1), zeros<float2>(1), faulty);
}

/* expect: race on */
__global__ void add_doubles(double *sum, bool faulty)
{
    double mine = 1.0 + threadIdx.x;
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, lanes);
    if (threadIdx.x % 32 == 0) {
        if (faulty)
            *sum += mine; //! both
        else
            atomicAdd(sum, mine);
    }
}
PAIR(atomic_sum_of_warps)
{
    add_doubles<<<1, 128>>>(zeros<double>(1), faulty);
}

/* Places for the output are drawn by blocks, and all threads need the base.
 * expect: race on shared base
 * also: read of uninitialized shared base
 * also: warning: the same value */
__global__ void append(const int *in, int *out, bool faulty)
{
    __shared__ unsigned base;
    if (threadIdx.x == 0)
        base = atomicAdd(&place, blockDim.x); //! draws
    if (!faulty)
        __syncthreads();
    out[(base + threadIdx.x) % 1024] = in[threadIdx.x] + (int)threadIdx.x; //! uses
}
PAIR(atomic_base_not_waited_for)
{
    append<<<2, 64>>>(zeros<int>(64), zeros<int>(1024), faulty);
}

/* The returned number is this thread's own place; the counter, read again, is not.
 * expect: race on __device__ place */
__global__ void append_one(int *out, bool faulty)
{
    unsigned mine = atomicAdd(&place, 1); //! draws
    if (faulty)
        mine = place - 1; //! reads
    out[mine % 64] = 1;
}
PAIR(atomic_counter_read_again)
{
    append_one<<<8, 1>>>(zeros<int>(64), faulty);
}

/* A block's histogram is added to the grid's by atomic operations, because other blocks add to it too.
 * expect: race on */
__global__ void merge(int *bins, bool faulty)
{
    __shared__ int mine[32];
    mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&mine[threadIdx.x * 5 % 32], 1);
    __syncthreads();
    if (faulty)
        bins[threadIdx.x] += mine[threadIdx.x]; //! both
    else
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
PAIR(atomic_histograms_merged)
{
    merge<<<4, 32>>>(zeros<int>(32), faulty);
}

/* The host reads atomic results after the launch, and threads of the block read them after a barrier.
 * expect: race on shared count */
__global__ void count_then_read(int *out, bool faulty)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1); //! counts
    if (faulty)
        __syncwarp();
    else
        __syncthreads();
    out[threadIdx.x] = count; //! reads
}
PAIR(atomic_count_read_after_a_warp)
{
    count_then_read<<<1, 64>>>(zeros<int>(64), faulty);
}

/* The thread that wins the exchange does the work; the others must not use its result.
 * expect: race on */
__global__ void make_by_winner(int *made, int *out, bool faulty)
{
    if (atomicExch(&left_over, 1) == 0)
        *made = 42; //! makes
    else if (faulty)
        out[blockIdx.x] = *made; //! uses
}
PAIR(atomic_winner_makes_it)
{
    make_by_winner<<<4, 1>>>(zeros<int>(1), zeros<int>(4), faulty);
}
