/* suite_race.c: for a call whose result is right in spite of a race, searches for an order of threads in which it is wrong, so that
 * a person sees what the race can do. A thread of the race comes late to its access, as in RaceFuzzer (Sen, PLDI 2008). If a
 * fence is missing, a store comes late. */
#include "suite_internal.h"
#include <string.h>

enum {
    MOST_CALLS = 24,
    MOST_ELEMENTS = 5000 /* of a call that is tried */
};

struct search {
    suite_try *try;
    const struct suite_call *wrong; /* null: not found yet */
    unsigned calls;
};

/* ---- the search ------------------------------------------------------------------------------------------------ */

/* Makes the call, and again in a fresh process, as the replay line does. */
static bool is_wrong(struct search *search, struct suite_case is)
{
    for (int fresh = 0; fresh < 2 && search->calls < MOST_CALLS; fresh++) {
        if (fresh)
            suite_retire(&is);
        search->calls++;
        search->wrong = search->try(&is);
        if (!search->wrong || !search->wrong->statement[0]) {
            search->wrong = NULL;
            return false;
        }
    }
    return search->wrong;
}

static bool is_thread(const struct simt_side *side)
{
    return side->line > 0 && side->thread.axes > 0;
}

static bool tries_thread(struct search *search, struct suite_case is, const struct simt_side *side,
                         bool stores)
{
    is.late = (struct simt_late){.line = side->line, .stores = stores, .one_thread = true, .one_block = true};
    memcpy(is.late.thread, side->thread.index, sizeof is.late.thread);
    memcpy(is.late.block, side->thread.block, sizeof is.late.block);
    return is_wrong(search, is);
}

static bool lacks_a_fence(const struct simt_finding *race)
{
    return race->missing == SIMT_MISSING_RELEASE || race->missing == SIMT_MISSING_RELEASE_OF_ALL ||
           race->missing == SIMT_MISSING_RELEASE_TO_DEVICE;
}

/* One thread that comes late explains the most; then all threads that come to the line; then the usual orders. */
static bool search_all(struct search *search, const struct suite_case *from, const struct simt_finding *race)
{
    static const uint32_t orders[] = {CALL_FORWARD, CALL_REVERSE, CALL_RANDOM};
    struct suite_case is = *from;
    for (unsigned way = 0; way < 2 && lacks_a_fence(race); way++)
        for (unsigned i = 0; i < 2; i++) {
            is.order = orders[way];
            if (is_thread(&race->side[i]) && tries_thread(search, is, &race->side[i], true))
                return true;
        }
    for (unsigned way = 0; way < 2; way++)
        for (unsigned i = 0; i < 2; i++) {
            is.order = orders[way];
            if (is_thread(&race->side[i]) && tries_thread(search, is, &race->side[i], false))
                return true;
        }
    for (unsigned way = 0; way < 2; way++)
        for (unsigned i = 0; i < 2; i++) {
            is.order = orders[way];
            is.late = (struct simt_late){.line = race->side[i].line};
            if (is_thread(&race->side[i]) && is_wrong(search, is))
                return true;
        }
    is.late = from->late;
    for (unsigned way = 0; way < 3; way++) {
        is.order = orders[way];
        if (is.order != from->order && is_wrong(search, is))
            return true;
    }
    return false;
}

/* ---- the story ------------------------------------------------------------------------------------------------- */

static void add_late_side(struct suite_text *text, const struct simt_finding *race,
                          const struct simt_late *late)
{
    const bool second = race->side[1].line == late->line &&
                        (race->side[0].line != late->line ||
                         (memcmp(race->side[1].thread.index, late->thread, sizeof late->thread) == 0 &&
                          memcmp(race->side[1].thread.block, late->block, sizeof late->block) == 0));
    struct simt_side_words one, other;
    simt_side_words(&race->side[second], &one);
    simt_side_words(&race->side[!second], &other);
    if (late->stores)
        suite_add(text, "wrong if what %s writes at line %d arrives late, as on a GPU without a fence\n",
                  one.who, late->line);
    else
        suite_add(text, "wrong if %s comes late to line %d:\n", one.who, late->line);
    suite_add(text, "    %s %s at line %d, and after that %s %s at line %d\n", other.who, other.does,
              race->side[!second].line, one.who, late->stores ? "has written it" : one.does, late->line);
}

static void add_story(struct suite_text *text, const struct suite_call *wrong,
                      const struct simt_finding *race)
{
    const struct simt_late *late = &wrong->is.late;
    if (late->line > 0 && late->one_thread)
        add_late_side(text, race, late);
    else if (late->line > 0)
        suite_add(text, "wrong if all threads come late to line %d:\n", late->line);
    else
        suite_add(text, "wrong in %s order:\n", suite_order_name(wrong->is.order));
    suite_add(text, "    %.*s\n    see it: ", (int)strcspn(wrong->statement, "\n"), wrong->statement);
    suite_add_replay(text, &wrong->is);
    suite_add(text, "\n");
}

/* Why it is a race although no order of the accesses that was tried changes the result. */
static const char *explain(const struct simt_finding *race)
{
    switch (race->missing) {
    case SIMT_MISSING_ORDER_OF_EQUAL_WRITES:
        return "both write the same value, so no order changes the result; but C++ gives such a program no "
               "meaning";
    case SIMT_MISSING_ACQUIRE:
    case SIMT_MISSING_ACQUIRE_OF_TICKET:
        return "no order that was tried is wrong; but a GPU may read this before the flag, since no fence "
               "orders the two";
    case SIMT_MISSING_ORDER_OF_STREAMS:
    case SIMT_MISSING_HOST_WAIT:
        return "this device finishes one operation before the next one; a GPU may do both at the same time";
    default:
        return "no order that was tried is wrong; but a compiler or a GPU may move or repeat accesses that "
               "nothing orders";
    }
}

void suite_tell_race(const struct suite_case *is, const struct suite_case *first,
                     const struct simt_finding *race, suite_try *try, struct suite_text *text)
{
    struct search search = {.try = try};
    const struct simt_finding found = *race; /* the calls reuse its memory */
    if (race->sides == 2 && race->missing != SIMT_MISSING_ORDER_OF_EQUAL_WRITES) {
        const struct suite_case *const from[] = {is, first};
        for (unsigned i = 0; i < 2 && !search.wrong; i++)
            if (from[i] && suite_elements(from[i]->n) <= MOST_ELEMENTS)
                search_all(&search, from[i], &found);
    }
    if (search.wrong)
        add_story(text, search.wrong, &found);
    else
        suite_add(text, "%s\n", explain(&found));
}
