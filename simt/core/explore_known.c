#include "core/explore_run.h"

enum { VALUES = 1024 /* a power of two */, KEEPERS = 64 };

static struct known values[VALUES];
static const void *keepers[KEEPERS];
static unsigned keeper_count;

struct known *known_of(const void *site, const char *value)
{
    uint64_t hash = (uintptr_t)site;
    for (unsigned i = 0; i < MOST_BYTES; i++)
        hash = (hash ^ (unsigned char)value[i]) * 0x100000001b3u; /* FNV-1a */
    struct known *known = &values[(hash ^ hash >> 32) & (VALUES - 1)];
    if (known->site != site || memcmp(known->value, value, MOST_BYTES) != 0) {
        *known = (struct known){.site = site};
        memcpy(known->value, value, MOST_BYTES);
    }
    return known;
}

bool known_keeps(const void *site)
{
    for (unsigned i = 0; i < keeper_count; i++)
        if (keepers[i] == site)
            return true;
    return keeper_count == KEEPERS;
}

void known_note_keeper(const void *site)
{
    if (!known_keeps(site))
        keepers[keeper_count++] = site;
}
