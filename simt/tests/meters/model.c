#include "model.h"
#include "requests.h"

unsigned model_wavefronts(const unsigned offset[32], unsigned lanes, unsigned bytes, int atomic)
{
    struct request request = {.lanes = lanes, .bytes = bytes, .atomic = atomic};
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        request.address[lane] = offset[lane];
    return banks_count(&request).needed;
}
