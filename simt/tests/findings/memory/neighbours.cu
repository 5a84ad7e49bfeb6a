/* Device variables that are declared one after another. An index past the end of one must not reach the next. */
#include "pair.h"

__device__ int sums[4];
__device__ int counts[4];
__device__ int left[4], right[4], *cursor, rest;
__constant__ int primes[4] = {2, 3, 5, 7};
__constant__ int squares[4] = {1, 4, 9, 16}, cubes[4] = {1, 8, 27, 64};
__managed__ int shown[4];
__managed__ int hidden[4];
static __device__ const double table[3] = {0.5, 0.25, 0.125}, last_table[2] = {1, 2};

__global__ void write_sums(int i)
{
    int *array = i < 100 ? sums : counts;
    array[i] = 1; //! sums
}
/* expect: write out of bounds: behind __device__ sums */
PAIR(neighbour_device_array)
{
    write_sums<<<1, 1>>>(faulty ? 4 : 3);
}

__global__ void write_counts(int i)
{
    int *array = i < 100 ? counts : sums;
    array[i] = 1; //! counts
}
/* expect: write out of bounds: behind __device__ counts */
PAIR(neighbour_other_device_array)
{
    write_counts<<<1, 1>>>(faulty ? 4 : 3);
}

/* More threads than elements: the first index that is too large is found, whichever thread runs
 * first.
 * expect: write out of bounds: behind __device__ sums */
__global__ void write_all(unsigned n)
{
    int *array = n > 0 ? sums : counts;
    if (threadIdx.x < n)
        array[threadIdx.x] = 1; //! all
}
PAIR(neighbour_array_and_too_many_threads)
{
    write_all<<<1, 128>>>(faulty ? 128 : 4);
}

__global__ void write_before(int i)
{
    int *array = i < 100 ? sums : counts;
    array[i] = 1; //! before
}
/* expect: write out of bounds: 4 bytes before __device__ sums */
PAIR(neighbour_before_device_array)
{
    write_before<<<1, 1>>>(faulty ? -1 : 0);
}

__global__ void write_left(int i)
{
    int *array = i < 100 ? left : right;
    array[i] = 1; //! left
}
/* expect: write out of bounds: behind __device__ left */
PAIR(neighbour_of_one_declaration)
{
    write_left<<<1, 1>>>(faulty ? 4 : 3);
}

__global__ void write_right(int i)
{
    int *array = i < 100 ? right : left;
    array[i] = 1; //! right
}
/* expect: write out of bounds: behind __device__ right */
PAIR(neighbour_pointer_of_one_declaration)
{
    write_right<<<1, 1>>>(faulty ? 4 : 3);
}

__global__ void read_primes(int *out, int i)
{
    const int *array = i < 100 ? primes : squares;
    *out = array[i]; //! primes
}
/* expect: read out of bounds: behind __constant__ primes */
PAIR(neighbour_constant_array)
{
    read_primes<<<1, 1>>>(zeros<int>(1), faulty ? 4 : 3);
}

__global__ void read_squares(int *out, int i)
{
    const int *array = i < 100 ? squares : cubes;
    *out = array[i]; //! squares
}
/* expect: read out of bounds: behind __constant__ squares */
PAIR(neighbour_constant_of_one_declaration)
{
    read_squares<<<1, 1>>>(zeros<int>(1), faulty ? 4 : 3);
}

__global__ void read_cubes(int *out, int i)
{
    const int *array = i < 100 ? cubes : squares;
    *out = array[i]; //! cubes
}
/* expect: read out of bounds: behind __constant__ cubes */
PAIR(neighbour_other_constant_of_one_declaration)
{
    read_cubes<<<1, 1>>>(zeros<int>(1), faulty ? 4 : 3);
}

__global__ void read_table(double *out, int i)
{
    const double *array = i < 100 ? table : last_table;
    *out = array[i] + last_table[0]; //! table
}
/* expect: read out of bounds: behind __device__ table */
PAIR(neighbour_constant_table)
{
    read_table<<<1, 1>>>(zeros<double>(1), faulty ? 3 : 2);
}

/* expect: write out of bounds: behind shown */
__global__ void write_shown(int i)
{
    int *array = i < 100 ? shown : hidden;
    array[i] = 1; //! shown
}
PAIR(neighbour_managed_array)
{
    write_shown<<<1, 1>>>(faulty ? 4 : 3);
    must(cudaDeviceSynchronize());
}

/* By its address, which host code obtains.
 * expect: cudaMemset: devPtr has 16 bytes left, and 17 are asked for */
PAIR(neighbour_of_a_symbol)
{
    void *array = NULL;
    must(cudaGetSymbolAddress(&array, sums));
    cudaMemset(array, 0, faulty ? 17 : 16); //! fills
}

/* expect: cudaMemset: devPtr has 0 bytes left, and 4 are asked for */
PAIR(neighbour_behind_a_symbol)
{
    int *array = NULL;
    must(cudaGetSymbolAddress((void **)&array, sums));
    cudaMemset(array + (faulty ? 4 : 3), 0, 4); //! fills
}
