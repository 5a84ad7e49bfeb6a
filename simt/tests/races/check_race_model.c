/* check_race_model.c: runs random small programs of plain, volatile and atomic accesses, fences, __syncwarp with any
 * mask, and barriers. The device must report a race exactly when a simple model does. The model keeps every access to
 * every byte and a full vector clock for each thread, and goes through the operations in the order in which they
 * happened.
 *
 * usage: check_race_model [programs [seed]]
 *
 * A second build, WITHOUT_FENCES, has programs without fences, for which the device keeps two readers of many. */
#include "closing.h"
#include "race_model.h"
#include "simt.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4, BYTES = WORDS * WORD_BYTES, MEMORIES = BLOCKS + 1, MOST_ACCESSES = 4096 };

/* ---- random programs --------------------------------------------------------------------------------------- */

static uint64_t state;

static unsigned below(unsigned n)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((x ^ (x >> 31)) % n);
}

static program ops;
static unsigned used[ALL_THREADS], values;

static void append(unsigned thread, struct op op)
{
#ifdef WITHOUT_FENCES
    if (op.kind == OP_FENCE || op.kind == OP_FENCE_BLOCK)
        return;
#endif
    if (used[thread] < MOST_OPS - 1)
        ops[thread][used[thread]++] = op;
}

/* The mix of operations of a program. */
struct mix {
    unsigned active;    /* one lane in this many does anything */
    unsigned busy;      /* percent of its turns in which it does */
    unsigned global;    /* percent of accesses */
    unsigned weight[9]; /* of the operations from OP_READ on */
};

static void append_random(unsigned thread, const struct mix *mix)
{
    unsigned total = 0, kind = OP_READ;
    for (unsigned i = 0; i < 10; i++)
        total += i < 9 ? mix->weight[i] : 0;
    unsigned at = below(total);
    while (at >= mix->weight[kind - OP_READ])
        at -= mix->weight[kind++ - OP_READ];
    struct op op = {.kind = (unsigned char)kind,
                    .shared = below(100) >= mix->global,
                    .word = (unsigned char)below(WORDS),
                    .byte = (unsigned char)below(WORD_BYTES)};
    values++;
    op.value = kind == OP_WRITE_BYTE ? values % 127 + 1 : 0x80808080u | (values * 0x01050913u & 0x7f7f7f7fu);
    if (kind >= OP_ATOMIC_BLOCK)
        op.kind = kind == OP_ATOMIC_BLOCK ? OP_ATOMIC_BLOCK : below(3) ? OP_FENCE : OP_FENCE_BLOCK;
    append(thread, op);
}

static void append_to_block(unsigned block, struct op op)
{
    for (unsigned i = 0; i < THREADS; i++)
        append(block * THREADS + i, op);
}

static struct op access_of(unsigned kind, bool shared, unsigned word)
{
    const unsigned value = 0x80808080u | (++values * 0x01050913u & 0x7f7f7f7fu);
    return (struct op){
        .kind = (unsigned char)kind, .shared = shared, .word = (unsigned char)word, .value = value};
}

static void append_fence(unsigned thread, unsigned percent)
{
    if (below(100) < percent)
        append(thread, (struct op){.kind = below(4) ? OP_FENCE : OP_FENCE_BLOCK});
}

/* The lanes of each warp synchronize, all together or in two groups. */
static void append_syncwarps(unsigned block)
{
    for (unsigned warp = 0; warp < THREADS / 32; warp++) {
        const unsigned mask = below(2) ? ~0u : below(~0u);
        for (unsigned lane = 0; lane < 32; lane++)
            append(block * THREADS + warp * 32 + lane,
                   (struct op){.kind = OP_SYNCWARP, .value = mask >> lane & 1 ? mask : ~mask});
    }
}

/* One thread writes and sets a flag; another one reads the flag, and then it or a third thread reads the data. Fences
 * and barriers may be missing, and the reader may be too early. */
static void make_hand_over(void)
{
    const bool shared = below(3) == 0;
    const unsigned from = below(ALL_THREADS), block = from / THREADS;
    const unsigned to = shared || below(2) ? block * THREADS + below(THREADS) : below(ALL_THREADS);
    append(from, access_of(below(8) ? OP_WRITE : OP_WRITE_BYTE, shared, 0));
    append_fence(from, 85);
    unsigned teller = from;
    if (below(3) == 0) {
        append_to_block(block, (struct op){.kind = OP_BARRIER});
        teller = block * THREADS + below(THREADS);
        append_fence(teller, 60);
    }
    append(teller, access_of(below(2) ? OP_VOLATILE_WRITE : OP_ATOMIC, shared, 1));
    if (below(4) == 0) /* a thread that passes it on */
        append(below(ALL_THREADS), access_of(below(3) ? OP_ATOMIC : OP_VOLATILE_WRITE, shared, 1));
    append(to, access_of(below(2) ? OP_VOLATILE_READ : OP_ATOMIC, shared, 1));
    append_fence(to, 60);
    unsigned reader = to;
    if (below(3) == 0) {
        append_to_block(to / THREADS, (struct op){.kind = OP_BARRIER});
        reader = to / THREADS * THREADS + below(THREADS);
        append_fence(reader, 40);
    }
    append(reader, access_of(below(2) ? OP_READ : OP_WRITE, shared, 0));
}

/* Many threads read a word and count themselves; one that finds the count complete writes it. Some may not count. */
static void make_gathering(void)
{
    const unsigned readers = 1 + below(40), counted = below(3) ? 100 : 97,
                   writer = ALL_THREADS - 1 - below(THREADS);
    const unsigned kind = below(3) ? OP_READ : OP_ATOMIC;
    for (unsigned i = 0; i < readers; i++) {
        const unsigned reader = below(ALL_THREADS - THREADS);
        append(reader, access_of(kind, false, 0));
        if (below(100) < counted) {
            append_fence(reader, 100);
            append(reader, access_of(OP_ATOMIC, false, 1));
        }
    }
    append(writer, access_of(OP_ATOMIC, false, 1));
    append(writer, (struct op){.kind = OP_FENCE});
    append(writer, access_of(OP_WRITE, false, 0));
}

/* The same in a block: lanes read between synchronizations of parts of their warps, and one of them writes. */
static void make_gathering_in_block(void)
{
    const unsigned block = below(BLOCKS), steps = 1 + below(4), readers = 1 + below(4);
    const unsigned first = block * THREADS, lanes = below(2) ? THREADS : 32;
    for (unsigned step = 0; step < steps; step++) {
        for (unsigned i = 0; i < readers; i++)
            append(first + below(lanes), access_of(below(4) ? OP_READ : OP_READ_BYTE, below(2), 0));
        if (below(8))
            append_syncwarps(block);
        else
            append_to_block(block, (struct op){.kind = OP_BARRIER});
    }
    append(first + below(lanes), access_of(OP_WRITE, below(2), 0));
}

static void make_mixture(void)
{
    struct mix mix = {.active = 2 + below(40), .busy = 2 + below(20), .global = below(3) ? below(101) : 0};
    for (unsigned i = 0; i < 9; i++)
        mix.weight[i] = below(3) ? below(8) : 0;
    if (below(2)) /* few writes, so that readers accumulate */
        mix.weight[OP_WRITE - OP_READ] = mix.weight[OP_WRITE_BYTE - OP_READ] = below(2);
    mix.weight[below(9)] += 1;
    const unsigned phases = 1 + below(3), blocks = 1 + below(3);
    for (unsigned block = 0; block < blocks; block++) {
        for (unsigned phase = 0; phase < phases; phase++) {
            for (unsigned step = 0, steps = 1 + below(3); step < steps; step++) {
                for (unsigned i = 0; i < THREADS; i++) {
                    for (unsigned turn = 0; turn < 2 && i % mix.active == 0; turn++) {
                        if (below(100) < mix.busy)
                            append_random(block * THREADS + i, &mix);
                    }
                }
                if (step + 1 < steps)
                    append_syncwarps(block);
            }
            if (phase + 1 < phases)
                append_to_block(block, (struct op){.kind = OP_BARRIER});
        }
    }
}

/* Makes a program, and the schedule under which it runs. */
static struct simt_schedule make_program(uint64_t seed)
{
    static void (*const makers[])(void) = {make_mixture, make_hand_over, make_gathering,
                                           make_gathering_in_block};
    const unsigned maker = below(4);
    memset(ops, 0, sizeof ops);
    memset(used, 0, sizeof used);
    values = 0;
    makers[maker]();
    if (maker == 2)
        return (struct simt_schedule){SIMT_FORWARD, 1, 1, 0};
    return (struct simt_schedule){(enum simt_order)below(3), seed, 1 + below(4), 0};
}

/* ---- the model ---------------------------------------------------------------------------------------------- */

struct clock {
    unsigned short at[ALL_THREADS];
};

struct message {
    bool near_set, far_set;
    unsigned block;
    struct clock near, far;
};

struct entry {
    unsigned char kind;
    unsigned short thread, at;
};

static struct {
    struct clock known, near, far, narrow, wide;
    bool narrow_set, wide_set;
    unsigned next;
} threads[ALL_THREADS];

static struct {
    struct entry entries[MOST_ACCESSES];
    unsigned used;
    struct message message;
    struct entry update; /* the last read-modify-write; its kind is OP_END if there is none */
    bool broken;         /* another atomic write has followed the first read-modify-write */
} bytes[MEMORIES][BYTES];

struct opinion {
    bool race, offered; /* offered: a race that a reader's fence would prevent */
};

static void join(struct clock *into, const struct clock *from)
{
    for (unsigned i = 0; i < ALL_THREADS; i++)
        into->at[i] = from->at[i] > into->at[i] ? from->at[i] : into->at[i];
}

static void tick(unsigned thread)
{
    threads[thread].known.at[thread]++;
}

static bool is_strong(unsigned kind)
{
    return kind >= OP_VOLATILE_READ;
}

static bool is_write(unsigned kind)
{
    return kind == OP_WRITE || kind == OP_WRITE_BYTE || kind == OP_VOLATILE_WRITE || kind >= OP_ATOMIC;
}

static bool conflict(unsigned a, unsigned b, bool same_block)
{
    if (!is_write(a) && !is_write(b))
        return false;
    return !is_strong(a) || !is_strong(b) || (!same_block && (a == OP_ATOMIC_BLOCK || b == OP_ATOMIC_BLOCK));
}

static void pass_message(unsigned thread, unsigned kind, struct message *message)
{
    const unsigned block = thread / THREADS;
    const bool for_block = kind == OP_ATOMIC_BLOCK, chained = kind >= OP_ATOMIC;
    if (!is_write(kind) || chained) {
        if (message->block == block && message->near_set)
            join(&threads[thread].near, &message->near);
        if ((message->block == block || !for_block) && message->far_set)
            join(&threads[thread].far, &message->far);
    }
    if (!is_write(kind))
        return;
    struct message sent = {.near_set = threads[thread].narrow_set,
                           .far_set = threads[thread].wide_set && !for_block,
                           .block = block,
                           .near = threads[thread].narrow};
    if (sent.far_set)
        sent.far = threads[thread].wide;
    if (chained && message->near_set && message->block == block) {
        join(&sent.near, &message->near);
        sent.near_set = true;
    }
    if (chained && message->far_set) {
        join(&sent.far, &message->far);
        sent.far_set = true;
    }
    *message = sent;
}

/* Read-modify-writes observe each other: a thread that follows the last of them follows all of them. */
static bool is_observed(const struct entry *entry, unsigned thread, unsigned memory, unsigned byte)
{
    const struct entry *update = &bytes[memory][byte].update;
    return entry->kind == OP_ATOMIC && update->kind != OP_END && !bytes[memory][byte].broken &&
           (update->thread == thread || threads[thread].known.at[update->thread] >= update->at);
}

static void note_update(unsigned thread, unsigned kind, unsigned memory, unsigned byte)
{
    if (is_write(kind) && !is_strong(kind)) {
        bytes[memory][byte].update.kind = OP_END;
        bytes[memory][byte].broken = false;
    } else if (kind == OP_ATOMIC) {
        bytes[memory][byte].update =
            (struct entry){OP_ATOMIC, (unsigned short)thread, threads[thread].known.at[thread]};
    } else if (is_write(kind) && bytes[memory][byte].update.kind != OP_END) {
        bytes[memory][byte].broken = true;
    }
}

static void access_byte(unsigned thread, unsigned kind, unsigned memory, unsigned byte,
                        struct opinion *opinion)
{
    for (unsigned i = 0; i < bytes[memory][byte].used; i++) {
        const struct entry *entry = &bytes[memory][byte].entries[i];
        const unsigned other = entry->thread;
        if (other == thread || !conflict(kind, entry->kind, other / THREADS == thread / THREADS) ||
            threads[thread].known.at[other] >= entry->at)
            continue;
        if (!is_strong(kind) && is_observed(entry, thread, memory, byte)) {
            if (is_write(kind)) /* what follows this write also follows it */
                bytes[memory][byte].entries[i--] = bytes[memory][byte].entries[--bytes[memory][byte].used];
            continue;
        }
        if (threads[thread].near.at[other] >= entry->at || threads[thread].far.at[other] >= entry->at)
            opinion->offered = true;
        else
            opinion->race = true;
    }
    if (bytes[memory][byte].used < MOST_ACCESSES)
        bytes[memory][byte].entries[bytes[memory][byte].used++] =
            (struct entry){(unsigned char)kind, (unsigned short)thread, threads[thread].known.at[thread]};
    note_update(thread, kind, memory, byte);
    if (is_strong(kind))
        pass_message(thread, kind, &bytes[memory][byte].message);
    else if (is_write(kind))
        memset(&bytes[memory][byte].message, 0, sizeof bytes[memory][byte].message);
}

static void fence(unsigned thread, bool wide)
{
    join(&threads[thread].known, &threads[thread].near);
    if (wide)
        join(&threads[thread].known, &threads[thread].far);
    threads[thread].narrow = threads[thread].known;
    threads[thread].narrow_set = true;
    if (wide) {
        threads[thread].wide = threads[thread].known;
        threads[thread].wide_set = true;
    }
    tick(thread);
}

/* All `count` threads synchronize: each then has the clocks of all of them. */
static void meet(const unsigned *who, unsigned count)
{
    static struct clock known, near, far, narrow, wide;
    bool narrow_set = false, wide_set = false;
    memset(&known, 0, sizeof known);
    near = far = narrow = wide = known;
    for (unsigned i = 0; i < count; i++) {
        join(&known, &threads[who[i]].known);
        join(&near, &threads[who[i]].near);
        join(&far, &threads[who[i]].far);
        join(&narrow, &threads[who[i]].narrow);
        join(&wide, &threads[who[i]].wide);
        narrow_set = narrow_set || threads[who[i]].narrow_set;
        wide_set = wide_set || threads[who[i]].wide_set;
    }
    for (unsigned i = 0; i < count; i++) {
        threads[who[i]].known = known;
        threads[who[i]].near = near;
        threads[who[i]].far = far;
        threads[who[i]].narrow = narrow;
        threads[who[i]].wide = wide;
        threads[who[i]].narrow_set = narrow_set;
        threads[who[i]].wide_set = wide_set;
        tick(who[i]);
    }
}

/* The first thread of a group continues: all have arrived, and this is the next operation of each. */
static void meet_group(unsigned thread, const struct op *op)
{
    unsigned who[THREADS], count = 0;
    const unsigned first = op->kind == OP_BARRIER ? thread / THREADS * THREADS : thread / 32 * 32;
    const unsigned size = op->kind == OP_BARRIER ? THREADS : 32;
    for (unsigned i = 0; i < size; i++) {
        if (op->kind == OP_BARRIER || op->value >> i & 1) {
            who[count++] = first + i;
            if (first + i != thread)
                threads[first + i].next++;
        }
    }
    if (op->kind == OP_BARRIER || count > 1)
        meet(who, count);
}

static struct opinion judge(long long stamps[ALL_THREADS][MOST_OPS])
{
    struct opinion opinion = {false, false};
    memset(threads, 0, sizeof threads);
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < ALL_THREADS; i++)
        threads[i].known.at[i] = 1;
    for (;;) {
        unsigned first = ALL_THREADS;
        for (unsigned i = 0; i < ALL_THREADS; i++) {
            if (ops[i][threads[i].next].kind != OP_END &&
                (first == ALL_THREADS || stamps[i][threads[i].next] < stamps[first][threads[first].next]))
                first = i;
        }
        if (first == ALL_THREADS)
            return opinion;
        const struct op *op = &ops[first][threads[first].next++];
        if (op->kind == OP_SYNCWARP || op->kind == OP_BARRIER) {
            meet_group(first, op);
        } else if (op->kind == OP_FENCE || op->kind == OP_FENCE_BLOCK) {
            fence(first, op->kind == OP_FENCE);
        } else {
            const bool part = op->kind == OP_READ_BYTE || op->kind == OP_WRITE_BYTE;
            const unsigned memory = op->shared ? first / THREADS : BLOCKS;
            const unsigned begin = op->word * WORD_BYTES + (part ? op->byte : 0);
            for (unsigned byte = begin; byte < begin + (part ? 1 : WORD_BYTES); byte++)
                access_byte(first, op->kind, memory, byte, &opinion);
        }
    }
}

/* ---- the comparison -------------------------------------------------------------------------------------------- */

static struct opinion device_opinion(void)
{
    struct opinion opinion = {false, false};
    for (size_t i = 0; i < simt_finding_count(); i++) {
        const struct simt_finding *finding = simt_finding_at(i);
        if (finding->kind != SIMT_RACE)
            continue;
        if (finding->rule == SIMT_RULE_RACE_NO_ACQUIRE || finding->rule == SIMT_RULE_RACE_TICKET_ONLY ||
            finding->rule == SIMT_RULE_RACE_NO_RELEASE)
            opinion.offered = true;
        else if (!finding->warning)
            opinion.race = true;
    }
    return opinion;
}

static void ignore(const struct simt_finding *finding, void *context)
{
    (void)finding, (void)context;
}

int main(int argc, char **argv)
{
    const unsigned programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 2000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static long long stamps[ALL_THREADS][MOST_OPS];
    unsigned failed = 0, races = 0, offers = 0;
    simt_set_finding_sink(ignore, NULL);
    for (unsigned i = 0; i < programs; i++) {
        state = seed * 1000003 + i;
        const struct simt_schedule schedule = make_program(i);
        simt_set_schedule(&schedule);
        simt_begin_run();
        interpret_on_device(ops, stamps);
        const struct opinion wanted = judge(stamps), got = device_opinion();
        races += wanted.race;
        offers += wanted.offered && !wanted.race;
        /* After a race that a fence would prevent, further findings depend on which access is kept. */
        const bool right = wanted.offered ? got.race || got.offered : got.race == wanted.race && !got.offered;
        if (!right) {
            failed++;
            printf("not ok: program %u of seed %llu: a race %s, the device says %s\n", i,
                   (unsigned long long)seed,
                   wanted.race      ? "there is"
                   : wanted.offered ? "but for a fence"
                                    : "there is not",
                   got.race      ? "race"
                   : got.offered ? "no fence"
                                 : "nothing");
        }
    }
    printf("%u programs with a race, %u with one but for a fence\n", races, offers);
    return closing_line("race model", (int)(programs - failed), (int)failed);
}
