#ifndef _SAXPY_KERNEL_H_
#define _SAXPY_KERNEL_H_

// compiled by being included, in the manner of the first SDK
#define SDATA( index)      sdata[index]

__global__ void
saxpyKernel( float alpha, float* g_x, float* g_y, int len)
{
  extern  __shared__  float sdata[];

  const unsigned int tid = threadIdx.x;
  const unsigned int pos = __umul24( blockIdx.x, blockDim.x) + tid;

  // read in input data from global memory
  if( pos < len)
  {
    SDATA(tid) = g_x[pos];
  }
  __syncthreads();

  // perform some computations
  if( pos < len)
  {
    g_y[pos] = alpha * SDATA( tid) + g_y[pos];
  }
}

#endif // #ifndef _SAXPY_KERNEL_H_
