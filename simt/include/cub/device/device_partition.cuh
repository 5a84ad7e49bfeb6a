/* cub/device/device_partition.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_partition.cuh>; DEVICE=cuda has it"
