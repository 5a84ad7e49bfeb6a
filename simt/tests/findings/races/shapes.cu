/* The bytes of one access: single bytes, fields, vectors, halves of dynamic shared memory, and targets of pointers. */
#include "pair.h"

#include <string.h>

/* Two bit-fields share one word: a write to one also reads and writes the other.
 * expect: race on shared bits */
__global__ void write_fields(int *out, bool faulty)
{
    __shared__ struct {
        unsigned low : 4, high : 4;
    } bits;
    __shared__ struct {
        unsigned low, high;
    } words;
    if (faulty && threadIdx.x == 0)
        bits.low = 1; //! low
    else if (faulty)
        bits.high = 2; //! high
    else if (threadIdx.x == 0)
        words.low = 1;
    else
        words.high = 2;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = faulty ? bits.low + bits.high : words.low + words.high;
}
PAIR(shape_fields_of_bits)
{
    write_fields<<<1, 2>>>(zeros<int>(1), faulty);
}

/* Four bytes that four threads write are four variables, but a thread that writes them as a char4 writes all.
 * expect: race on shared pixel */
__global__ void write_bytes(uchar4 *out, bool faulty)
{
    __shared__ uchar4 pixel;
    unsigned char *bytes = (unsigned char *)&pixel;
    if (threadIdx.x < 3 || !faulty)
        bytes[threadIdx.x] = (unsigned char)threadIdx.x; //! one
    else
        pixel = make_uchar4(9, 9, 9, 9); //! all
    __syncthreads();
    if (threadIdx.x == 0)
        *out = pixel;
}
PAIR(shape_bytes_and_their_vector)
{
    write_bytes<<<1, 4>>>(zeros<uchar4>(1), faulty);
}

/* A copy of a whole struct includes the field that another thread writes.
 * expect: race on */
struct particle {
    float x, y, mass;
};
__global__ void move(particle *all, particle *copy, bool faulty)
{
    if (threadIdx.x == 0)
        all[0].mass = 2.0f; //! writes
    else if (faulty)
        copy[0] = all[0]; //! copies
    else
        copy[0].x = all[0].x;
}
PAIR(shape_struct_copied_whole)
{
    move<<<1, 2>>>(zeros<particle>(1), zeros<particle>(1), faulty);
}

/* A row is read four floats at a time, while its elements are written one by one.
 * expect: race on shared row
 * also: read of uninitialized shared row */
__global__ void read_by_four(float4 *out, bool faulty)
{
    __shared__ __align__(16) float row[64];
    row[threadIdx.x] = 1.0f; //! writes
    if (!faulty)
        __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = ((float4 *)row)[threadIdx.x]; //! reads
}
PAIR(shape_row_read_by_vectors)
{
    read_by_four<<<1, 64>>>(zeros<float4>(16), faulty);
}

/* memcpy in a kernel accesses as many bytes as its length says.
 * expect: race on
 * also: warning: the same value */
__global__ void copy_pieces(char *to, const char *from, bool faulty)
{
    memcpy(to + 8 * threadIdx.x, from + 8 * threadIdx.x, faulty ? 9 : 8); //! both
}
PAIR(shape_pieces_that_overlap)
{
    char *from = zeros<char>(64);
    must(cudaMemset(from, 1, 40));
    copy_pieces<<<1, 7>>>(zeros<char>(64), from, faulty);
}

/* Two arrays in dynamic shared memory: the second must begin after all bytes of the first.
 * expect: race on dynamic shared memory */
__global__ void divide_shared(int *out, bool faulty)
{
    extern __shared__ char memory[];
    int *keys = (int *)memory;
    short *counts = (short *)(memory + (faulty ? blockDim.x : blockDim.x * sizeof(int)));
    keys[threadIdx.x] = -1;                   //! first
    counts[threadIdx.x] = (short)threadIdx.x; //! second
    __syncthreads();
    out[threadIdx.x] = keys[threadIdx.x] + counts[threadIdx.x];
}
PAIR(shape_second_array_by_elements)
{
    divide_shared<<<1, 64, 64 * (sizeof(int) + sizeof(short))>>>(zeros<int>(64), faulty);
}

/* The launch has room for only one of the two.
 * expect: write out of bounds: dynamic shared memory */
__global__ void need_two_arrays(int *out)
{
    extern __shared__ int room[];
    int *second = room + blockDim.x;
    room[threadIdx.x] = 1;
    second[threadIdx.x] = 2; //! writes
    __syncthreads();
    out[threadIdx.x] = room[63 - threadIdx.x] + second[63 - threadIdx.x];
}
PAIR(shape_room_for_one_array)
{
    need_two_arrays<<<1, 64, (faulty ? 64 : 128) * sizeof(int)>>>(zeros<int>(64));
}

/* A pointer to shared memory is kept in global memory, but its target is still shared memory.
 * expect: race on shared cells
 * also: read of uninitialized shared cells */
__device__ int *where;
__global__ void write_through_pointer(int *out, bool faulty)
{
    __shared__ int cells[64];
    if (threadIdx.x == 0)
        where = cells;
    __syncthreads();
    where[threadIdx.x] = 1; //! writes
    if (!faulty)
        __syncthreads();
    out[threadIdx.x] = cells[63 - threadIdx.x]; //! reads
}
PAIR(shape_pointer_to_shared_memory)
{
    write_through_pointer<<<1, 64>>>(zeros<int>(64), faulty);
}

/* A tile with a halo: the first threads also load its ends, and the block must wait for them.
 * expect: race on shared tile
 * also: read of uninitialized shared tile */
__global__ void stencil(const int *in, int *out, bool faulty)
{
    __shared__ int tile[66];
    int t = (int)threadIdx.x;
    tile[t + 1] = in[t]; //! middle
    if (!faulty && t < 2)
        tile[65 * t] = 0;
    if (!faulty)
        __syncthreads();
    out[t] = t > 0 && t < 63 ? tile[t] + tile[t + 2] : 0; //! sides
}
PAIR(shape_halo_not_waited_for)
{
    stencil<<<1, 64>>>(zeros<int>(64), zeros<int>(64), faulty);
}

/* A barrier that votes is a barrier too, but the vote of a warp does not synchronize the block.
 * expect: race on shared work
 * also: read of uninitialized shared work */
__global__ void vote(int *out, bool faulty)
{
    __shared__ int work[64];
    work[threadIdx.x] = (int)threadIdx.x; //! writes
    int any = faulty ? __any_sync(0xffffffff, 1) : __syncthreads_or(1);
    out[threadIdx.x] = any + work[63 - threadIdx.x]; //! reads
}
PAIR(shape_vote_of_a_warp)
{
    vote<<<1, 64>>>(zeros<int>(64), faulty);
}

/* A 2D block: the threads of one column belong to several warps.
 * expect: race on shared tile
 * also: read of uninitialized shared tile */
__global__ void columns(int *out, bool faulty)
{
    __shared__ int tile[8][9];
    tile[threadIdx.y][threadIdx.x] = (int)threadIdx.x; //! writes
    if (faulty)
        __syncwarp();
    else
        __syncthreads();
    out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; //! reads
}
PAIR(shape_columns_of_a_tile)
{
    columns<<<1, dim3(8, 8)>>>(zeros<int>(64), faulty);
}
