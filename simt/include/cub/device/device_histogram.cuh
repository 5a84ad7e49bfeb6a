/* cub/device/device_histogram.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_histogram.cuh>; DEVICE=cuda has it"
