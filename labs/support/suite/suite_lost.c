/* suite_lost.c: tests that decide nothing any more. An aspect's points are given when all of its tests pass, and those of the
 * others only where the part is correct: once they are lost, a grading has no need of the tests that are left, of which each
 * failure would be searched for its cause. A few failures are seen all the same, since the first need not say the most. */
#include "suite_internal.h"
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

/* Is "part:aspect" one of the words that commas part? */
static bool is_lost_before(const struct suite_part *part, enum suite_aspect aspect)
{
    const char *const name = suite_aspect_name(aspect);
    const size_t length = strlen(part->name);
    for (const char *word = suite_options.lost; word && *word; word += *word == ',') {
        const size_t end = strcspn(word, ",");
        if (end == length + 1 + strlen(name) && strncmp(word, part->name, length) == 0 &&
            word[length] == ':' && strncmp(word + length + 1, name, strlen(name)) == 0)
            return true;
        word += end;
    }
    return false;
}

static bool has_failed(const struct suite_part *part, enum suite_aspect aspect, unsigned times)
{
    return part == counted && failures[aspect] >= times;
}

bool suite_is_lost(const struct suite_part *part, enum suite_aspect aspect)
{
    if (is_lost_before(part, CORRECT) || is_lost_before(part, aspect))
        return true;
    if (suite_options.enough == 0)
        return false;
    return has_failed(part, aspect, suite_options.enough) ||
           (aspect == EFFICIENT && has_failed(part, CORRECT, 1));
}
