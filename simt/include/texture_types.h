/* texture_types.h: not on the CPU device. */
#error "the CPU device has no <texture_types.h>; DEVICE=cuda has it"
