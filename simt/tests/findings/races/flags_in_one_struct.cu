/* Two threads write two members of a struct; a copy of the struct accesses both.
 * expect: race on */
#include "pair.h"

struct state {
    int count, done;
};

__global__ void update(struct state *shared_state, struct state *out, bool faulty)
{
    if (threadIdx.x == 0)
        shared_state->count = 1;
    if (threadIdx.x == 32)
        shared_state->done = 1; //! write
    if (threadIdx.x == 0) {
        if (faulty)
            *out = *shared_state; //! read
        else
            out->count = shared_state->count;
    }
}

PAIR(flags_in_one_struct)
{
    update<<<1, 64>>>(zeros<struct state>(1), zeros<struct state>(1), faulty);
}
