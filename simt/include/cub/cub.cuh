/* cub/cub.cuh: not on the CPU device. */
#error "the CPU device has no <cub/cub.cuh>; DEVICE=cuda has it"
