/* Meters of depth: `steps`, the longest chain of combines in which each depends on the order after the one before
 * it, and `span`, the longest chain of memory accesses and combines. They give the time that the algorithm would
 * take if each thread had its own processor and only these operations took time.
 *
 * One operation comes after another when it is later in the same thread, or in a thread that has met the other
 * thread since then: at a barrier of the block or the grid, in a warp operation, or by a volatile or atomic read of
 * an address that the other thread has written with a volatile or atomic access. Everything in a launch comes after
 * all earlier launches and copies. Launches in different streams, which could overlap, count one after another as
 * well. So do the accesses of one thread, whether or not one needs the result of another.
 *
 * Accesses to global memory, shared memory and __constant__ variables count, once for each 16 bytes: a float4 is
 * one access. Local variables are free, and so is the harness's work in a stock function. Reading the same flag
 * repeatedly is waiting and counts once; the instructions between those reads are free once the flag has changed. A
 * read-modify-write continues the chain that was published at its address without making it longer, so a sum by
 * atomics is one access for each thread. A call that copies is a read and a write; a call that fills is a write.
 *
 * Each thread stores the length of the longest chain that ends in it. Where threads meet, all continue with the
 * longest of their chains. */
#include "meters/chains.h"
#include "core/budget.h"
#include "core/warp.h"
#include "meters/address_counts.h"

#include <stdlib.h>
#include <string.h>

/* The maximum of instructions in one turn of a loop that waits for a flag. */
enum { MOST_OF_WAIT = 64 };

/* The longest chains that volatile or atomic writes have published, by address. `published` has steps in the upper
 * half of a number and span in the lower half. */
static struct address_counts published, published_instructions;

static const struct block **blocks; /* resident blocks */
static size_t block_count;

static uint32_t longest[CHAINS]; /* so far */
static uint32_t before[CHAINS];  /* chains of earlier launches and copies */

unsigned chain_links(const struct access *access)
{
    if (harness_works || access->space == MEMORY_LOCAL || access->space == MEMORY_HOST)
        return 0;
    if (access->space == MEMORY_CONSTANT) { /* also tables of the compiler and the address of shared memory */
        const struct module *module = module_of_data(access->address);
        if (!module || !range_holds(module->constant, access->address))
            return 0;
    }
    return (unsigned)((access->bytes + CHAIN_LINK_BYTES - 1) / CHAIN_LINK_BYTES);
}

static void begin_run(void)
{
    memset(longest, 0, sizeof longest);
    address_counts_clear(&published);
    address_counts_clear(&published_instructions);
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    memcpy(before, longest, sizeof before);
}

static void begin_block(const struct block *block)
{
    const struct block **more = realloc(blocks, (block_count + 1) * sizeof *blocks);
    if (!more)
        abort(); /* a meter must not lose counts */
    blocks = more;
    blocks[block_count++] = block;
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        struct thread *thread = &block->threads[i];
        memcpy(thread->chain, before, sizeof before);
        memset(thread->polled, 0, sizeof thread->polled);
        thread->polled_at = thread->waited = 0;
        thread->wait_over = false;
    }
}

/* The thread has done something else than to read flags: what it did between those reads was work. */
static inline void forget_flags(struct thread *thread)
{
    const uint32_t length = thread->chain[CHAIN_INSTRUCTIONS];
    if (thread->waited > 0 && length > longest[CHAIN_INSTRUCTIONS])
        longest[CHAIN_INSTRUCTIONS] = length;
    thread->polled[0].address = NULL;
    thread->waited = 0;
    thread->wait_over = false;
}

static void end_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        forget_flags(&block->threads[i]);
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i] == block)
            blocks[i--] = blocks[--block_count];
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    block_count = 0;
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

/* Calls of an operator in a function of the harness could run at the same time on a GPU, so each is like a thread of its
 * own, and the longest one counts. */
static uint32_t of_operator; /* executed in the running call */

static void execute_operator(struct thread *thread, unsigned instructions)
{
    of_operator += instructions;
    if (of_operator > thread->share[SHARE_INSTRUCTIONS])
        thread->share[SHARE_INSTRUCTIONS] = of_operator;
}

static void execute(unsigned instructions)
{
    struct thread *thread = current_thread;
    if (!thread)
        return;
    if (current_launch->harness) {
        execute_operator(thread, instructions);
        return;
    }
    thread->share[SHARE_INSTRUCTIONS] += instructions;
    thread->chain[CHAIN_INSTRUCTIONS] += instructions;
    const uint32_t length = thread->chain[CHAIN_INSTRUCTIONS] - thread->waited;
    if (length > longest[CHAIN_INSTRUCTIONS])
        longest[CHAIN_INSTRUCTIONS] = length;
}

static void enable_instructions(bool on)
{
    budget_set_meter(on ? execute : NULL);
}

/* ---- one thread -------------------------------------------------------------------------------------------- */

static inline void lengthen(enum chain chain, unsigned links)
{
    const uint32_t length = current_thread->chain[chain] += links;
    if (length > longest[chain])
        longest[chain] = length;
}

static void combine(const void *site)
{
    (void)site;
    if (harness_works) {
        of_operator = 0; /* the harness calls the operator next */
        return;
    }
    lengthen(CHAIN_STEPS, 1);
    lengthen(CHAIN_SPAN, 1);
    forget_flags(current_thread);
}

static uint64_t value_of(const struct access *access)
{
    uint64_t words[2] = {0, 0};
    memcpy(words, access->address, access->bytes < sizeof words ? access->bytes : sizeof words);
    return words[0] ^ words[1] * 0x9e3779b97f4a7c15u;
}

static void end_wait(struct thread *thread)
{
    thread->share[SHARE_INSTRUCTIONS] -= thread->waited;
    thread->chain[CHAIN_INSTRUCTIONS] -= thread->waited;
    thread->polled_at -= thread->waited;
    thread->waited = 0;
}

/* The instructions since the last flag was read belong to a loop that waits if they are few and the flag still has the
 * value that the thread read last. They become free when the flag changes: a loop whose flags never change is not a
 * wait. */
static void note_poll(struct polled *polled, uint64_t value)
{
    struct thread *thread = current_thread;
    const uint32_t since = thread->share[SHARE_INSTRUCTIONS] - thread->polled_at;
    if (polled->value != value) {
        end_wait(thread);
        thread->wait_over = true;
    } else if (since <= MOST_OF_WAIT) {
        thread->waited += since;
    }
    polled->value = value;
}

/* Has the thread read this address before, and done nothing since then except reading such flags? */
static bool polls_again(const struct access *access)
{
    struct polled *polled = current_thread->polled;
    const uint64_t value = value_of(access);
    bool again = false;
    size_t i = 0;
    while (i < CHAIN_POLLED && polled[i].address && polled[i].address != access->address)
        i++;
    if (i < CHAIN_POLLED && polled[i].address) {
        note_poll(&polled[i], value);
        again = true;
    } else if (i < CHAIN_POLLED) {
        polled[i] = (struct polled){access->address, value};
        if (i + 1 < CHAIN_POLLED)
            polled[i + 1].address = NULL;
    }
    current_thread->polled_at = current_thread->share[SHARE_INSTRUCTIONS];
    return again;
}

static inline uint32_t longer(uint32_t one, uint32_t other)
{
    return one > other ? one : other;
}

/* Publishes the thread's chain at the address. An update that is one more read of a flag publishes nothing of the wait,
 * which the thread would otherwise read back as somebody's work. */
static void publish(const struct access *access, bool waits)
{
    uint64_t *at = address_counts_at(&published, access);
    const uint32_t *chain = current_thread->chain;
    *at = (uint64_t)longer((uint32_t)(*at >> 32), chain[CHAIN_STEPS]) << 32 |
          longer((uint32_t)*at, chain[CHAIN_SPAN]);
    at = address_counts_at(&published_instructions, access);
    *at = longer((uint32_t)*at, chain[CHAIN_INSTRUCTIONS] - (waits ? current_thread->waited : 0));
}

/* Extends the thread's chain by the `links` of this access, or the chain published at the address if that is longer. */
static void meet_publisher(const struct access *access, unsigned links)
{
    const uint64_t at = *address_counts_at(&published, access);
    uint32_t *chain = current_thread->chain;
    chain[CHAIN_STEPS] = longer(chain[CHAIN_STEPS], (uint32_t)(at >> 32));
    if ((uint32_t)at > 0)
        chain[CHAIN_SPAN] = longer(chain[CHAIN_SPAN], (uint32_t)at + links);
    longest[CHAIN_SPAN] = longer(longest[CHAIN_SPAN], chain[CHAIN_SPAN]);
    const uint32_t instructions = (uint32_t)*address_counts_at(&published_instructions, access);
    chain[CHAIN_INSTRUCTIONS] = longer(chain[CHAIN_INSTRUCTIONS], instructions + current_thread->waited);
}

/* A volatile or atomic access: other threads may wait for it, or it waits for them. */
static void look_at_flag(const struct access *access, unsigned links)
{
    const bool writes = access->kind & ACCESS_WRITE, updates = access->kind & ACCESS_CHAINED;
    if (writes && !updates)
        forget_flags(current_thread);
    const bool again = (!writes || updates) && polls_again(access);
    if (!again)
        lengthen(CHAIN_SPAN, links);
    if (!writes || updates)
        meet_publisher(access, updates ? 0 : links);
    if (writes && !(access->kind & ACCESS_SWAP))
        publish(access, again && !(access->kind & ACCESS_REPLACE));
}

static void look(const struct access *access)
{
    const unsigned links = chain_links(access);
    if (links == 0)
        return;
    if (access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)) {
        look_at_flag(access, links);
        return;
    }
    lengthen(CHAIN_SPAN, links);
    forget_flags(current_thread);
}

static void swap(const struct access *access)
{
    publish(access, false);
}

/* ---- threads that meet ---------------------------------------------------------------------------------------- */

/* Of a chain of instructions, those that may turn out to be free are the thread's own. */
static inline uint32_t own_links(const struct thread *thread, enum chain chain)
{
    return chain == CHAIN_INSTRUCTIONS ? thread->waited : 0;
}

static void meet(struct thread *threads, unsigned count)
{
    for (enum chain chain = 0; chain < CHAINS; chain++) {
        uint32_t most = 0;
        for (unsigned i = 0; i < count; i++)
            most = longer(most, threads[i].chain[chain] - own_links(&threads[i], chain));
        for (unsigned i = 0; i < count; i++)
            threads[i].chain[chain] = most + own_links(&threads[i], chain);
    }
}

static void barrier(const struct block *block)
{
    meet(block->threads, current_launch->block_threads);
}

/* All threads of the grid meet, so each continues with the longest chains of all. */
static void grid(void)
{
    for (size_t b = 0; b < block_count; b++)
        for (unsigned i = 0; i < current_launch->block_threads; i++) {
            forget_flags(&blocks[b]->threads[i]);
            memcpy(blocks[b]->threads[i].chain, longest, sizeof longest);
        }
}

/* Votes are excluded, because a loop that waits may vote. */
static bool carries_data(int operation)
{
    return operation != WARP_SYNC && (operation < WARP_VOTE || operation >= WARP_MATCH_ANY);
}

/* Lanes that vote wait together: what one of them waited for ends the wait of all. */
static void end_waits(struct thread *lanes, uint32_t arrived, bool vote)
{
    bool over = false;
    for (uint32_t left = arrived; left; left &= left - 1)
        over |= lanes[__builtin_ctz(left)].wait_over;
    for (uint32_t left = arrived; left; left &= left - 1) {
        struct thread *lane = &lanes[__builtin_ctz(left)];
        if (over)
            end_wait(lane);
        if (!vote)
            forget_flags(lane);
        lane->wait_over = false;
    }
}

static void warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)mask;
    struct thread *lanes = first->block->threads + first->number;
    end_waits(lanes, arrived, !carries_data(operation));
    for (enum chain chain = 0; chain < CHAINS; chain++) {
        uint32_t most = 0;
        for (uint32_t left = arrived; left; left &= left - 1) {
            const struct thread *lane = &lanes[__builtin_ctz(left)];
            most = longer(most, lane->chain[chain] - own_links(lane, chain));
        }
        for (uint32_t left = arrived; left; left &= left - 1) {
            struct thread *lane = &lanes[__builtin_ctz(left)];
            lane->chain[chain] = most + own_links(lane, chain);
        }
    }
}

static void copy(const struct copy *copy)
{
    longest[CHAIN_SPAN] += copy->from ? 2 : 1;
}

/* ---- values --------------------------------------------------------------------------------------------------- */

static uint64_t steps_value(void)
{
    return longest[CHAIN_STEPS];
}

static uint64_t span_value(void)
{
    return longest[CHAIN_SPAN];
}

static uint64_t instruction_span_value(void)
{
    return longest[CHAIN_INSTRUCTIONS];
}

const struct observer steps_observer = {.name = "steps",
                                        .meter = "steps",
                                        .value = steps_value,
                                        .detailed = true,
                                        .of_sharing = true,
                                        .begin_run = begin_run,
                                        .begin_launch = begin_launch,
                                        .end_launch = end_launch,
                                        .begin_block = begin_block,
                                        .end_block = end_block,
                                        .access = look,
                                        .swap = swap,
                                        .barrier = barrier,
                                        .grid = grid,
                                        .warp = warp,
                                        .combine = combine,
                                        .copy = copy};
const struct observer instruction_span_observer = {.name = "instruction span",
                                                   .meter = "instruction span",
                                                   .value = instruction_span_value,
                                                   .enable = enable_instructions,
                                                   .detailed = true,
                                                   .of_sharing = true};
const struct observer span_observer = {
    .name = "span", .meter = "span", .value = span_value, .detailed = true, .of_sharing = true};
