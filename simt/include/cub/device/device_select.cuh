/* cub/device/device_select.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_select.cuh>; DEVICE=cuda has it"
