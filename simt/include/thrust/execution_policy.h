/* thrust/execution_policy.h: not on the CPU device. */
#error "the CPU device has no <thrust/execution_policy.h>; DEVICE=cuda has it"
