/* suite_choices.c: the choices of an explored schedule as a word of a replay line, and its accesses as lines of text. */
#include "suite_internal.h"
#include <string.h>

static const char digits[SIMT_CHOICE_LATER + 2] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX__YZ";
static const char equal[] = ":equal"; /* blocks count as equal */

void suite_add_choices(struct suite_text *text, const struct simt_explore *explore)
{
    for (uint32_t i = 0; i < explore->choices; i++)
        suite_add(text, "%c", digits[explore->choice[i]]);
    suite_add(text, "%s", explore->symmetric ? equal : explore->choices > 0 ? "" : ":");
}

bool suite_parse_choices(const char *word, struct simt_explore *explore)
{
    *explore = (struct simt_explore){.on = 1, .story = 1};
    for (; *word && *word != ':'; word++) {
        const char *digit = strchr(digits, *word);
        if (!digit || *word == '_' || explore->choices == SIMT_CHOICES)
            return false;
        explore->choice[explore->choices++] = (uint8_t)(digit - digits);
    }
    explore->symmetric = strcmp(word, equal) == 0;
    return !*word || explore->symmetric || strcmp(word, ":") == 0;
}

/* ---- the story -------------------------------------------------------------------------------------------------- */

static void add_who(struct suite_text *text, const struct simt_step *step)
{
    suite_add(text, "block %u, thread %u", (unsigned)step->block[0], (unsigned)step->thread[0]);
}

static void add_word(struct suite_text *text, const struct simt_step *step)
{
    const uint32_t index = step->bytes > 0 ? step->place / step->bytes : 0;
    if (step->name[0])
        suite_add(text, "%s[%u]", step->name, (unsigned)index);
    else if (step->allocated > 0)
        suite_add(text, "word %u of line %d's memory", (unsigned)index, (int)step->allocated);
    else
        suite_add(text, "word %u", (unsigned)index);
}

void suite_add_steps(struct suite_text *text, const struct simt_explored *explored, unsigned most)
{
    const uint32_t first = explored->steps > most ? explored->steps - most : 0;
    if (first > 0)
        suite_add(text, "    ... %u accesses\n", (unsigned)first);
    for (uint32_t i = first; i < explored->steps; i++) {
        const struct simt_step *step = &explored->step[i];
        suite_add(text, "    line %-4d ", (int)step->line);
        add_who(text, step);
        suite_add(text, step->reads && step->writes ? " changes " : step->writes ? " writes " : " reads ");
        add_word(text, step);
        if (step->reads && step->writes)
            suite_add(text, " from %llu to %llu", (unsigned long long)step->read,
                      (unsigned long long)step->written);
        else
            suite_add(text, ": %llu", (unsigned long long)(step->writes ? step->written : step->read));
        if (step->stale)
            suite_add(text, ", an older value");
        suite_add(text, "\n");
    }
}
