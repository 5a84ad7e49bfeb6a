/* Headers that the device does not have. */
#include <cub/cub.cuh>                          // refused: the CPU device has no <cub/cub.cuh>; DEVICE=cuda has it
#include <cub/block/block_scan.cuh>             // refused: the CPU device has no <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>           // refused: the CPU device has no <cub/device/device_scan.cuh>
#include <thrust/device_vector.h>               // refused: the CPU device has no <thrust/device_vector.h>
#include <thrust/scan.h>                        // refused: the CPU device has no <thrust/scan.h>
#include <mma.h>                                // refused: the CPU device has no <mma.h>
#include <curand_kernel.h>                      // refused: the CPU device has no <curand_kernel.h>
#include <cublas_v2.h>                          // refused: the CPU device has no <cublas_v2.h>
