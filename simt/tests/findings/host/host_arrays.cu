/* Copies between the device and host arrays: nothing past the end of a host array may be read or written. */
#include "pair.h"

#include <stdlib.h>
#include <vector>

static float coefficients[10];
static const int primes[5] = {2, 3, 5, 7, 11};
int matrix[4][8];
__device__ float table[16];

static float *on_device()
{
    static float *array = zeros<float>(64);
    return array;
}

/* expect: cudaMemcpy: dst has 40 bytes left, and 44 are asked for */
PAIR(host_local_array_too_short)
{
    float result[10];
    cudaMemcpy(result, on_device(), (faulty ? 11 : 10) * sizeof(float), cudaMemcpyDeviceToHost); //! copies
}

/* expect: cudaMemcpy: src has 8 bytes left, and 12 are asked for */
PAIR(host_part_of_a_local_array)
{
    int counts[10] = {1, 2, 3};
    cudaMemcpy(on_device(), &counts[8], (faulty ? 3 : 2) * sizeof(int), cudaMemcpyHostToDevice); //! copies
}

/* expect: cudaMemcpy: dst has 4 bytes left, and 8 are asked for */
PAIR(host_one_number_taken_for_another)
{
    int sum;
    cudaMemcpy(&sum, on_device(), faulty ? sizeof(double) : sizeof sum, cudaMemcpyDeviceToHost); //! copies
}

/* expect: cudaMemcpy: src has 40 bytes left, and 160 are asked for */
PAIR(host_malloc_without_sizeof)
{
    const size_t n = 40;
    float *array = (float *)malloc(faulty ? n : n * sizeof *array);
    cudaMemcpy(on_device(), array, n * sizeof *array, cudaMemcpyHostToDevice); //! copies
    free(array);
}

/* expect: cudaMemcpyAsync: dst has 32 bytes left, and 64 are asked for */
PAIR(host_new_of_half_the_elements)
{
    float *array = new float[faulty ? 8 : 16];
    cudaMemcpyAsync(array, on_device(), 64, cudaMemcpyDeviceToHost); //! copies
    delete[] array;
}

/* expect: cudaMemcpy: src has 40 bytes left, and 64 are asked for */
PAIR(host_static_array)
{
    cudaMemcpy(on_device(), coefficients, faulty ? 64 : 40, cudaMemcpyHostToDevice); //! copies
}

/* The compiler sees no array here, only a pointer. */
__attribute__((noinline)) static void upload(const void *from, size_t bytes)
{
    cudaMemcpy(on_device(), from, bytes, cudaMemcpyHostToDevice); //! uploads
}

/* expect: cudaMemcpy: src has 20 bytes left, and 24 are asked for */
PAIR(host_constant_array_elsewhere)
{
    upload(primes, faulty ? 24 : 20);
}

/* A row after the last one.
 * expect: cudaMemcpy2D: src has 96 bytes left, and 112 are asked for */
PAIR(host_rows_of_a_matrix)
{
    cudaMemcpy2D(on_device(), 32, matrix[1], 32, 16, faulty ? 4 : 3, cudaMemcpyHostToDevice); //! rows
}

/* expect: cudaMemcpyToSymbol: src has 48 bytes left, and 64 are asked for */
PAIR(host_array_for_a_symbol)
{
    float values[16] = {1};
    cudaMemcpyToSymbol(table, faulty ? values + 4 : values, 64); //! fills
}

/* expect: cudaMemcpyFromSymbol: dst has 60 bytes left, and 64 are asked for */
PAIR(host_array_from_a_symbol)
{
    float few[15], all[16];
    if (faulty)
        cudaMemcpyFromSymbol(few, table, 64); //! few
    else
        cudaMemcpyFromSymbol(all, table, 64);
}

static std::vector<float> numbers(size_t n)
{
    std::vector<float> made(3, 1);
    made.assign(n, 2);
    return made;
}

/* expect: cudaMemcpy: src has 400 bytes left, and 404 are asked for */
PAIR(host_vector_read_past_its_end)
{
    std::vector<float> array = numbers(100);
    for (int i = 0; i < 3000; i++) /* so that deleted memory is used again */
        numbers(20);
    const size_t n = faulty ? 101 : 100;
    cudaMemcpy(zeros<float>(101), array.data(), n * sizeof(float), cudaMemcpyHostToDevice); //! copies
}

/* expect: cudaMemcpy: dst has 40 bytes left, and 80 are asked for */
PAIR(host_vector_from_its_middle)
{
    std::vector<float> array = numbers(100);
    const size_t n = faulty ? 20 : 10;
    cudaMemcpy(&array[90], on_device(), n * sizeof(float), cudaMemcpyDeviceToHost); //! copies
}

/* expect: cudaMemcpy: dst has 40 bytes left, and 80 are asked for */
PAIR(host_vector_that_never_grew)
{
    std::vector<int> array = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    if (!faulty)
        array.resize(20);
    cudaMemcpy(array.data(), on_device(), 80, cudaMemcpyDeviceToHost); //! copies
}
