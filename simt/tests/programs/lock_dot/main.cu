/* Locks: a dot product whose blocks add under one lock, and the chains of a table under many locks. */
#include "errors.h"
#include "lock.h"
#include "hashtable.cuh"

#define imin(a,b) (a<b?a:b)

const int N = 3 * 1024;
const int threadsPerBlock = 128;
const int blocksPerGrid = imin( 8, (N+threadsPerBlock-1) / threadsPerBlock );

__global__ void dot( Lock lock, int size, float *a, float *b, float *c ) {
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float   temp = 0;
    while (tid < size) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }

    // set the cache values
    cache[cacheIndex] = temp;

    // synchronize threads in this block
    __syncthreads();

    // for reductions, threadsPerBlock must be a power of 2
    // because of the following code
    int i = blockDim.x/2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }

    if (cacheIndex == 0) {
        // wait until we get the lock
        lock.lock();
        // we have the lock at this point, update and release
        *c += cache[0];
        lock.unlock();
    }
}

#define ELEMENTS 200
#define HASH_ENTRIES 16

static int chains( void ) {
    unsigned int host[ELEMENTS], *dev_keys, bad = 0;
    for (int i=0; i<ELEMENTS; i++)
        host[i] = i * 2654435761u >> 10;
    void **dev_values;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_keys, sizeof host ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_values, ELEMENTS * sizeof(void*) ) );
    HANDLE_ERROR( cudaMemcpy( dev_keys, host, sizeof host, cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemset( dev_values, 0, ELEMENTS * sizeof(void*) ) );
    Table table, hostTable;
    initialize_table( table, HASH_ENTRIES, ELEMENTS );
    Lock    lock[HASH_ENTRIES];
    Lock    *dev_lock;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_lock, HASH_ENTRIES * sizeof( Lock ) ) );
    HANDLE_ERROR( cudaMemcpy( dev_lock, lock, HASH_ENTRIES * sizeof( Lock ), cudaMemcpyHostToDevice ) );
    add_to_table<<<2,32>>>( dev_keys, dev_values, table, dev_lock, ELEMENTS );
    copy_table_to_host( table, hostTable, ELEMENTS );
    int count = 0;
    for (size_t i=0; i<hostTable.count; i++)
        for (Entry *current = hostTable.entries[i]; current != NULL; current = current->next, ++count)
            bad += hash( current->key, hostTable.count ) != i;
    bad += count != ELEMENTS;
    printf( "%d elements found in hash table.\n", count );
    free( hostTable.pool );
    free( hostTable.entries );
    free_table( table );
    for (int i=0; i<HASH_ENTRIES; i++)
        lock[i].release();
    HANDLE_ERROR( cudaFree( dev_lock ) );
    HANDLE_ERROR( cudaFree( dev_keys ) );
    HANDLE_ERROR( cudaFree( dev_values ) );
    return bad;
}

int main( void ) {
    static float   a[N], b[N], c = 0, gold = 0;
    float   *dev_a, *dev_b, *dev_c;

    for (int i=0; i<N; i++) {
        a[i] = i % 8;
        b[i] = i % 4;
        gold += a[i] * b[i];
    }
    HANDLE_ERROR( cudaMalloc( (void**)&dev_a, N*sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_b, N*sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_c, sizeof(float) ) );
    HANDLE_ERROR( cudaMemcpy( dev_a, a, N*sizeof(float), cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( dev_b, b, N*sizeof(float), cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( dev_c, &c, sizeof(float), cudaMemcpyHostToDevice ) );
    Lock    lock;
    dot<<<blocksPerGrid,threadsPerBlock>>>( lock, N, dev_a, dev_b, dev_c );
    HANDLE_ERROR( cudaMemcpy( &c, dev_c, sizeof(float), cudaMemcpyDeviceToHost ) );
    printf( "Does GPU value %.6g = %.6g?\n", c, gold );
    lock.release();
    HANDLE_ERROR( cudaFree( dev_a ) );
    HANDLE_ERROR( cudaFree( dev_b ) );
    HANDLE_ERROR( cudaFree( dev_c ) );
    int bad = chains() + (c != gold);
    puts( bad ? "FAIL" : "PASS" );
    return bad;
}
