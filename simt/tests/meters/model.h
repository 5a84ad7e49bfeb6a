/* model.h: what simt/banks.c says about one request, for a program that nvcc compiles. */
#ifndef SIMT_TESTS_MODEL_H
#define SIMT_TESTS_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Wavefronts of a request by the lanes of a mask, `bytes` each, at these offsets from the start of shared memory. */
unsigned model_wavefronts(const unsigned offset[32], unsigned lanes, unsigned bytes, int atomic);

#ifdef __cplusplus
}
#endif
#endif
