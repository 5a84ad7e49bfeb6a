/* In the style of a much copied parallel k-means: arrays transposed to [coords][objects], membership kept on the
 * device, and the count of changes reduced in shared memory that has bytes first and words after them. */
#include <stdio.h>
#include <stdlib.h>

#include "kmeans.h"

int _debug = 0;

#define checkCuda(e) { cudaError_t _e = (e); if (_e != cudaSuccess) { printf("cuda: %s\n", cudaGetErrorString(_e)); exit(1); } }

static inline int nextPowerOfTwo(int n) {
    n--;
    n = n >>  1 | n;
    n = n >>  2 | n;
    n = n >>  4 | n;
    n = n >>  8 | n;
    n = n >> 16 | n;
    return ++n;
}

/*----< euclid_dist_2() >----------------------------------------------------*/
/* square of Euclid distance between two multi-dimensional points            */
__host__ __device__ inline static
float euclid_dist_2(int    numCoords,
                    int    numObjs,
                    int    numClusters,
                    float *objects,     // [numCoords][numObjs]
                    float *clusters,    // [numCoords][numClusters]
                    int    objectId,
                    int    clusterId)
{
    int i;
    float ans=0.0;

    for (i = 0; i < numCoords; i++) {
        ans += (objects[numObjs * i + objectId] - clusters[numClusters * i + clusterId]) *
               (objects[numObjs * i + objectId] - clusters[numClusters * i + clusterId]);
    }

    return(ans);
}

/*----< find_nearest_cluster() >---------------------------------------------*/
__global__ static
void find_nearest_cluster(int numCoords,
                          int numObjs,
                          int numClusters,
                          float *objects,           //  [numCoords][numObjs]
                          float *deviceClusters,    //  [numCoords][numClusters]
                          int *membership,          //  [numObjs]
                          int *intermediates)
{
    extern __shared__ char sharedMemory[];

    // one byte for each thread, followed by the clusters
    unsigned char *membershipChanged = (unsigned char *)sharedMemory;
    float *clusters = (float *)(sharedMemory + blockDim.x);

    membershipChanged[threadIdx.x] = 0;

    for (int i = threadIdx.x; i < numClusters; i += blockDim.x) {
        for (int j = 0; j < numCoords; j++) {
            clusters[numClusters * j + i] = deviceClusters[numClusters * j + i];
        }
    }
    __syncthreads();

    int objectId = blockDim.x * blockIdx.x + threadIdx.x;

    if (objectId < numObjs) {
        int   index, i;
        float dist, min_dist;

        index    = 0;
        min_dist = euclid_dist_2(numCoords, numObjs, numClusters, objects, clusters, objectId, 0);

        for (i=1; i<numClusters; i++) {
            dist = euclid_dist_2(numCoords, numObjs, numClusters, objects, clusters, objectId, i);
            if (dist < min_dist) { /* find the min and its array index */
                min_dist = dist;
                index    = i;
            }
        }

        if (membership[objectId] != index) {
            membershipChanged[threadIdx.x] = 1;
        }
        membership[objectId] = index;
    }

    __syncthreads();    //  For membershipChanged[]

    //  blockDim.x must be a power of two, and at most 256: a byte holds no more
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            membershipChanged[threadIdx.x] += membershipChanged[threadIdx.x + s];
        }
        __syncthreads();
    }

    if (threadIdx.x == 0) {
        intermediates[blockIdx.x] = membershipChanged[0];
    }
}

__global__ static
void compute_delta(int *deviceIntermediates, int numIntermediates, int numIntermediates2)
{
    extern __shared__ unsigned int intermediates[];

    intermediates[threadIdx.x] = (threadIdx.x < numIntermediates) ? deviceIntermediates[threadIdx.x] : 0;
    __syncthreads();

    for (unsigned int s = numIntermediates2 / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            intermediates[threadIdx.x] += intermediates[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        deviceIntermediates[0] = intermediates[0];
    }
}

/* return an array of cluster centers of size [numClusters][numCoords]       */
float** cuda_kmeans(float **objects, int numCoords, int numObjs, int numClusters, int rounds, int *membership, int *loop_iterations)
{
    int      i, j, index, loop=0;
    int     *newClusterSize;
    float  **dimObjects, **clusters, **dimClusters, **newClusters;
    float *deviceObjects, *deviceClusters;
    int *deviceMembership, *deviceIntermediates;

    malloc2D(dimObjects, numCoords, numObjs, float);
    for (i = 0; i < numCoords; i++)
        for (j = 0; j < numObjs; j++)
            dimObjects[i][j] = objects[j][i];

    malloc2D(dimClusters, numCoords, numClusters, float);
    for (i = 0; i < numCoords; i++)
        for (j = 0; j < numClusters; j++)
            dimClusters[i][j] = dimObjects[i][j];

    for (i=0; i<numObjs; i++) membership[i] = -1;

    newClusterSize = (int*) calloc(numClusters, sizeof(int));
    malloc2D(newClusters, numCoords, numClusters, float);

    const unsigned int numThreadsPerClusterBlock = 128;
    const unsigned int numClusterBlocks = (numObjs + numThreadsPerClusterBlock - 1) / numThreadsPerClusterBlock;
    const unsigned int clusterBlockSharedDataSize =
        numThreadsPerClusterBlock * sizeof(unsigned char) + numClusters * numCoords * sizeof(float);
    const unsigned int numReductionThreads = nextPowerOfTwo(numClusterBlocks);
    const unsigned int reductionBlockSharedDataSize = numReductionThreads * sizeof(unsigned int);

    checkCuda(cudaMalloc(&deviceObjects, numObjs*numCoords*sizeof(float)));
    checkCuda(cudaMalloc(&deviceClusters, numClusters*numCoords*sizeof(float)));
    checkCuda(cudaMalloc(&deviceMembership, numObjs*sizeof(int)));
    checkCuda(cudaMalloc(&deviceIntermediates, numReductionThreads*sizeof(unsigned int)));
    checkCuda(cudaMemcpy(deviceObjects, dimObjects[0], numObjs*numCoords*sizeof(float), cudaMemcpyHostToDevice));
    checkCuda(cudaMemcpy(deviceMembership, membership, numObjs*sizeof(int), cudaMemcpyHostToDevice));

    int delta;
    do {
        checkCuda(cudaMemcpy(deviceClusters, dimClusters[0], numClusters*numCoords*sizeof(float), cudaMemcpyHostToDevice));
        find_nearest_cluster
            <<< numClusterBlocks, numThreadsPerClusterBlock, clusterBlockSharedDataSize >>>
            (numCoords, numObjs, numClusters, deviceObjects, deviceClusters, deviceMembership, deviceIntermediates);
        cudaDeviceSynchronize(); checkCuda(cudaGetLastError());

        compute_delta <<< 1, numReductionThreads, reductionBlockSharedDataSize >>>
            (deviceIntermediates, numClusterBlocks, numReductionThreads);
        cudaDeviceSynchronize(); checkCuda(cudaGetLastError());

        checkCuda(cudaMemcpy(&delta, deviceIntermediates, sizeof(int), cudaMemcpyDeviceToHost));
        checkCuda(cudaMemcpy(membership, deviceMembership, numObjs*sizeof(int), cudaMemcpyDeviceToHost));
        if (_debug) printf("loop %d: %d changed\n", loop, delta);

        for (i=0; i<numCoords*numClusters; i++) newClusters[0][i] = 0;
        for (i=0; i<numObjs; i++) {
            index = membership[i];
            newClusterSize[index]++;
            for (j=0; j<numCoords; j++)
                newClusters[j][index] += objects[i][j];
        }
        for (i=0; i<numClusters; i++) {
            for (j=0; j<numCoords; j++) {
                if (newClusterSize[i] > 0)
                    dimClusters[j][i] = newClusters[j][i] / newClusterSize[i];
            }
            newClusterSize[i] = 0;   /* set back to 0 */
        }
    } while (delta > 0 && ++loop < rounds);
    *loop_iterations = loop;

    malloc2D(clusters, numClusters, numCoords, float);
    for (i = 0; i < numClusters; i++)
        for (j = 0; j < numCoords; j++)
            clusters[i][j] = dimClusters[j][i];

    checkCuda(cudaFree(deviceObjects));
    checkCuda(cudaFree(deviceClusters));
    checkCuda(cudaFree(deviceMembership));
    checkCuda(cudaFree(deviceIntermediates));
    free(dimObjects[0]); free(dimObjects);
    free(dimClusters[0]); free(dimClusters);
    free(newClusters[0]); free(newClusters);
    free(newClusterSize);
    return clusters;
}
