inline void not_a_kernel() {}
