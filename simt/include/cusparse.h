/* cusparse.h: not on the CPU device. */
#error "the CPU device has no <cusparse.h>; DEVICE=cuda has it"
