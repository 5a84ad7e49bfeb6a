/* cub/device/device_scan.cuh: not on the CPU device. */
#error "the CPU device has no <cub/device/device_scan.cuh>; DEVICE=cuda has it"
