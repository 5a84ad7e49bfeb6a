/* cub/block/block_scan.cuh: not on the CPU device. */
#error "the CPU device has no <cub/block/block_scan.cuh>; DEVICE=cuda has it"
