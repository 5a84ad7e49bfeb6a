/* cub/device/device_radix_sort.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_radix_sort.cuh>; DEVICE=cuda has it"
