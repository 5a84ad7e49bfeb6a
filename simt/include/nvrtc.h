/* nvrtc.h: not on the CPU device. */
#error "the CPU device has no <nvrtc.h>; DEVICE=cuda has it"
