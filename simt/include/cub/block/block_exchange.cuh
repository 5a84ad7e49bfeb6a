/* cub/block/block_exchange.cuh: not on the CPU device. */
#error "the CPU device has no <cub/block/block_exchange.cuh>; DEVICE=cuda has it"
