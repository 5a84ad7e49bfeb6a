/* cooperative_groups/memcpy_async.h: not on the CPU device. */
#error "the CPU device has no <cooperative_groups/memcpy_async.h>; DEVICE=cuda has it"
