/* cub/warp/warp_reduce.cuh: not on the CPU device. */
#error "the CPU device has no <cub/warp/warp_reduce.cuh>; DEVICE=cuda has it"
