/* error.h: the CUDA errors that a program can query: the last error, which each host thread has, and the sticky
 * error, which all share. Internal.
 *
 * Both hold values of cudaError_t as an int. */
#ifndef SIMT_ERROR_H
#define SIMT_ERROR_H

/* The errors that the core itself returns, with CUDA's numbers. */
enum {
    ERROR_NONE = 0,
    ERROR_INVALID_VALUE = 1,
    ERROR_OUT_OF_MEMORY = 2,
    ERROR_NOT_SUPPORTED = 801,
    ERROR_ILLEGAL_ADDRESS = 700,
    ERROR_OUT_OF_RESOURCES = 701,
    ERROR_LAUNCH_TIMEOUT = 702,
    ERROR_ASSERT = 710,
    ERROR_MISALIGNED_ADDRESS = 716,
    ERROR_LAUNCH_FAILURE = 719,
    ERROR_COOPERATIVE_TOO_LARGE = 720
};

/* The error that cudaGetLastError returns next in this host thread. */
int error_last(void);
void error_set_last(int error);

/* The error that every later call of the API returns after a fault; ERROR_NONE when there was no fault. */
int error_sticky(void);
void error_set_sticky(int error);

#endif
