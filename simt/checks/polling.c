#include "checks/polling.h"
#include "core/schedule.h"
#include "core/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 1 << 14, /* slots of the table; at most three quarters are used */
    POLLS = 1 << 16, /* the same for polls */
    VALUES = 6,      /* distinguished values of a word */
    ENOUGH = 4,      /* unchanged reads of a word by one thread that make a poll */
    LONGEST = 64,    /* bytes of an access that is recorded word by word */
    WORD = 4         /* bytes */
};

/* What was observed of a word since the watch began. A word of shared memory belongs to one block. */
struct word {
    uintptr_t address; /* 0: the slot is free */
    uint64_t block;
    const struct thread *first; /* the thread that accessed it first */
    uint32_t value[VALUES];
    unsigned char values;
    bool for_many; /* other threads accessed it, too */
    bool fresh;    /* in the second half it had a value that it did not have in the first */
};

/* A thread that reads a word by volatile or atomic accesses. */
struct poll {
    const struct thread *thread; /* null: the slot is free */
    uint32_t word;
    uint32_t count;
};

static struct word *words;
static struct poll *polls;
static size_t words_used, polls_used;
static bool watching;
static bool second_half;
static bool only_reads; /* since the watch began: of plain memory */
static bool progress; /* other memory than in the first half was accessed, or there was too much to record */

static size_t hash(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ b;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return (size_t)(x ^ (x >> 29));
}

static struct word *word_at(uintptr_t address, uint64_t block)
{
    size_t at = hash(address, block) % WORDS;
    while (words[at].address && (words[at].address != address || words[at].block != block))
        at = (at + 1) % WORDS;
    if (words[at].address)
        return &words[at];
    if (second_half || words_used == WORDS / 4 * 3) {
        progress = true;
        return NULL;
    }
    words_used++;
    words[at] = (struct word){.address = address, .block = block, .first = current_thread};
    return &words[at];
}

static void note_value(struct word *word, uint32_t value)
{
    for (unsigned i = 0; i < word->values; i++)
        if (word->value[i] == value)
            return;
    if (word->values < VALUES)
        word->value[word->values++] = value;
    word->fresh = word->fresh || second_half;
}

static void note_poll(const struct word *word)
{
    const uint32_t index = (uint32_t)(word - words);
    size_t at = hash((uintptr_t)current_thread, index) % POLLS;
    while (polls[at].thread && (polls[at].thread != current_thread || polls[at].word != index))
        at = (at + 1) % POLLS;
    if (!polls[at].thread) {
        if (polls_used == POLLS / 4 * 3) {
            progress = true;
            return;
        }
        polls_used++;
        polls[at] = (struct poll){.thread = current_thread, .word = index};
    }
    polls[at].count++;
}

/* Called before the access; the next access observes what it writes. */
static void see(const struct access *access)
{
    const bool reads = !(access->kind & ACCESS_WRITE) || (access->kind & ACCESS_CHAINED);
    const bool strong = access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC);
    const uintptr_t begin = (uintptr_t)access->address / WORD * WORD;
    const uintptr_t end = (uintptr_t)access->address + access->bytes;
    if (access->space == MEMORY_LOCAL || access->space == MEMORY_CONSTANT || progress)
        return;
    if (access->bytes > LONGEST) {
        progress = true;
        return;
    }
    for (uintptr_t at = begin; at < end; at += WORD) {
        struct word *word = word_at(at, access->space == MEMORY_SHARED ? current_block->number + 1 : 0);
        uint32_t value;
        if (!word)
            return;
        memcpy(&value, (const void *)at, sizeof value);
        note_value(word, value);
        only_reads = only_reads && reads && !strong;
        word->for_many = word->for_many || word->first != current_thread;
        if (strong && reads)
            note_poll(word);
    }
}

static bool is_wanted(void)
{
    return watching;
}

void polling_watch(enum polling_stage stage)
{
    const bool on = stage != POLLING_UNSEEN;
    second_half = stage == POLLING_SECOND_HALF;
    if (on && !watching) {
        words = calloc(WORDS, sizeof *words);
        polls = calloc(POLLS, sizeof *polls);
        words_used = polls_used = 0;
        only_reads = true;
        progress = !words || !polls;
    } else if (!on) {
        free(words);
        free(polls);
        words = NULL;
        polls = NULL;
    }
    if (on != watching) {
        watching = on;
        observers_activate();
    }
}

/* Does the thread repeatedly read any word; or, if `unchanged`, one whose value has not changed? */
static bool polls_in_vain(const struct thread *thread, bool unchanged)
{
    for (size_t i = 0; i < POLLS; i++)
        if (polls[i].thread == thread && polls[i].count >= ENOUGH &&
            (!unchanged || words[polls[i].word].values == 1))
            return true;
    return false;
}

bool polling_only_reads(void)
{
    return watching && second_half && !progress && words_used > 0 && only_reads;
}

bool polling_in_vain(const struct block *blocks, unsigned used)
{
    bool counts = false; /* some thread's private word keeps changing */
    if (!watching || !second_half || progress)
        return false;
    for (size_t i = 0; i < WORDS; i++) {
        if (words[i].fresh && words[i].for_many)
            return false;
        counts = counts || words[i].fresh;
    }
    for (unsigned b = 0; b < used; b++) {
        const struct block *block = &blocks[b];
        for (unsigned t = 0; block->active && t < current_launch->block_threads; t++)
            if (thread_is_ready(&block->threads[t]) && !polls_in_vain(&block->threads[t], counts))
                return false;
    }
    return true;
}

const struct observer polling_observer = {.name = "polling", .wanted = is_wanted, .access = see};
