/* cub/warp/warp_scan.cuh: not on the CPU device. */
#error "the CPU device has no <cub/warp/warp_scan.cuh>; DEVICE=cuda has it"
