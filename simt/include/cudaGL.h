/* cudaGL.h: not on the CPU device. */
#error "the CPU device has no <cudaGL.h>; DEVICE=cuda has it"
