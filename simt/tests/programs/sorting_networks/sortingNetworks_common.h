#ifndef SORTINGNETWORKS_COMMON_H
#define SORTINGNETWORKS_COMMON_H

typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 256U

#ifdef __cplusplus
extern "C" {
#endif
uint bitonicSort(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint batchSize,
                 uint arrayLength, uint dir);
void oddEvenMergeSort(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint batchSize,
                      uint arrayLength, uint dir);
uint validateSortedKeys(const uint *resKey, const uint *srcKey, uint batchSize, uint arrayLength, uint dir);
uint validateValues(const uint *resKey, const uint *resVal, const uint *srcKey, uint batchSize,
                    uint arrayLength);
#ifdef __cplusplus
}
#endif

#endif
