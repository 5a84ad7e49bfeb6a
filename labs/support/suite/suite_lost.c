/* suite_lost.c: tests that can no longer decide anything. The points of an aspect are given if all of its tests
 * pass, and those of the other aspects only if the part is correct. When points are lost, grading does not need the
 * remaining tests, each of whose failures would cause searches. A few failures are still collected, because the
 * first one may not be the most informative. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

static const struct suite_part *counted;
static unsigned failures[EFFICIENT + 1]; /* of this part, by aspect */

void suite_lost_note(const struct suite_part *part, enum suite_aspect aspect)
{
    if (part != counted)
        memset(failures, 0, sizeof failures);
    counted = part;
    failures[aspect]++;
}

static bool is_lost_before(const struct suite_part *part, enum suite_aspect aspect)
{
    char word[96];
    snprintf(word, sizeof word, "%s:%s", part->name, suite_aspect_name(aspect));
    return suite_is_listed(suite_options.lost, word);
}

bool suite_has_failed(const struct suite_part *part, enum suite_aspect aspect, unsigned times)
{
    return part == counted && failures[aspect] >= times;
}

bool suite_is_lost(const struct suite_part *part, enum suite_aspect aspect)
{
    if (is_lost_before(part, CORRECT) || is_lost_before(part, aspect))
        return true;
    if (suite_options.enough == 0)
        return false;
    return suite_has_failed(part, aspect, suite_options.enough) ||
           (aspect == EFFICIENT && suite_has_failed(part, CORRECT, 1));
}
