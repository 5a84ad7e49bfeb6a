/* 2007: a sample's template, with macros of a utility header, an included kernel file, and blanks in the launch. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include "cutil_mini.h"

////////////////////////////////////////////////////////////////////////////////
// declaration, forward
void runTest( int argc, char** argv);

extern "C"
void computeGold( float alpha, const float* x, float* y, const unsigned int len);

#include "saxpy_kernel.inl"

int
main( int argc, char** argv)
{
    runTest( argc, argv);
    return EXIT_SUCCESS;
}

void
runTest( int argc, char** argv)
{
    unsigned int timer = 0;
    CUT_SAFE_CALL( cutCreateTimer( &timer));
    CUT_SAFE_CALL( cutStartTimer( timer));

    unsigned int num_threads = 96;
    unsigned int len = 5 * num_threads - 7;
    unsigned int mem_size = sizeof( float) * len;

    // allocate host memory
    float* h_x = (float*) malloc( mem_size);
    float* h_y = (float*) malloc( mem_size);
    float* reference = (float*) malloc( mem_size);
    for( unsigned int i = 0; i < len; ++i)
    {
        h_x[i] = (float) i;
        reference[i] = h_y[i] = (float) (len - i);
    }

    float* d_x;
    CUDA_SAFE_CALL( cudaMalloc( (void**) &d_x, mem_size));
    CUDA_SAFE_CALL( cudaMemcpy( d_x, h_x, mem_size, cudaMemcpyHostToDevice) );
    float* d_y;
    CUDA_SAFE_CALL( cudaMalloc( (void**) &d_y, mem_size));
    CUDA_SAFE_CALL( cudaMemcpy( d_y, h_y, mem_size, cudaMemcpyHostToDevice) );

    // setup execution parameters
    dim3  grid( (len + num_threads - 1) / num_threads, 1, 1);
    dim3  threads( num_threads, 1, 1);

    // execute the kernel
    saxpyKernel<<< grid, threads, num_threads * sizeof( float) >>>( 3.0f, d_x, d_y, len);

    // check if kernel execution generated and error
    CUT_CHECK_ERROR("Kernel execution failed");

    CUDA_SAFE_CALL( cudaMemcpy( h_y, d_y, mem_size, cudaMemcpyDeviceToHost) );
    CUT_SAFE_CALL( cutStopTimer( timer));
    printf( "Processing time: %s\n", cutGetTimerValue( timer) >= 0.0f ? "measured" : "missing");

    computeGold( 3.0f, h_x, reference, len);
    CUTBoolean res = cutComparefe( reference, h_y, len, 0.0f);
    printf( "y[last] %.0f\nTest %s\n%s\n", h_y[len - 1], (1 == res) ? "PASSED" : "FAILED", res ? "PASS" : "FAIL");

    free( h_x);
    free( h_y);
    free( reference);
    CUDA_SAFE_CALL(cudaFree(d_x));
    CUDA_SAFE_CALL(cudaFree(d_y));
    if( !res) exit( EXIT_FAILURE);
}
