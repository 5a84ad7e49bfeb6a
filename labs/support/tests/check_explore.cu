/* check_explore.cu: explored launches. Litmus tests have as many executions as the memory model allows, counted by hand; look-backs
 * and last-block reductions have the counted classes; and each planted fault of memory order is found with the fewest blocks that
 * can show it. The programs of a fault and its right twin differ only where FAULT is compared. */
#include "closing.h"
#include "suite_tree.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKS = 5, MOST_RUNS = 20000 };
enum outcome { RIGHT, WRONG, RACE, STUCK, UNSTARTED, OTHER };
static const char *const names[] = {"right", "wrong", "race", "stuck", "unstarted", "other"};

/* What the blocks share: statuses as volatile accesses, values as plain ones. */
struct shared_state {
    unsigned ticket, done;
    unsigned status[MOST_BLOCKS], wake[MOST_BLOCKS], waiting[MOST_BLOCKS];
    unsigned sum[MOST_BLOCKS], prefix[MOST_BLOCKS], out[MOST_BLOCKS];
    unsigned x, y, seen[8];
};
static shared_state *state; /* managed, so that the host can read results */
static int passed, failed;
static struct suite_tree tree;

static void expect(const char *what, unsigned long long got, unsigned long long wanted)
{
    passed += got == wanted;
    failed += got != wanted;
    if (got != wanted)
        printf("not ok: %s: %llu, expected %llu\n", what, got, wanted);
}

/* ---- exploration of a launch ------------------------------------------------------------------------------------- */

typedef void program(unsigned blocks);
typedef bool judgement(unsigned blocks);

static enum outcome outcome_of(const simt_explored *explored, bool right)
{
    for (size_t i = 0; i < simt_finding_count(); i++) {
        const simt_finding *finding = simt_finding_at(i);
        if (finding->kind == SIMT_DEADLOCK)
            return STUCK;
        if (!finding->warning)
            return finding->kind == SIMT_RACE ? RACE : OTHER;
    }
    if (explored->end == SIMT_EXPLORED_NOT)
        return OTHER;
    return right ? RIGHT : WRONG;
}

static void in_call(void *body)
{
    (*(void (**)())body)();
}
static program *called;
static unsigned called_with;
static void call()
{
    called(called_with);
    cudaDeviceSynchronize();
}

static enum outcome explore(program *launch, unsigned blocks, judgement *judge, bool symmetric = true)
{
    suite_tree_begin(&tree, symmetric);
    for (bool left = true; left && tree.runs < MOST_RUNS;) {
        simt_explore wanted;
        suite_tree_ask(&tree, &wanted);
        memset(state, 0, sizeof *state);
        simt_begin_run();
        simt_set_explore(&wanted);
        void (*body)() = call;
        called = launch;
        called_with = blocks;
        simt_call(in_call, &body);
        const simt_explored *explored = simt_get_explored();
        if (explored->index_read && tree.symmetric)
            return explore(launch, blocks, judge, false);
        const enum outcome outcome = outcome_of(explored, judge(blocks));
        if (outcome != RIGHT && explored->end != SIMT_EXPLORED_AGAIN)
            return outcome;
        left = suite_tree_take(&tree, explored);
    }
    return tree.runs >= MOST_RUNS ? OTHER : tree.unstarted.block != tree.unstarted.other ? UNSTARTED : RIGHT;
}

static bool any(unsigned) { return true; }

static void counts(const char *name, program *launch, unsigned blocks, unsigned long long executions)
{
    char what[96];
    snprintf(what, sizeof what, "%s, %u blocks", name, blocks);
    expect(what, explore(launch, blocks, any), RIGHT);
    expect(what, tree.whole, executions);
}

/* ---- litmus tests ------------------------------------------------------------------------------------------------- */

#define SEEN(i) ((volatile unsigned *)s->seen)[i]
#define X       (*(volatile unsigned *)&s->x)
#define Y       (*(volatile unsigned *)&s->y)

/* A litmus test: what thread 0 of each block does. Its reads go to plain variables. */
#define LITMUS(name, ...)                                                                                              \
    __global__ void name##_kernel(shared_state *s)                                                                     \
    {                                                                                                                  \
        unsigned a = 0, b = 0;                                                                                         \
        switch (blockIdx.x) {                                                                                          \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        s->seen[blockIdx.x] = a * 16 + b;                                                                              \
    }                                                                                                                  \
    static void name(unsigned blocks) { name##_kernel<<<blocks, 1>>>(state); }

LITMUS(message, case 0 : X = 1; Y = 1; break; case 1 : a = Y; b = X; break;)
LITMUS(message_fenced, case 0 : X = 1; __threadfence(); Y = 1; break; case 1 : a = Y; __threadfence(); b = X; break;)
LITMUS(message_half_fenced, case 0 : X = 1; __threadfence(); Y = 1; break; case 1 : a = Y; b = X; break;)
LITMUS(message_block_fenced, case 0 : X = 1; __threadfence_block(); Y = 1; break;
       case 1 : a = Y; __threadfence(); b = X; break;)
LITMUS(store_buffers, case 0 : X = 1; a = Y; break; case 1 : Y = 1; a = X; break;)
LITMUS(coherence, case 0 : X = 1; X = 2; break; case 1 : a = X; b = X; break;)
LITMUS(independent, case 0 : X = 1; break; case 1 : Y = 1; break; case 2 : a = X; b = Y; break;
       case 3 : a = Y; b = X; break;)
LITMUS(two_writers, case 0 : X = 1; break; case 1 : X = 2; break; case 2 : a = X; break;)
LITMUS(load_buffers, case 0 : a = X; Y = 1; break; case 1 : a = Y; X = 1; break;)
LITMUS(counter, default : a = atomicAdd(&s->x, 1u);)
LITMUS(swaps, default : a = atomicCAS(&s->x, 0u, 1 + blockIdx.x);)
LITMUS(exchange_after_write, case 0 : X = 5; break; case 1 : a = atomicExch(&s->x, 7u); break;)
/* Release and acquire through a third block. */
LITMUS(chain, case 0 : X = 1; __threadfence(); Y = 1; break;
       case 1 : a = Y; __threadfence(); if (a) SEEN(7) = 1; break;
       case 2 : a = SEEN(7); __threadfence(); if (a) b = X; break;)

__global__ void equal_kernel(shared_state *s)
{
    unsigned t = atomicAdd(&s->ticket, 1u);
    s->out[t]  = t;
}
static void equal_blocks(unsigned blocks) { equal_kernel<<<blocks, 1>>>(state); }

static void litmus_tests_have_the_executions_of_the_model()
{
    counts("message passing", message, 2, 4);
    counts("with both fences", message_fenced, 2, 3);
    counts("with one fence", message_half_fenced, 2, 4);
    counts("with a fence for the block", message_block_fenced, 2, 4);
    counts("store buffering", store_buffers, 2, 4);
    counts("coherence of reads", coherence, 2, 6);
    counts("independent reads of independent writes", independent, 4, 16);
    counts("two writers", two_writers, 3, 6); /* 2 coherence orders, 3 values read */
    counts("load buffering, without the cycle", load_buffers, 2, 3);
    counts("a counter", counter, 3, 6);
    counts("a counter", counter, 4, 24);
    counts("compare-and-swap", swaps, 3, 3 * 1); /* who swaps first; the others read it */
    counts("an exchange and a write", exchange_after_write, 2, 2);
    /* a = 0: block 2 reads 0 (the third flag is not set). a = 1: it reads 0, or 1 and then x = 1. */
    counts("a chain of flags", chain, 3, 3);
    counts("tickets of equal blocks", equal_blocks, 4, 1);
}

/* ---- look-back ------------------------------------------------------------------------------------------------------ */

enum { NOTHING, SUM, PREFIX };

/* The range [first, last] of tiles; joining two that do not meet gives a poisoned value. */
__device__ unsigned range(unsigned first, unsigned last) { return first << 8 | last; }
__device__ unsigned join(unsigned left, unsigned right)
{
    return (left & 255) + 1 == right >> 8 ? range(left >> 8, right & 255) : 0xBADBAD;
}

enum fault {
    NONE,
    NO_FENCE_BEFORE_SUM_FLAG,
    NO_FENCE_BEFORE_PREFIX_FLAG,
    NO_FENCE_AFTER_FLAG,
    FLAG_BEFORE_SUM,
    FLAG_BEFORE_PREFIX,
    READER_FENCES_BEFORE_FLAG,
    WRITER_FENCES_BEFORE_VALUE,
    WRITER_FENCES_FOR_BLOCK,
    READER_FENCES_FOR_BLOCK,
    READER_FENCES_ONCE,
    READER_FENCES_FOR_PREFIX_ONLY,
    TILE_OF_BLOCK,
    TICKET_IS_NOT_ATOMIC,
    SUM_READ_FOR_PREFIX,
    STOPS_AT_SUM,
    STATUS_READ_AGAIN,
    TILE_0_PUBLISHES_NO_PREFIX,
    READER_RESETS_FLAG,
    LOST_WAKE_UP,
    ONE_ARRAY_OF_VALUES,
    VALUE_IS_VOLATILE_WITHOUT_FENCE,
    WRONG_ORDER,
    SKIPS_A_TILE,
    PREFIX_BEFORE_LOOK_BACK,
    FLAG_OF_NEIGHBOUR,
    FAULTS
};

template <int FAULT> __device__ unsigned value_of(const unsigned *values, unsigned p)
{
    return FAULT == VALUE_IS_VOLATILE_WITHOUT_FENCE ? *(volatile unsigned *)&values[p] : values[p];
}

template <int FAULT> __device__ void publish(shared_state *s, unsigned b, unsigned value, unsigned what)
{
    volatile unsigned *status = s->status;
    unsigned *values          = what == SUM || FAULT == ONE_ARRAY_OF_VALUES ? s->sum : s->prefix;
    const bool unfenced       = (FAULT == NO_FENCE_BEFORE_SUM_FLAG && what == SUM) || FAULT == VALUE_IS_VOLATILE_WITHOUT_FENCE ||
                          (FAULT == NO_FENCE_BEFORE_PREFIX_FLAG && what == PREFIX);
    const bool flag_first = (FAULT == FLAG_BEFORE_SUM && what == SUM) || (FAULT == FLAG_BEFORE_PREFIX && what == PREFIX);
    if (flag_first)
        status[b] = what;
    if (FAULT == WRITER_FENCES_BEFORE_VALUE)
        __threadfence();
    if (FAULT == VALUE_IS_VOLATILE_WITHOUT_FENCE)
        *(volatile unsigned *)&values[b] = value;
    else
        values[b] = value;
    if (FAULT == WRITER_FENCES_FOR_BLOCK)
        __threadfence_block();
    else if (!unfenced && FAULT != WRITER_FENCES_BEFORE_VALUE)
        __threadfence();
    if (!flag_first)
        status[FAULT == FLAG_OF_NEIGHBOUR && what == PREFIX && b == 1 ? b + 1 : b] = what;
    if (FAULT == LOST_WAKE_UP && ((volatile unsigned *)s->waiting)[b])
        ((volatile unsigned *)s->wake)[b] = 1;
}

template <int FAULT> __device__ unsigned wait(shared_state *s, unsigned p)
{
    volatile unsigned *status = s->status;
    unsigned seen;
    if (FAULT == READER_FENCES_BEFORE_FLAG)
        __threadfence();
    if (FAULT == LOST_WAKE_UP && status[p] == NOTHING) {
        ((volatile unsigned *)s->waiting)[p] = 1;
        while (!((volatile unsigned *)s->wake)[p])
            ;
    }
    do
        seen = status[p];
    while (seen == NOTHING);
    return seen;
}

template <int FAULT> __device__ unsigned look_back(shared_state *s, unsigned b)
{
    volatile unsigned *status = s->status;
    unsigned before           = 0;
    for (unsigned p = b; p-- > 0;) {
        unsigned seen = wait<FAULT>(s, p);
        if (FAULT == READER_FENCES_FOR_BLOCK)
            __threadfence_block();
        else if (!(FAULT == NO_FENCE_AFTER_FLAG || FAULT == READER_FENCES_BEFORE_FLAG ||
                   FAULT == VALUE_IS_VOLATILE_WITHOUT_FENCE || (FAULT == READER_FENCES_ONCE && p + 1 < b) ||
                   (FAULT == READER_FENCES_FOR_PREFIX_ONLY && seen != PREFIX)))
            __threadfence();
        unsigned which = FAULT == STATUS_READ_AGAIN ? status[p] : seen;
        unsigned value = value_of<FAULT>(
            which == PREFIX && FAULT != SUM_READ_FOR_PREFIX && FAULT != ONE_ARRAY_OF_VALUES ? s->prefix : s->sum, p);
        before = p + 1 == b ? value : FAULT == WRONG_ORDER ? join(before, value) : join(value, before);
        if (FAULT == READER_RESETS_FLAG && seen == PREFIX)
            status[p] = NOTHING;
        if (seen == PREFIX || FAULT == STOPS_AT_SUM)
            break;
        if (FAULT == SKIPS_A_TILE && p == 2)
            p--;
    }
    return before;
}

/* A block is one thread, or two warps; in both cases thread 0 looks back for its block. */
template <int FAULT> __global__ void look_back_kernel(shared_state *s)
{
    __shared__ unsigned drawn, found;
    if (threadIdx.x == 0 && FAULT == TILE_OF_BLOCK)
        drawn = blockIdx.x;
    else if (threadIdx.x == 0 && FAULT == TICKET_IS_NOT_ATOMIC) {
        drawn                            = *(volatile unsigned *)&s->ticket;
        *(volatile unsigned *)&s->ticket = drawn + 1;
    } else if (threadIdx.x == 0)
        drawn = atomicAdd(&s->ticket, 1u);
    __syncthreads();
    const unsigned b = drawn < MOST_BLOCKS ? drawn : 0, own = range(b, b);
    if (threadIdx.x == 0) {
        if (b > 0)
            publish<FAULT>(s, b, own, SUM);
        if (FAULT == PREFIX_BEFORE_LOOK_BACK)
            ((volatile unsigned *)s->status)[b] = PREFIX;
        const unsigned before = b > 0 ? look_back<FAULT>(s, b) : 0;
        found                 = b > 0 ? join(before, own) : own;
        if (b > 0 || FAULT != TILE_0_PUBLISHES_NO_PREFIX)
            publish<FAULT>(s, b, found, PREFIX);
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        s->out[b] = found;
}

template <int FAULT> static void looks_back(unsigned blocks) { look_back_kernel<FAULT><<<blocks, 1>>>(state); }
template <int FAULT> static void looks_back_wide(unsigned blocks) { look_back_kernel<FAULT><<<blocks, 64>>>(state); }

static bool prefixes_are_right(unsigned blocks)
{
    for (unsigned b = 0; b < blocks; b++)
        if (state->out[b] != b)
            return false;
    return true;
}

static void look_back_has_the_counted_executions()
{
    static const unsigned long long of_blocks[] = {1, 1, 2, 6, 24};
    for (unsigned blocks = 1; blocks <= MOST_BLOCKS; blocks++) {
        expect("look-back", explore(looks_back<NONE>, blocks, prefixes_are_right), RIGHT);
        expect("its executions", tree.whole, of_blocks[blocks - 1]);
    }
    expect("look-back of two warps", explore(looks_back_wide<NONE>, 4, prefixes_are_right), RIGHT);
    expect("its executions", tree.whole, of_blocks[3]);
}

/* ---- last-block reductions -------------------------------------------------------------------------------------------- */

enum { NO_WRITER_FENCE = 1, NO_READER_FENCE, COUNTED_FIRST, ONE_EARLY, RESET_BY_ALL };

template <int FAULT> __global__ void last_block_kernel(shared_state *s)
{
    const unsigned b = blockIdx.x;
    unsigned count   = 0;
    if (FAULT == COUNTED_FIRST)
        count = atomicAdd(&s->done, 1u);
    s->sum[b] = b + 1;
    if (FAULT != NO_WRITER_FENCE)
        __threadfence();
    if (FAULT != COUNTED_FIRST)
        count = atomicAdd(&s->done, 1u);
    if (FAULT == RESET_BY_ALL)
        *(volatile unsigned *)&s->done = 0;
    if (count != gridDim.x - (FAULT == ONE_EARLY ? 2 : 1))
        return;
    if (FAULT != NO_READER_FENCE)
        __threadfence();
    unsigned all = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
        all += s->sum[i];
    s->out[0] = all;
}
template <int FAULT> static void reduces(unsigned blocks) { last_block_kernel<FAULT><<<blocks, 1>>>(state); }

static bool sum_is_right(unsigned blocks) { return state->out[0] == blocks * (blocks + 1) / 2; }

/* ---- a lock ------------------------------------------------------------------------------------------------------------ */

enum { NO_FENCE_IN = 1, NO_FENCE_OUT, FREED_TWICE, NO_LOCK };

template <int FAULT> __global__ void lock_kernel(shared_state *s)
{
    while (FAULT != NO_LOCK && atomicCAS(&s->ticket, 0u, 1u) != 0)
        ;
    if (FAULT != NO_FENCE_IN)
        __threadfence();
    s->out[0]++;
    if (FAULT != NO_FENCE_OUT)
        __threadfence();
    atomicExch(&s->ticket, 0u);
}
template <int FAULT> static void locks(unsigned blocks) { lock_kernel<FAULT><<<blocks, 1>>>(state); }
static bool all_counted(unsigned blocks) { return state->out[0] == blocks; }

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

static const struct planted {
    const char *name;
    program *launch;
    judgement *judge;
    enum outcome outcome;
    unsigned blocks; /* the fewest with which it can be seen */
} faults[] = {
#define OF(fault, outcome, blocks) {#fault, looks_back<fault>, prefixes_are_right, outcome, blocks}
    OF(NO_FENCE_BEFORE_SUM_FLAG, RACE, 3),
    OF(NO_FENCE_BEFORE_PREFIX_FLAG, RACE, 2),
    OF(NO_FENCE_AFTER_FLAG, RACE, 2),
    OF(FLAG_BEFORE_SUM, RACE, 3),
    OF(FLAG_BEFORE_PREFIX, RACE, 2),
    OF(READER_FENCES_BEFORE_FLAG, RACE, 2),
    OF(WRITER_FENCES_BEFORE_VALUE, RACE, 2),
    OF(WRITER_FENCES_FOR_BLOCK, RACE, 2),
    OF(READER_FENCES_FOR_BLOCK, RACE, 2),
    OF(READER_FENCES_ONCE, RACE, 3),
    OF(READER_FENCES_FOR_PREFIX_ONLY, RACE, 3),
    OF(TILE_OF_BLOCK, UNSTARTED, 2),
    OF(TICKET_IS_NOT_ATOMIC, WRONG, 2),
    OF(SUM_READ_FOR_PREFIX, WRONG, 3),
    OF(STOPS_AT_SUM, WRONG, 3),
    OF(STATUS_READ_AGAIN, RACE, 3),
    OF(TILE_0_PUBLISHES_NO_PREFIX, STUCK, 2),
    OF(READER_RESETS_FLAG, STUCK, 3),
    OF(LOST_WAKE_UP, STUCK, 2),
    OF(ONE_ARRAY_OF_VALUES, RACE, 3),
    OF(VALUE_IS_VOLATILE_WITHOUT_FENCE, RACE, 2),
    OF(WRONG_ORDER, WRONG, 3),
    OF(SKIPS_A_TILE, WRONG, 4),
    OF(PREFIX_BEFORE_LOOK_BACK, RACE, 2),
    OF(FLAG_OF_NEIGHBOUR, RACE, 4),
#undef OF
#define OF(fault, outcome, blocks) {"last block: " #fault, reduces<fault>, sum_is_right, outcome, blocks}
    OF(NO_WRITER_FENCE, RACE, 2),
    OF(COUNTED_FIRST, RACE, 2),
    OF(ONE_EARLY, RACE, 2),
    OF(RESET_BY_ALL, WRONG, 2),
#undef OF
#define OF(fault, outcome, blocks) {"lock: " #fault, locks<fault>, all_counted, outcome, blocks}
    OF(NO_FENCE_IN, RACE, 2),
    OF(NO_FENCE_OUT, RACE, 2),
    OF(NO_LOCK, RACE, 2),
#undef OF
};

static void each_fault_is_found_with_the_fewest_blocks()
{
    for (const planted &fault : faults) {
        enum outcome outcome = RIGHT;
        unsigned blocks      = 1;
        while (outcome == RIGHT && blocks < MOST_BLOCKS)
            outcome = explore(fault.launch, ++blocks, fault.judge);
        const bool good = outcome == fault.outcome && blocks == fault.blocks;
        passed += good;
        failed += !good;
        if (!good)
            printf("not ok: %s: %s with %u blocks, expected %s with %u\n", fault.name, names[outcome], blocks,
                   names[fault.outcome], fault.blocks);
    }
}

static void right_twins_are_right()
{
    for (unsigned blocks = 1; blocks <= 4; blocks++) {
        expect("last block", explore(reduces<NONE>, blocks, sum_is_right), RIGHT);
        expect("a lock", explore(locks<NONE>, blocks, all_counted), RIGHT);
    }
}

static void silent(const struct simt_finding *, void *) {}

int main()
{
    setvbuf(stdout, NULL, _IONBF, 0);
    simt_set_finding_sink(silent, NULL);
    cudaMallocManaged(&state, sizeof *state);
    litmus_tests_have_the_executions_of_the_model();
    look_back_has_the_counted_executions();
    right_twins_are_right();
    each_fault_is_found_with_the_fewest_blocks();
    return closing_line("exploration", passed, failed);
}
