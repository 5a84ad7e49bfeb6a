/* cub/block/block_reduce.cuh: not on the CPU device. */
#error "the CPU device has no <cub/block/block_reduce.cuh>; DEVICE=cuda has it"
