#ifndef SCAN_LARGE_ARRAY_H
#define SCAN_LARGE_ARRAY_H
#ifdef __cplusplus
extern "C" {
#endif
unsigned int compare(const float *reference, const float *data, const unsigned int len);
void computeGold(float *reference, const float *idata, const unsigned int len);
void preallocBlockSums(unsigned int maxNumElements);
void deallocBlockSums(void);
void prescanArray(float *outArray, float *inArray, int numElements);
#ifdef __cplusplus
}
#endif
#endif
