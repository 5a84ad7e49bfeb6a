/* cub/block/block_store.cuh: not on the CPU device. */
#error "the CPU device has no <cub/block/block_store.cuh>; DEVICE=cuda has it"
