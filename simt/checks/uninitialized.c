/* Uninitialized reads: of shared memory that has not been written since the block began, and of memory from
 * cudaMalloc, or malloc in a kernel, that has not been written since its allocation.
 *
 * For each byte there is a bit that is set when the byte is written: region->written and block->written. A read is
 * reported if all of its bytes are unwritten. If only some are, it may be the copy of a struct with padding, or of
 * a vector at the end of an array. If the read is certainly one number, some unwritten bytes are enough for a
 * warning; it is not an error, because the program may ignore these bytes. A memcpy and a copy within the device
 * copy the bits, too. A copy to the host is reported, because the host would compute with junk: as a finding if
 * everything is unwritten, as a warning if a part is that is too long to be padding. For an atomic operation all
 * bytes must be written. Bytes that no longer hold junk were written by code without hooks, for example a call that
 * returns a struct. The same holds for local arrays that cudac registers (locals.c), from their declaration on. Not
 * checked are __device__ variables, which start as 0; managed and pinned memory, which the host may write without
 * hooks; and all other local variables, for which the compiler has a warning. */
#include "checks/rerun.h"
#include "core/locals.h"
#include "core/observer.h"
#include "core/shared.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/numbers.h"
#include "report/source.h"
#include "report/thread_set.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 64,            /* in bits */
    LONGEST_NUMBER = 8,   /* bytes; a longer access may be a struct of two numbers */
    MOST_PADDING = 15,    /* consecutive bytes that need not be filled by a member of a struct */
    MOST_LISTED = 1 << 20 /* elements of an array for which a list is worthwhile */
};

/* ---- ranges of bits -------------------------------------------------------------------------------------- */

/* The bits [at, at + count) of one word, with count >= 1. */
static inline uint64_t mask_of(size_t at, size_t count)
{
    return (~(uint64_t)0 >> (WORD - count)) << at % WORD;
}

/* The number of bits, out of `count`, that are in the same word as `at`. */
static inline size_t in_word(size_t at, size_t count)
{
    size_t left = WORD - at % WORD;
    return count < left ? count : left;
}

static void set_bits(uint64_t *bits, size_t at, size_t count, bool value)
{
    while (count > 0) {
        size_t step = in_word(at, count);
        uint64_t mask = mask_of(at, step);
        if (value)
            bits[at / WORD] |= mask;
        else
            bits[at / WORD] &= ~mask;
        at += step;
        count -= step;
    }
}

static inline bool bit(const uint64_t *bits, size_t at)
{
    return bits[at / WORD] >> at % WORD & 1;
}

static size_t count_set(const uint64_t *bits, size_t at, size_t count)
{
    size_t set = 0;
    while (count > 0) {
        size_t step = in_word(at, count);
        set += (size_t)__builtin_popcountll(bits[at / WORD] & mask_of(at, step));
        at += step;
        count -= step;
    }
    return set;
}

/* The bits may be in one array and overlap, like memmove's ranges. */
static void move_bits(uint64_t *to, size_t to_at, const uint64_t *from, size_t from_at, size_t count)
{
    const bool backwards = to == from && to_at > from_at;
    for (size_t i = 0; i < count; i++) {
        size_t k = backwards ? count - 1 - i : i;
        set_bits(to, to_at + k, 1, bit(from, from_at + k));
    }
}

/* Allocates the bits of an allocation again, all set, so that some of them can be cleared. Null when memory runs
 * out. */
static uint64_t *bits_again(struct region *region)
{
    const size_t bytes = (region->bytes + WORD - 1) / WORD * sizeof(uint64_t);
    region->written = malloc(bytes);
    return region->written ? memset(region->written, 0xFF, bytes) : NULL;
}

/* Marks bytes that no longer hold junk as written. Returns how many of `count` are written. */
static size_t count_written(const char *address, uint64_t *bits, size_t at, size_t count)
{
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        if (!bit(bits, at + i) && !memory_is_junk((unsigned char)address[i]))
            set_bits(bits, at + i, 1, true);
        written += bit(bits, at + i);
    }
    return written;
}

/* ---- texts ----------------------------------------------------------------------------------------------- */

/* How much of the variable around an address is written. */
struct written {
    enum simt_note note; /* none if there is nothing to report */
    size_t elements, written;
    char which[96];
};

static struct written find_written(const char *address, const uint64_t *bits, size_t at)
{
    struct source_extent extent;
    struct written found = {.note = SIMT_NOTE_NONE};
    if (!source_extent(address, &extent) || extent.bytes / extent.element < 2 ||
        extent.bytes / extent.element > MOST_LISTED)
        return found;
    const size_t count = extent.bytes / extent.element;
    const size_t begin = at - (size_t)(address - extent.begin);
    bool *written = malloc(count);
    if (!written)
        return found;
    found.elements = count;
    for (size_t i = 0; i < count; i++) {
        written[i] = count_set(bits, begin + i * extent.element, extent.element) > 0;
        found.written += written[i];
    }
    thread_set_numbers(written, (unsigned)count, found.which, sizeof found.which);
    free(written);
    found.note = found.written == 0      ? SIMT_NOTE_NONE_WRITTEN
                 : extent.dimensions > 1 ? SIMT_NOTE_COUNT_WRITTEN
                                         : SIMT_NOTE_WHICH_WRITTEN;
    return found;
}

#define WRITTEN_FACTS(found)                                                                                 \
    FACT_NUMBER(ELEMENTS, (found).elements), FACT_NUMBER(WRITTEN, (found).written),                          \
        FACT_TEXT(WHICH, (found).which)

/* The event since which the memory has not been written. */
static enum simt_note since(const struct access *access)
{
    if (access->space == MEMORY_LOCAL)
        return SIMT_NOTE_UNWRITTEN_SINCE_DECLARED;
    if (!access->region)
        return SIMT_NOTE_UNWRITTEN_SINCE_BLOCK;
    return memory_has_line(access->region) ? SIMT_NOTE_UNWRITTEN_SINCE_ALLOCATED : SIMT_NOTE_UNWRITTEN;
}

static const void *allocated_at(const struct access *access)
{
    return access->region ? access->region->alloc_site : NULL;
}

/* Is as much of the memory written, from its begin on, as if a count of elements had been passed for one of bytes? */
static bool is_filled_in_part(const struct access *access, const uint64_t *bits)
{
    const size_t bytes = access->region ? access->region->bytes : 0;
    const size_t filled = access->bytes > 1 ? bytes / access->bytes : 0;
    return filled > 0 && bytes % access->bytes == 0 && bytes <= MOST_LISTED &&
           count_set(bits, 0, filled) == filled && count_set(bits, 0, bytes) == filled;
}

static struct written written_in_part(const struct access *access)
{
    const size_t bytes = access->region->bytes;
    return (struct written){
        .note = SIMT_NOTE_BYTES_WRITTEN, .elements = bytes, .written = bytes / access->bytes};
}

static enum simt_hint hint_for(const struct access *access, const struct simt_variable *variable)
{
    const bool atomic = access->kind & ACCESS_ATOMIC;
    if (access->space == MEMORY_SHARED)
        return atomic || !variable->is_element ? SIMT_HINT_SET_SHARED : SIMT_HINT_STORE_SHARED;
    if (access->space == MEMORY_LOCAL)
        return SIMT_HINT_LOCAL_ARRAY;
    return atomic ? SIMT_HINT_CUDAMEMSET : SIMT_HINT_FILL_FIRST;
}

/* The operation is a read, even if an atomic operation also writes. */
static enum simt_operation operation_of(const struct access *access)
{
    return access->kind & ACCESS_ATOMIC ? finding_operation(access->kind) : SIMT_READ;
}

/* Reads of shared memory that wait for the end of their launch: whether the values make a difference is found by running it
 * again. */
static struct delayed {
    struct finding_facts facts;
    struct written found;
    unsigned more; /* the same on this line */
} delayed[8];
static size_t delayed_used;

static bool delay(const struct finding_facts *facts, const struct written *found)
{
    const size_t most = sizeof delayed / sizeof *delayed;
    size_t i = 0;
    while (i < delayed_used && delayed[i].facts.site != facts->site)
        i++;
    if (i == most)
        return false;
    finding_misleads();
    if (i < delayed_used) {
        delayed[i].more++;
        return true;
    }
    delayed[delayed_used++] = (struct delayed){.facts = *facts, .found = *found};
    delayed[i].facts.thread = finding_thread(current_thread);
    return true;
}

static void report_delayed(bool faulted)
{
    const bool harmless = delayed_used > 0 && !faulted && rerun_does_the_same();
    for (size_t i = 0; i < delayed_used; i++) {
        struct finding_facts facts = delayed[i].facts;
        const struct written *found = &delayed[i].found;
        const struct finding_fact of_variable[] = {WRITTEN_FACTS(*found)};
        memcpy(facts.fact + 1, of_variable, sizeof of_variable);
        facts.warning = harmless;
        if (harmless)
            facts.note[found->note == SIMT_NOTE_NONE ? 2 : 3] = SIMT_NOTE_JUNK_CHANGES_NOTHING;
        const int number = finding_report(&facts);
        for (unsigned k = 0; k < delayed[i].more; k++)
            finding_again(number);
    }
    delayed_used = 0;
}

static void report(const struct access *access, const uint64_t *bits, size_t at)
{
    const bool waits = access->space == MEMORY_SHARED && rerun_is_possible();
    if (finding_repeats(SIMT_UNINITIALIZED, false, access->site) ||
        (access->space == MEMORY_SHARED && !waits && finding_repeats(SIMT_UNINITIALIZED, true, access->site)))
        return;
    const bool in_part = is_filled_in_part(access, bits);
    const struct written found = in_part ? written_in_part(access) : find_written(access->address, bits, at);
    const struct simt_variable variable = source_variable(access->address);
    const struct finding_facts facts = {
        .rule = SIMT_RULE_NOT_INITIALIZED,
        .site = access->site,
        .variable = variable,
        .operation = operation_of(access),
        .bytes = access->bytes,
        .note = {SIMT_NOTE_USES_BYTES, since(access), found.note},
        .hint = in_part ? SIMT_HINT_COUNT_IN_BYTES : hint_for(access, &variable),
        .fact = {FACT_LOCATION(ALLOCATED, allocated_at(access)), WRITTEN_FACTS(found)}};
    if (!waits || !delay(&facts, &found))
        finding_report(&facts);
}

/* A number was read of which only `written` bytes are written. */
static void report_part(const struct access *access, size_t written)
{
    finding_report(
        &(struct finding_facts){.rule = SIMT_RULE_PARTLY_INITIALIZED,
                                .warning = true,
                                .site = access->site,
                                .variable = source_variable(access->address),
                                .operation = SIMT_READ,
                                .bytes = access->bytes,
                                .note = {SIMT_NOTE_READS_AMONG, since(access)},
                                .hint = access->region ? SIMT_HINT_COUNT_IN_BYTES : SIMT_HINT_WHOLE_NUMBER,
                                .fact = {FACT_LOCATION(ALLOCATED, allocated_at(access)),
                                         FACT_NUMBER(UNWRITTEN, access->bytes - written)}});
}

/* ---- accesses of a kernel ---------------------------------------------------------------------------------- */

/* The bits of an access, from *at on; null if all are set, or if it is not checked. */
static inline uint64_t *bits_of(const struct access *access, size_t *at)
{
    if (access->space == MEMORY_SHARED) {
        *at = access->offset;
        return current_block->written;
    }
    if (access->space == MEMORY_LOCAL) {
        struct simt_local_memory *local = current_thread->locals ? locals_find(access->address) : NULL;
        if (!local || access->bytes > local->bytes - (size_t)(access->address - local->begin))
            return NULL;
        *at = (size_t)(access->address - local->begin);
        return local->written;
    }
    if (!access->region)
        return NULL;
    *at = access->offset;
    return access->region->written;
}

static void check_read(const struct access *access, uint64_t *bits, size_t at)
{
    if (count_set(bits, at, access->bytes) == access->bytes)
        return;
    const size_t written = count_written(access->address, bits, at, access->bytes);
    if (written == 0 || (access->kind & ACCESS_ATOMIC && written < access->bytes))
        report(access, bits, at);
}

/* Checks a read of 2, 4 or 8 bytes. If some of the bytes are written and another one no longer holds junk, then code
 * without hooks has written there, and the whole number counts as written. */
static void check_number(const struct access *access, uint64_t *bits, size_t at)
{
    if (finding_repeats(SIMT_UNINITIALIZED, true, access->site))
        return;
    const size_t written = count_set(bits, at, access->bytes);
    if (count_written(access->address, bits, at, access->bytes) != written) {
        set_bits(bits, at, access->bytes, true);
        return;
    }
    if (numbers_only(access->site, access->bytes, !access->region))
        report_part(access, written);
}

/* A memcpy is two accesses. Junk may be copied if the destination is checked; otherwise it counts as used. */
static void check_copy(const struct access *access, uint64_t *bits, size_t at)
{
    static struct access from;
    static uint64_t *from_bits;
    static size_t from_at;

    if (!(access->kind & ACCESS_WRITE)) {
        from = *access;
        from_bits = bits;
        from_at = at;
        return;
    }
    /* A copy to a local array counts as used, including its padding, which may become part of a whole word. */
    if (access->space == MEMORY_LOCAL && from_bits) {
        check_read(&from, from_bits, from_at);
        from_bits = NULL;
    }
    const bool junk = from_bits && count_written(from.address, from_bits, from_at, from.bytes) < from.bytes;
    if (junk && !bits && access->region && access->region->space == MEMORY_GLOBAL)
        bits = bits_again(access->region);
    if (bits && junk)
        move_bits(bits, at, from_bits, from_at, access->bytes);
    else if (bits)
        set_bits(bits, at, access->bytes, true);
    else if (junk)
        check_read(&from, from_bits, from_at);
}

static void check_slowly(const struct access *access, uint64_t *bits, size_t at)
{
    const bool replaces = !(access->kind & ACCESS_ATOMIC) || access->kind & ACCESS_REPLACE;
    if (!(access->kind & ACCESS_WRITE) || !replaces)
        check_read(access, bits, at);
    if (access->kind & ACCESS_WRITE)
        set_bits(bits, at, access->bytes, true);
}

static void check(const struct access *access)
{
    size_t at = 0;
    uint64_t *bits = bits_of(access, &at);
    if (access->kind & ACCESS_COPY) {
        check_copy(access, bits, at);
        return;
    }
    if (!bits)
        return;
    if (access->bytes <= WORD - at % WORD && !(access->kind & ACCESS_ATOMIC)) {
        const uint64_t mask = mask_of(at, access->bytes);
        if (access->kind & ACCESS_WRITE)
            bits[at / WORD] |= mask;
        else if (!(bits[at / WORD] & mask))
            check_read(access, bits, at);
        else if ((bits[at / WORD] & mask) != mask && access->bytes <= LONGEST_NUMBER &&
                 !(access->kind & ACCESS_UNALIGNED))
            check_number(access, bits, at);
        return;
    }
    check_slowly(access, bits, at);
}

/* ---- copies by the runtime ---------------------------------------------------------------------------------- */

/* The bits of [address, address + bytes) in an allocation; null if all are set, or if it is not checked. */
static uint64_t *bits_at(const void *address, struct region **region, size_t *at)
{
    *region = memory_find(address);
    if (!*region)
        return NULL;
    *at = (size_t)((const char *)address - (*region)->begin);
    return (*region)->written;
}

/* The longest run of unwritten bytes: its length, and where it begins. */
static size_t longest_gap(const uint64_t *bits, size_t at, size_t count, size_t *begin)
{
    size_t longest = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        length = bit(bits, at + i) ? 0 : length + 1;
        if (length > longest) {
            longest = length;
            *begin = i + 1 - length;
        }
    }
    return longest;
}

static void check_copy_out(const struct copy *copy, uint64_t *bits, size_t at)
{
    const size_t written = count_written(copy->from, bits, at, copy->bytes);
    size_t begin = 0;
    if (written == copy->bytes || !module_of_code(copy->site) ||
        (written > 0 && longest_gap(bits, at, copy->bytes, &begin) <= MOST_PADDING) ||
        finding_repeats(SIMT_UNINITIALIZED, written > 0, copy->site))
        return;
    const char *from = (const char *)copy->from + begin;
    const bool part = written > 0;
    const struct written found =
        part ? find_written(from, bits, at + begin) : (struct written){.note = SIMT_NOTE_NONE};
    finding_report(&(struct finding_facts){
        .rule = part ? SIMT_RULE_COPY_PARTLY_INITIALIZED : SIMT_RULE_COPY_NOT_INITIALIZED,
        .warning = part,
        .site = copy->site,
        .variable = source_variable(from),
        .operation = SIMT_READ,
        .bytes = copy->bytes,
        .note = {part ? SIMT_NOTE_COPY_PARTLY_UNWRITTEN : SIMT_NOTE_COPY_UNWRITTEN, found.note},
        .hint = part ? SIMT_HINT_COPY_WRITTEN : SIMT_HINT_KERNEL_WRITES_FIRST,
        .fact = {FACT_NUMBER(UNWRITTEN, copy->bytes - written), WRITTEN_FACTS(found)}});
}

static void copy_bits(const struct copy *copy)
{
    struct region *to_region, *from_region;
    size_t to_at = 0, from_at = 0;
    uint64_t *to = bits_at(copy->to, &to_region, &to_at);
    uint64_t *from = copy->from ? bits_at(copy->from, &from_region, &from_at) : NULL;
    const bool tracked = to_region && to_region->space == MEMORY_GLOBAL;

    if (from && count_set(from, from_at, copy->bytes) == copy->bytes)
        from = NULL;
    if (from && !tracked) {
        check_copy_out(copy, from, from_at);
    } else if (from) {
        count_written(copy->from, from, from_at, copy->bytes);
        if (!to)
            to = bits_again(to_region);
        if (to)
            move_bits(to, to_at, from, from_at, copy->bytes);
    } else if (to && copy->bytes >= to_region->array_bytes) {
        free(to); /* for most inputs: everything is written now */
        to_region->written = NULL;
    } else if (to) {
        set_bits(to, to_at, copy->bytes, true);
    }
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch;
    report_delayed(faulted);
    rerun_dismiss();
}

const struct observer uninitialized_observer = {
    .name = "uninitialized", .check = true, .access = check, .end_launch = end_launch, .copy = copy_bits};
