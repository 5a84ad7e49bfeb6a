/* finding_names.h: lookup of names and texts by number, for any number that a finding may contain. Internal. The
 * names are those of simt.h. */
#ifndef SIMT_FINDING_NAMES_H
#define SIMT_FINDING_NAMES_H

#include "simt.h"

/* Entry i of a table; "" when there is none. */
static inline const char *entry(const char *const table[], unsigned count, unsigned i)
{
    return i < count && table[i] ? table[i] : "";
}

#endif
