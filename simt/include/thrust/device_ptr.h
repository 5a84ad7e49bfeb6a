/* thrust/device_ptr.h: not on the CPU device. */
#error "the CPU device has no <thrust/device_ptr.h>; DEVICE=cuda has it"
