/* Data and flag are both volatile and on one line, so only the statement distinguishes them. */
#include "pair.h"

__device__ volatile int data[8];
__device__ volatile int flag[8];
__device__ volatile int words[8][2];
__device__ int ticket;

// clang-format off
__global__ void write_on_one_line(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (block > 0) {
        while (flag[block - 1] == 0)
            ;
        if (!faulty)
            __threadfence();
        out[block] = data[block - 1]; //! read
    }
    if (faulty) {
        data[block] = block + 1; flag[block] = 1; //! write
    } else {
        data[block] = block + 1; __threadfence(); flag[block] = 1;
    }
}

/* expect: no fence between the flag and __device__ data */
PAIR(volatile_data_and_flag_written_on_one_line)
{
    write_on_one_line<<<8, 1>>>(zeros<int>(8), faulty);
}

__global__ void read_on_one_line(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (block > 0 && faulty) {
        while (flag[block - 1] == 0) ; out[block] = data[block - 1]; //! read
    } else if (block > 0) {
        while (flag[block - 1] == 0) ; __threadfence(); out[block] = data[block - 1];
    }
    data[block] = block + 1; //! write
    if (!faulty)
        __threadfence();
    flag[block] = 1;
}

/* expect: no fence between the flag and __device__ data */
PAIR(volatile_data_and_flag_read_on_one_line)
{
    read_on_one_line<<<8, 1>>>(zeros<int>(8), faulty);
}

__global__ void all_on_one_line(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (faulty) {
        if (block > 0) { while (flag[block - 1] == 0) ; out[block] = data[block - 1]; } data[block] = 1; flag[block] = 1; //! both
    } else {
        /* Each word shows itself whether it has been written. */
        if (block > 0) { int a, b; do { b = words[block - 1][1], a = words[block - 1][0]; } while (a == 0 || b == 0); out[block] = a + b; }
        words[block][0] = 1, words[block][1] = 1;
    }
}

/* expect: no fence between the flag and __device__ data */
PAIR(volatile_data_and_flag_all_on_one_line)
{
    all_on_one_line<<<8, 1>>>(zeros<int>(8), faulty);
}
// clang-format on
