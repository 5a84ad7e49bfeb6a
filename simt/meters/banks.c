/* Wavefronts of shared memory: see requests.h. */
#include "meters/requests.h"

enum { BANKS = 32, WORD = 4, WAVEFRONT_BYTES = BANKS * WORD };

/* The maximum number of different words in one bank among the accesses of some lanes. */
static unsigned count_group(const struct request *request, uint32_t lanes)
{
    const unsigned words = request->bytes > WORD ? request->bytes / WORD : 1;
    static uintptr_t seen[BANKS][WARP_SIZE]; /* different words so far, at most one for each lane in a bank */
    unsigned char count[BANKS] = {0};
    unsigned most = 0;
    for (; lanes; lanes &= lanes - 1) {
        const uintptr_t first = request->address[__builtin_ctz(lanes)] / WORD;
        for (uintptr_t word = first; word < first + words; word++) {
            const unsigned bank = word % BANKS;
            unsigned i = 0;
            while (i < count[bank] && (request->atomic || seen[bank][i] != word))
                i++;
            if (i == count[bank]) {
                seen[bank][i] = word;
                count[bank]++;
                if (i >= most)
                    most = i + 1;
            }
        }
    }
    return most;
}

struct wavefronts banks_count(const struct request *request)
{
    const unsigned width = request->bytes <= WORD ? WARP_SIZE : WAVEFRONT_BYTES / request->bytes;
    const uint32_t group = width == WARP_SIZE ? UINT32_MAX : ((uint32_t)1 << width) - 1;
    struct wavefronts all = {0, 0};
    for (unsigned first = 0; first < WARP_SIZE; first += width) {
        const uint32_t lanes = request->lanes & group << first;
        if (lanes == 0)
            continue;
        all.needed += count_group(request, lanes);
        all.least++;
    }
    return all;
}
