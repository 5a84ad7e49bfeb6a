/* cub/block/block_load.cuh: not on the CPU device. */
#error "the CPU device has no <cub/block/block_load.cuh>; DEVICE=cuda has it"
