/* Every atomic function, and code built from compare-and-swap: a float maximum and product, a spin lock, a ring buffer
 * with atomicInc, saturating counters. Only results that no order changes are printed. */
#include "program.h"

struct Totals {
    int add, sub, low, high;
    unsigned low_u, high_u, conj, disj, parity, ring, down;
    unsigned long long add_64, high_64, disj_64;
    float add_float;
    double add_double;
};

__global__ void all_atomics(const int *in, int n, Totals *totals)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int v = in[i];
        atomicAdd(&totals->add, v);
        atomicSub(&totals->sub, v);
        atomicMin(&totals->low, v);
        atomicMax(&totals->high, v);
        atomicMin(&totals->low_u, (unsigned)v);
        atomicMax(&totals->high_u, (unsigned)v);
        atomicAnd(&totals->conj, (unsigned)v | 0x00ff00f0u);
        atomicOr(&totals->disj, (unsigned)v & 0x0f0f0f0fu);
        atomicXor(&totals->parity, (unsigned)v);
        atomicInc(&totals->ring, 99u);
        atomicDec(&totals->down, 49u);
        atomicAdd(&totals->add_64, (unsigned long long)(unsigned)v << 8);
        atomicMax(&totals->high_64, (unsigned long long)(unsigned)v * 3ull);
        atomicOr(&totals->disj_64, 1ull << (v & 63));
        atomicAdd(&totals->add_float, (float)(v & 15));             /* small whole numbers: exact in any order */
        atomicAdd(&totals->add_double, (double)v * 0.25);
    }
}

__device__ float atomic_max_float(float *address, float value)
{
    int *as_int = (int *)address, old = *(volatile int *)address, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value)
            break;
        old = atomicCAS(as_int, assumed, __float_as_int(value));
    } while (assumed != old);
    return __int_as_float(old);
}

__device__ double atomic_multiply(double *address, double factor)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = atomicAdd(bits, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(__longlong_as_double((long long)assumed) * factor));
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}

__global__ void built_of_cas(const float *in, int n, float *largest, double *product, float *largest_by_bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomic_max_float(largest, in[i]);
        atomic_multiply(product, i % 3 == 0 ? 2.0 : i % 3 == 1 ? 0.5 : 1.0);
        if (in[i] >= 0.0f)                                      /* floats >= 0 have the order of their bits */
            atomicMax((int *)largest_by_bits, __float_as_int(in[i]));
    }
}

__device__ int lock_word;
__device__ long long guarded[2];

__global__ void under_a_lock(int rounds)
{
    if (threadIdx.x == 0) {
        for (int r = 0; r < rounds; r++) {
            while (atomicCAS(&lock_word, 0, 1) != 0)
                ;
            __threadfence();
            volatile long long *cell = guarded;
            cell[0] = cell[0] + blockIdx.x;                     /* two plain updates, one after the other */
            cell[1] = cell[1] + 1;
            __threadfence();
            atomicExch(&lock_word, 0);
        }
    }
}

/* Each thread pushes its number into a ring; all places together have every number once. */
__global__ void push_to_ring(unsigned *ring, unsigned capacity, unsigned *tail)
{
    unsigned at = atomicInc(tail, capacity - 1);
    ring[at] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void block_and_system_scopes(int *cells)
{
    __shared__ int in_block;
    if (threadIdx.x == 0)
        in_block = 0;
    __syncthreads();
    atomicAdd_block(&in_block, 2);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd_system(&cells[0], in_block);
        atomicMax_system(&cells[1], (int)blockIdx.x);
    }
}

/* The old value that atomicExch returns: every number except the last one stored is returned once. */
__global__ void relay(unsigned *baton, unsigned long long *returned)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x + 1;
    atomicAdd(returned, (unsigned long long)atomicExch(baton, id));
}

int main()
{
    const int n = 3000;
    std::vector<int> values = random_ints(n, 100000, 77);
    Totals want = {}, start = {};
    start.low = want.low = 1 << 30;
    start.high = want.high = -(1 << 30);
    start.low_u = want.low_u = start.conj = want.conj = 0xffffffffu;
    for (int i = 0; i < n; i++) {
        int v = values[i];
        unsigned u = (unsigned)v;
        want.add += v;
        want.sub -= v;
        want.low = v < want.low ? v : want.low;
        want.high = v > want.high ? v : want.high;
        want.low_u = u < want.low_u ? u : want.low_u;
        want.high_u = u > want.high_u ? u : want.high_u;
        want.conj &= u | 0x00ff00f0u;
        want.disj |= u & 0x0f0f0f0fu;
        want.parity ^= u;
        want.ring = want.ring >= 99 ? 0 : want.ring + 1;
        want.down = want.down == 0 || want.down > 49 ? 49 : want.down - 1;
        want.add_64 += (unsigned long long)u << 8;
        want.high_64 = u * 3ull > want.high_64 ? u * 3ull : want.high_64;
        want.disj_64 |= 1ull << (v & 63);
        want.add_float += (float)(v & 15);
        want.add_double += v * 0.25;
    }
    int *in = to_device(values);
    Totals *totals = device_alloc<Totals>(1);
    CUDA_CHECK(cudaMemcpy(totals, &start, sizeof start, cudaMemcpyHostToDevice));
    all_atomics<<<6, 128>>>(in, n, totals);
    CUDA_CHECK(cudaGetLastError());
    Totals got = from_device(totals, 1)[0];
    expect_number("add", got.add, want.add);
    expect_number("sub", got.sub, want.sub);
    expect_number("min", got.low, want.low);
    expect_number("max", got.high, want.high);
    expect_number("min unsigned", got.low_u, want.low_u);
    expect_number("max unsigned", got.high_u, want.high_u);
    expect_number("and", got.conj, want.conj);
    expect_number("or", got.disj, want.disj);
    expect_number("xor", got.parity, want.parity);
    expect_number("inc", got.ring, want.ring);
    expect_number("dec", got.down, want.down);
    expect_number("add 64", (long long)got.add_64, (long long)want.add_64);
    expect_number("max 64", (long long)got.high_64, (long long)want.high_64);
    expect_number("or 64", (long long)got.disj_64, (long long)want.disj_64);
    expect_float("add float", got.add_float, want.add_float);
    expect_float("add double", (float)got.add_double, (float)want.add_double);

    std::vector<float> floats = random_floats(999, 4);
    float largest_want = floats[0];
    for (float f : floats)
        largest_want = f > largest_want ? f : largest_want;
    float *floats_in = to_device(floats), *largest = to_device(std::vector<float>{-1e30f, 0.0f});
    double *product = to_device(std::vector<double>(1, 3.0));
    built_of_cas<<<8, 128>>>(floats_in, 999, largest, product, largest + 1);
    CUDA_CHECK(cudaGetLastError());
    std::vector<float> tops = from_device(largest, 2);
    expect_float("largest float by CAS", tops[0], largest_want);
    expect_float("largest float by its bits", tops[1], largest_want);
    expect_float("product by CAS", (float)from_device(product, 1)[0], 3.0f);

    under_a_lock<<<10, 32>>>(5);
    CUDA_CHECK(cudaGetLastError());
    long long cells[2];
    CUDA_CHECK(cudaMemcpyFromSymbol(cells, guarded, sizeof cells));
    expect_number("sum under a lock", cells[0], 5 * 45);
    expect_number("count under a lock", cells[1], 50);

    const unsigned capacity = 512;
    unsigned *ring = device_alloc<unsigned>(capacity), *tail = to_device(std::vector<unsigned>(1, 100));
    push_to_ring<<<4, 128>>>(ring, capacity, tail);
    CUDA_CHECK(cudaGetLastError());
    std::vector<unsigned> numbers = from_device(ring, capacity);
    std::vector<int> seen(capacity, 0), once(capacity, 1);
    for (unsigned number : numbers)
        if (number < capacity)
            seen[number]++;
    expect_equal("each number once in the ring", seen, once);
    expect_number("tail came round", from_device(tail, 1)[0], 100);

    int *scoped = to_device(std::vector<int>(2, 0));
    block_and_system_scopes<<<9, 64>>>(scoped);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> scopes = from_device(scoped, 2);
    expect_number("added by blocks", scopes[0], 9 * 128);
    expect_number("largest block", scopes[1], 8);

    unsigned *baton = to_device(std::vector<unsigned>(1, 0));
    unsigned long long *returned = to_device(std::vector<unsigned long long>(1, 0));
    relay<<<4, 50>>>(baton, returned);
    CUDA_CHECK(cudaGetLastError());
    expect_number("all batons", (long long)(from_device(returned, 1)[0] + from_device(baton, 1)[0]), 200 * 201 / 2);
    return program_end();
}
