/* suite_explore.c: calls a part whose threads talk by volatile and atomic accesses under every schedule, and with every value that
 * the memory model lets such an access read, for a few blocks. What a schedule is, and how the device executes one: simt/core/explore.h. */
#include "suite_internal.h"
#include "suite_tree.h"
#include <stdio.h>
#include <string.h>

enum {
    MOST_BLOCKS = 5,
    MOST_TEST_BLOCKS = 4,
    MOST_EXECUTIONS = 3000, /* of all lengths together */
    MOST_TEST_EXECUTIONS = 100,
    MOST_WORK = 1 << 30, /* instructions of all calls together */
    MOST_TEST_WORK = 1 << 26,
    MORE_FAILURES = 40, /* runs after the first failing one, in search of a shorter one */
    MOST_UNIT = 128,    /* tiles of SMALL_TILE elements that a block may take */
    SHOWN_STEPS = 20,
    LEAST_BLOCKS = 2 /* for a claim */
};

static struct suite_tree tree;
static struct suite_call call, worst;

/* The exploration of one part. */
static struct {
    uint64_t executions, most, work, most_work;
    size_t calls;
    size_t lengths[2 * MOST_BLOCKS];
    unsigned count;
    uint32_t blocks;          /* of the longest call */
    struct suite_case failed; /* the shortest failing schedule */
    bool found;
} all;

/* ---- one length ------------------------------------------------------------------------------------------------- */

static const char *const reasons[SIMT_UNEXPLORED_REASONS] = {
    [SIMT_UNEXPLORED_NOTHING] = "the call did not come to its end",
    [SIMT_UNEXPLORED_OVERLAP] = "volatile or atomic accesses of different sizes overlap",
    [SIMT_UNEXPLORED_PLAIN] =
        "a plain write goes to memory that is also accessed by volatile or atomic accesses",
    [SIMT_UNEXPLORED_MUCH] = "it makes too many volatile and atomic accesses",
    [SIMT_UNEXPLORED_DIFFERENT] = "two calls with the same choices differ",
    [SIMT_UNEXPLORED_BLOCKS] = "its blocks do not fit on the device at the same time",
    [SIMT_UNEXPLORED_STREAMS] =
        "with streams, several of its kernels may talk to each other at the same time",
};

static bool is_clean(const struct suite_call *made)
{
    return made->reply.findings == 0 && made->reply.leaks == 0;
}

/* Keeps the failing run with the fewest accesses. */
static void keep_failure(const struct suite_call *made)
{
    const struct simt_explored *explored = &made->reply.explored;
    if (all.found && worst.reply.explored.events <= explored->events)
        return;
    all.found = true;
    worst = *made;
    worst.is.explore.choices = explored->choices;
    for (uint32_t i = 0; i < explored->choices; i++)
        worst.is.explore.choice[i] = explored->choice[i].chosen;
}

static const char cap[] = "cap";

/* The outcome at a length: null if all schedules are right; else why not all were explored, or "" for a wrong one. */
static const char *explore_length(struct suite_case is, bool symmetric)
{
    unsigned more = 0;
    bool left = true;
    suite_tree_begin(&tree, symmetric);
    while (left) {
        suite_tree_ask(&tree, &is.explore);
        is.explore.story = 1;
        const bool right = suite_attempt(&call, &is, CALL_METERS_OFF, true);
        all.calls++;
        const struct simt_explored *explored = &call.reply.explored;
        if (!call.reply.explores || (call.trouble[0] && call.trouble_kind == SUITE_HARNESS))
            return call.trouble[0] ? call.trouble : reasons[SIMT_UNEXPLORED_NOTHING];
        if (explored->index_read && symmetric)
            return explore_length(is, false);
        if (explored->end == SIMT_EXPLORED_NOT)
            return reasons[explored->why];
        all.blocks = explored->blocks;
        all.work += call.reply.executed;
        left = suite_tree_take(&tree, explored);
        all.executions += explored->end == SIMT_EXPLORED_WHOLE;
        if (explored->end != SIMT_EXPLORED_AGAIN && (!right || !is_clean(&call)))
            keep_failure(&call);
        if (all.found && ++more > MORE_FAILURES)
            break;
        if (left && !all.found &&
            (all.executions >= all.most || tree.runs > 4 * all.most || all.work > all.most_work))
            return cap;
    }
    return all.found ? "" : NULL;
}

/* ---- all lengths ------------------------------------------------------------------------------------------------- */

/* The elements that a block takes: the first multiple of the tile after which one more element makes another block. 0: none found, for
 * the reason *why. */
static size_t find_unit(struct suite_case is, const char **why)
{
    *why = "no two of its blocks work at the same time on up to 8192 elements";
    for (size_t tiles = 1; tiles <= MOST_UNIT; tiles *= 2) {
        is.n = tiles * SMALL_TILE + 1;
        suite_tree_begin(&tree, false);
        suite_tree_ask(&tree, &is.explore);
        suite_attempt(&call, &is, CALL_METERS_OFF, true);
        if (!call.reply.explores)
            return 0;
        if (call.reply.explored.why == SIMT_UNEXPLORED_STREAMS) {
            *why = reasons[SIMT_UNEXPLORED_STREAMS];
            return 0;
        }
        if (call.reply.explored.blocks >= 2) {
            *why = NULL;
            return tiles * SMALL_TILE;
        }
    }
    return 0;
}

static void add_lengths(struct suite_text *text)
{
    for (unsigned i = 0; i < all.count; i++)
        suite_add(text, "%s%zu", i > 0 ? ", " : "", all.lengths[i]);
}

static void add_failure(struct suite_text *text)
{
    const struct call_reply *reply = &worst.reply;
    suite_add(text, "not proved: a schedule of %u block%s ", (unsigned)reply->explored.blocks,
              reply->explored.blocks == 1 ? "" : "s");
    if (reply->findings > 0) {
        suite_add(text, "fails: ");
        suite_add_title(text, &reply->finding[0]);
    } else if (worst.statement[0])
        suite_add(text, "is wrong: %.*s", (int)strcspn(worst.statement, "\n"), worst.statement);
    else
        suite_add(text, "fails: %.200s",
                  worst.trouble[0] ? worst.trouble : "memory of the device is not freed");
    suite_add(text, "\n    see it: ");
    suite_add_replay(text, &worst.is);
    suite_add(text, "\n");
    suite_add_steps(text, &reply->explored, SHOWN_STEPS);
}

/* A thread waits for a block that may not have started. Is there a schedule of few blocks that stops? */
static void tell_unstarted(struct suite_case is, struct suite_text *text)
{
    static const uint32_t orders[] = {CALL_REVERSE, CALL_FORWARD, CALL_RANDOM};
    memset(&is.explore, 0, sizeof is.explore);
    for (unsigned i = 0; i < 3; i++)
        for (is.resident = 1; is.resident < all.blocks; is.resident++) {
            is.order = orders[i];
            suite_attempt(&call, &is, CALL_METERS_OFF, true);
            if (call.reply.findings == 0 || call.reply.finding[0].kind != SIMT_DEADLOCK)
                continue;
            suite_add(text,
                      "not proved: block %u waits at line %d for block %u, which need not have started\n    "
                      "see it: ",
                      (unsigned)tree.unstarted.block, (int)tree.unstarted.line,
                      (unsigned)tree.unstarted.other);
            suite_add_replay(text, &is);
            return;
        }
    suite_add(text, "not proved: block %u may wait at line %d for block %u before that has started",
              (unsigned)tree.unstarted.block, (int)tree.unstarted.line, (unsigned)tree.unstarted.other);
}

static void begin(void)
{
    memset(&all, 0, sizeof all);
    all.most = suite_options.prove ? MOST_EXECUTIONS : MOST_TEST_EXECUTIONS;
    all.most_work = suite_options.prove ? MOST_WORK : MOST_TEST_WORK;
}

static bool explore(const struct suite_part *part, struct suite_text *text)
{
    begin();
    if (!suite_has_tile(SMALL_TILE))
        return false;
    suite_use_tile(SMALL_TILE);
    struct suite_case is = suite_case(part, suite_telling_monoid(part), 1);
    is.proof = true;
    const char *why;
    const size_t unit = find_unit(is, &why);
    const unsigned most = suite_options.prove ? MOST_BLOCKS : MOST_TEST_BLOCKS;
    struct { /* all lengths that were explored whole */
        uint32_t blocks;
        uint64_t executions;
    } whole = {0, 0};
    for (unsigned tiles = 1; tiles <= most && !why; tiles++)
        for (unsigned full = 0; full < 2 && !why; full++) {
            is.n = full ? tiles * unit : (tiles - 1) * unit + 1;
            why = explore_length(is, true);
            if (!why && tree.unstarted.block != tree.unstarted.other) {
                tell_unstarted(is, text);
                return false;
            }
            if (why)
                continue;
            all.lengths[all.count++] = is.n;
            whole.blocks = all.blocks;
            whole.executions = all.executions;
        }
    if (why && !*why)
        add_failure(text);
    else if (why && (why != cap || whole.blocks < LEAST_BLOCKS))
        suite_add(text,
                  why == cap ? "explored %llu executions of %u blocks, the cap; not all schedules"
                             : "not proved: ",
                  (unsigned long long)all.executions, (unsigned)all.blocks);
    if (why && *why && why != cap)
        suite_add(text, "%s", why);
    if (whole.blocks < LEAST_BLOCKS || (why && why != cap))
        return false;
    suite_add(text,
              "explored: every schedule of 1 to %u blocks, %llu executions, at n = ", (unsigned)whole.blocks,
              (unsigned long long)whole.executions);
    add_lengths(text);
    suite_add(text, " with TILE = %d%s", SMALL_TILE,
              why == cap ? "; more blocks have more executions than the cap" : "");
    return true;
}

bool suite_explore(const struct suite_part *part, struct suite_text *text, size_t *calls)
{
    const bool right = explore(part, text);
    *calls += all.calls;
    return right;
}
