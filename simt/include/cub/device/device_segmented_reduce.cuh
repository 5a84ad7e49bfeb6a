/* cub/device/device_segmented_reduce.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_segmented_reduce.cuh>; DEVICE=cuda has it"
