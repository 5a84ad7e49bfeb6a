/* Neighbouring bytes may belong to two threads, unless one of them writes them as a word.
 * expect: race on */
#include "pair.h"

__global__ void set(unsigned char *bytes, bool faulty)
{
    unsigned t = threadIdx.x;
    if (faulty) {
        unsigned *word = (unsigned *)bytes + t / 4;
        *word |= 1u << (t % 4 * 8); //! both
    } else {
        bytes[t] = 1;
    }
}

PAIR(bytes_by_words)
{
    set<<<1, 64>>>(zeros<unsigned char>(64), faulty);
}
