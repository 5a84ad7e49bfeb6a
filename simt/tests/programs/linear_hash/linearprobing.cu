#include "linearprobing.h"

// 32 bit Murmur3 hash
__device__ uint32_t hash(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (kHashTableCapacity-1);
}

KeyValue* create_hashtable()
{
    KeyValue* hashtable;
    cudaMalloc(&hashtable, sizeof(KeyValue) * kHashTableCapacity);

    // Initialize hash table to empty
    static_assert(kEmpty == 0xffffffff, "memset expected kEmpty=0xffffffff");
    cudaMemset(hashtable, 0xff, sizeof(KeyValue) * kHashTableCapacity);

    return hashtable;
}

// Insert the key/values in kvs into the hashtable; for equal keys the largest value stays
__global__ void gpu_hashtable_insert(KeyValue* hashtable, const KeyValue* kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x*blockDim.x + threadIdx.x;
    if (threadid < numkvs)
    {
        uint32_t key = kvs[threadid].key;
        uint32_t value = kvs[threadid].value;
        uint32_t slot = hash(key);

        while (true)
        {
            uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key)
            {
                atomicMax((int *)&hashtable[slot].value, (int)value); // kEmpty is -1
                return;
            }

            slot = (slot + 1) & (kHashTableCapacity-1);
        }
    }
}

// Lookup keys in the hashtable, and return the values
__global__ void gpu_hashtable_lookup(KeyValue* hashtable, KeyValue* kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs)
    {
        uint32_t key = kvs[threadid].key;
        uint32_t slot = hash(key);

        while (true)
        {
            if (hashtable[slot].key == key)
            {
                kvs[threadid].value = hashtable[slot].value;
                return;
            }
            if (hashtable[slot].key == kEmpty)
            {
                kvs[threadid].value = kEmpty;
                return;
            }
            slot = (slot + 1) & (kHashTableCapacity - 1);
        }
    }
}

__global__ void gpu_hashtable_delete(KeyValue* hashtable, const KeyValue* kvs, unsigned int numkvs)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs)
    {
        uint32_t key = kvs[threadid].key;
        for (uint32_t slot = hash(key);; slot = (slot + 1) & (kHashTableCapacity - 1))
        {
            if (hashtable[slot].key == key)
            {
                atomicExch(&hashtable[slot].value, kEmpty);
                return;
            }
            if (hashtable[slot].key == kEmpty)
                return;
        }
    }
}

// Iterate over every item in the hashtable; return non-empty key/values
__global__ void gpu_iterate_hashtable(KeyValue* pHashTable, KeyValue* kvs, uint32_t* kvs_size)
{
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < kHashTableCapacity)
    {
        if (pHashTable[threadid].key != kEmpty)
        {
            uint32_t value = pHashTable[threadid].value;
            if (value != kEmpty)
            {
                uint32_t size = atomicAdd(kvs_size, 1);
                kvs[size] = pHashTable[threadid];
            }
        }
    }
}

template <typename Kernel> static void launch(Kernel kernel, KeyValue* pHashTable, const KeyValue* kvs, uint32_t num_kvs, KeyValue* back = nullptr)
{
    // Copy the keyvalues to the GPU
    KeyValue* device_kvs;
    cudaMalloc(&device_kvs, sizeof(KeyValue) * num_kvs);
    cudaMemcpy(device_kvs, kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyHostToDevice);

    // Have CUDA calculate the thread block size
    int mingridsize, threadblocksize;
    cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, kernel, 0, 0);
    int gridsize = ((uint32_t)num_kvs + threadblocksize - 1) / threadblocksize;
    kernel<<<gridsize, threadblocksize>>>(pHashTable, device_kvs, num_kvs);
    if (back)
        cudaMemcpy(back, device_kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyDeviceToHost);
    cudaFree(device_kvs);
}

void insert_hashtable(KeyValue* pHashTable, const KeyValue* kvs, uint32_t num_kvs)
{
    launch(gpu_hashtable_insert, pHashTable, kvs, num_kvs);
}

void lookup_hashtable(KeyValue* pHashTable, KeyValue* kvs, uint32_t num_kvs)
{
    launch(gpu_hashtable_lookup, pHashTable, kvs, num_kvs, kvs);
}

void delete_hashtable(KeyValue* pHashTable, const KeyValue* kvs, uint32_t num_kvs)
{
    launch(gpu_hashtable_delete, pHashTable, kvs, num_kvs);
}

std::vector<KeyValue> iterate_hashtable(KeyValue* pHashTable)
{
    uint32_t* device_num_kvs, num_kvs;
    KeyValue* device_kvs;
    cudaMalloc(&device_num_kvs, sizeof(uint32_t));
    cudaMemset(device_num_kvs, 0, sizeof(uint32_t));
    cudaMalloc(&device_kvs, sizeof(KeyValue) * kHashTableCapacity);
    gpu_iterate_hashtable<<<kHashTableCapacity / 128, 128>>>(pHashTable, device_kvs, device_num_kvs);
    cudaMemcpy(&num_kvs, device_num_kvs, sizeof(uint32_t), cudaMemcpyDeviceToHost);
    std::vector<KeyValue> kvs(num_kvs);
    cudaMemcpy(kvs.data(), device_kvs, sizeof(KeyValue) * num_kvs, cudaMemcpyDeviceToHost);
    cudaFree(device_kvs);
    cudaFree(device_num_kvs);
    return kvs;
}

void destroy_hashtable(KeyValue* pHashTable)
{
    cudaFree(pHashTable);
}
