// How long a GPU's shared memory takes for a request, beside the wavefronts that the meter counts for it. For a GPU
// only: make wavefronts-gpu. It needs no counters, which not everybody may read.
//
// Sixteen warps make the same request over and over: then shared memory is what they wait for, and it serves one
// wavefront a cycle. So the cycles a request are its wavefronts, and a little more. A request of one wavefront may
// take two cycles: a warp scheduler hands one over every second cycle only.
#include "model.h"
#include <cuda_runtime.h>
#include <stdio.h>

enum { WARPS = 16, ROUNDS = 64, UNROLLED = 16, RUNS = 5, MEMORY = 32 * 1024 };

enum operation { READ_4, READ_8, READ_16, WRITE_4, WRITE_8, WRITE_16, ATOMIC_4 };

template <int OPERATION> __device__ void request(unsigned address, unsigned value)
{
    unsigned a, b, c, d;
    if (OPERATION == READ_4)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(address));
    if (OPERATION == READ_8)
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address));
    if (OPERATION == READ_16)
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(address));
    if (OPERATION == WRITE_4)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(value));
    if (OPERATION == WRITE_8)
        asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" ::"r"(address), "r"(value));
    if (OPERATION == WRITE_16)
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(address), "r"(value));
    if (OPERATION == ATOMIC_4)
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(value));
}

template <int OPERATION> __global__ void repeat(const unsigned *offset, unsigned lanes, long long *cycles)
{
    extern __shared__ __align__(128) unsigned char memory[];
    const unsigned lane = threadIdx.x % 32;
    const unsigned address = (unsigned)__cvta_generic_to_shared(memory) + offset[lane];
    __syncthreads();
    const long long begin = clock64();
    if (lanes >> lane & 1)
        for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
            for (int u = 0; u < UNROLLED; u++)
                request<OPERATION>(address, lane + u);
        }
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}

/* Cycles a request; the best of some runs. */
static double measure(enum operation operation, const unsigned *offset, unsigned lanes)
{
    static void (*const kernels[])(const unsigned *, unsigned, long long *) = {
        repeat<READ_4>, repeat<READ_8>, repeat<READ_16>, repeat<WRITE_4>, repeat<WRITE_8>, repeat<WRITE_16>, repeat<ATOMIC_4>};
    unsigned *offsets;
    long long *cycles, best = 0;
    cudaMallocManaged(&offsets, 32 * sizeof *offsets);
    cudaMallocManaged(&cycles, sizeof *cycles);
    for (int i = 0; i < 32; i++)
        offsets[i] = offset[i];
    for (int run = 0; run < RUNS; run++) {
        kernels[operation]<<<1, WARPS * 32, MEMORY>>>(offsets, lanes, cycles);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            printf("wavefronts: %s\n", cudaGetErrorString(cudaGetLastError()));
            return -1;
        }
        if (run == 0 || *cycles < best)
            best = *cycles;
    }
    cudaFree(offsets);
    cudaFree(cycles);
    return (double)best / ((double)WARPS * ROUNDS * UNROLLED);
}

static const unsigned bytes_of[] = {4, 8, 16, 4, 8, 16, 4};

static int agreed, compared;

static void compare(const char *name, enum operation operation, unsigned lanes, unsigned (*place)(unsigned lane))
{
    unsigned offset[32];
    for (unsigned lane = 0; lane < 32; lane++)
        offset[lane] = place(lane) * bytes_of[operation];
    const unsigned model = model_wavefronts(offset, lanes, bytes_of[operation], operation == ATOMIC_4);
    const double cycles = measure(operation, offset, lanes);
    const bool good = cycles > 0.9 * model && cycles < (model > 2 ? 1.25 * model : 2.5);
    compared++;
    agreed += good;
    printf("%-58s %6u %10.2f%s\n", name, model, cycles, good ? "" : "  !");
}

#define ALL 0xffffffffu
#define PLACE(expression) [](unsigned l) -> unsigned { return expression; }

int main()
{
    printf("%-58s %6s %10s\n", "each lane's place, in units of the access; lane l", "meter", "cycles");
    compare("4 bytes: l", READ_4, ALL, PLACE(l));
    compare("4 bytes: 2l", READ_4, ALL, PLACE(2 * l));
    compare("4 bytes: 4l", READ_4, ALL, PLACE(4 * l));
    compare("4 bytes: 8l", READ_4, ALL, PLACE(8 * l));
    compare("4 bytes: 16l", READ_4, ALL, PLACE(16 * l));
    compare("4 bytes: 32l", READ_4, ALL, PLACE(32 * l));
    compare("4 bytes: 33l", READ_4, ALL, PLACE(33 * l));
    compare("4 bytes: 0, one word for all", READ_4, ALL, PLACE(0 * l));
    compare("4 bytes: 32(l / 16), two words of one bank", READ_4, ALL, PLACE(l / 16 * 32));
    compare("4 bytes: 2l, lanes 0 to 15", READ_4, 0xffff, PLACE(2 * l));
    compare("4 bytes: 32l, lanes 0 to 4", READ_4, 0x1f, PLACE(32 * l));
    compare("8 bytes: l", READ_8, ALL, PLACE(l));
    compare("8 bytes: 2l", READ_8, ALL, PLACE(2 * l));
    compare("8 bytes: 16l", READ_8, ALL, PLACE(16 * l));
    compare("8 bytes: 17l", READ_8, ALL, PLACE(17 * l));
    compare("8 bytes: 0, one place for all", READ_8, ALL, PLACE(0 * l));
    compare("8 bytes: l mod 16, the halves of the warp alike", READ_8, ALL, PLACE(l % 16));
    compare("8 bytes: l / 2, neighbours alike", READ_8, ALL, PLACE(l / 2));
    compare("8 bytes: l / 4, four alike", READ_8, ALL, PLACE(l / 4));
    compare("8 bytes: l, lanes 0 to 15", READ_8, 0xffff, PLACE(l));
    compare("8 bytes: l, lanes 0, 2, 4 ... 30", READ_8, 0x55555555, PLACE(l));
    compare("8 bytes: 16l, lanes 0 and 16", READ_8, 0x10001, PLACE(16 * l));
    compare("16 bytes: l", READ_16, ALL, PLACE(l));
    compare("16 bytes: 2l", READ_16, ALL, PLACE(2 * l));
    compare("16 bytes: 8l", READ_16, ALL, PLACE(8 * l));
    compare("16 bytes: 9l", READ_16, ALL, PLACE(9 * l));
    compare("16 bytes: 0, one place for all", READ_16, ALL, PLACE(0 * l));
    compare("16 bytes: l mod 8, the quarters of the warp alike", READ_16, ALL, PLACE(l % 8));
    compare("16 bytes: l / 4, four alike", READ_16, ALL, PLACE(l / 4));
    compare("16 bytes: l, lanes 0 to 7", READ_16, 0xff, PLACE(l));
    compare("write 4 bytes: l", WRITE_4, ALL, PLACE(l));
    compare("write 4 bytes: 8l", WRITE_4, ALL, PLACE(8 * l));
    compare("write 8 bytes: l", WRITE_8, ALL, PLACE(l));
    compare("write 8 bytes: 2l", WRITE_8, ALL, PLACE(2 * l));
    compare("write 16 bytes: l", WRITE_16, ALL, PLACE(l));
    compare("write 16 bytes: 2l", WRITE_16, ALL, PLACE(2 * l));
    compare("atomic 4 bytes: l", ATOMIC_4, ALL, PLACE(l));
    compare("atomic 4 bytes: 8l", ATOMIC_4, ALL, PLACE(8 * l));
    compare("atomic 4 bytes: l / 4, four lanes a word", ATOMIC_4, ALL, PLACE(l / 4));
    compare("atomic 4 bytes: 0, one word for all", ATOMIC_4, ALL, PLACE(0 * l));
    printf("%d of %d agree; the others are marked !\n", agreed, compared);
    return 0;
}
