/* Sectors of global memory: see requests.h. */
#include "requests.h"

enum { SECTOR = 32 };

struct sectors sectors_count(const struct request *request)
{
    uintptr_t seen[2 * WARP_SIZE]; /* an access of up to 16 bytes touches two sectors at most */
    unsigned count = 0;
    for (uint32_t lanes = request->lanes; lanes; lanes &= lanes - 1) {
        const uintptr_t begin = request->address[__builtin_ctz(lanes)];
        const uintptr_t last = (begin + request->bytes - 1) / SECTOR;
        for (uintptr_t sector = begin / SECTOR; sector <= last; sector++) {
            unsigned i = count; /* newest first: neighbours share sectors */
            while (i > 0 && seen[i - 1] != sector)
                i--;
            if (i == 0)
                seen[count++] = sector;
        }
    }
    const unsigned wanted = (unsigned)__builtin_popcount(request->lanes) * request->bytes;
    const unsigned least = (wanted + SECTOR - 1) / SECTOR;
    return (struct sectors){count, least < count ? least : count};
}
