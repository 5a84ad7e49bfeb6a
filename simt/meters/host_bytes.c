/* Meters of what goes between device and host: `host bytes`, those that went from the device to the host, by a
 * copy or through memory that both reach; and `output bytes from the host`, those that the host copied into arrays that a harness marked as outputs.
 *
 * A copy from device memory to the host's, pinned memory included, counts whole. What a kernel, or a copy within the
 * device, writes into memory that both sides reach (managed, pinned, registered) counts when host code reads it, or
 * copies it on, each byte once until it is written again.
 *
 * `bytes copied to the host` are those of plain copies to plain memory, which `host bytes` include. */
#include "core/registered.h"
#include "meters/address_counts.h"

static uint64_t to_host, to_outputs;

/* For each word of 8 bytes that host and device reach: a mask of the bytes that the device wrote and the host has not read. */
static struct address_counts unread;

enum { PLACE_BYTES = 8 };

static void begin_run(void)
{
    to_host = to_outputs = 0;
    address_counts_clear(&unread);
    observe_host_accesses = false;
}

/* The bits of [from, end) in the word at `word`. */
static uint64_t bits_of(uintptr_t word, uintptr_t from, uintptr_t end)
{
    const unsigned low = from > word ? (unsigned)(from - word) : 0;
    const unsigned high = end < word + PLACE_BYTES ? (unsigned)(end - word) : PLACE_BYTES;
    return (((uint64_t)1 << high) - 1) & ~(((uint64_t)1 << low) - 1);
}

static uint64_t *word_at(uintptr_t word)
{
    return address_counts_at(&unread, &(struct access){.address = (char *)word, .space = MEMORY_MANAGED});
}

static void device_writes(const void *address, size_t bytes)
{
    const uintptr_t from = (uintptr_t)address, end = from + bytes;
    for (uintptr_t word = from - from % PLACE_BYTES; word < end; word += PLACE_BYTES)
        *word_at(word) |= bits_of(word, from, end);
    observe_host_accesses = true;
}

/* How many bytes the device wrote that the host has not read. */
static size_t count_unread(const void *address, size_t bytes)
{
    const uintptr_t from = (uintptr_t)address, end = from + bytes;
    size_t count = 0;
    for (uintptr_t word = from - from % PLACE_BYTES; word < end; word += PLACE_BYTES)
        count += (unsigned)__builtin_popcountll(*word_at(word) & bits_of(word, from, end));
    return count;
}

static void host_reads(const void *address, size_t bytes)
{
    const uintptr_t from = (uintptr_t)address, end = from + bytes;
    to_host += count_unread(address, bytes);
    for (uintptr_t word = from - from % PLACE_BYTES; word < end; word += PLACE_BYTES)
        *word_at(word) &= ~bits_of(word, from, end);
}

/* Which side reaches an address by plain reads and writes. */
enum reach { HOST_ONLY, DEVICE_ONLY, BOTH, MANAGED };

static enum reach reach_of(const void *address)
{
    struct region *region;
    size_t left;
    switch (memory_classify(address, &region)) {
    case MEMORY_MANAGED:
        return MANAGED;
    case MEMORY_PINNED:
        return BOTH;
    case MEMORY_HOST:
        return registered_holds(address, &left) ? BOTH : HOST_ONLY;
    default:
        return DEVICE_ONLY;
    }
}

static void look(const struct access *access)
{
    if (access->kind & ACCESS_WRITE && (access->space == MEMORY_MANAGED || access->space == MEMORY_PINNED))
        device_writes(access->address, access->bytes);
}

static void host(const void *address, size_t bytes, unsigned kind, const void *site)
{
    (void)site;
    if (observe_host_accesses && !(kind & ACCESS_WRITE) && reach_of(address) >= BOTH)
        host_reads(address, bytes);
}

/* A copy to managed memory counts as a kernel's write; one to other host memory has reached the host. */
static void copy_out(const struct copy *copy, enum reach from, enum reach to)
{
    if (to == MANAGED)
        device_writes(copy->to, copy->bytes);
    else if (from == DEVICE_ONLY)
        to_host += copy->bytes;
    else
        host_reads(copy->from, copy->bytes);
}

static void copy(const struct copy *copy)
{
    if (!copy->from)
        return;
    const enum reach from = reach_of(copy->from), to = reach_of(copy->to);
    if (to != DEVICE_ONLY && from != HOST_ONLY)
        copy_out(copy, from, to);
    const struct region *region = memory_find(copy->to);
    if (region && region->is_output && from != DEVICE_ONLY)
        to_outputs += copy->bytes - (from == HOST_ONLY ? 0 : count_unread(copy->from, copy->bytes));
}

static uint64_t host_value(void)
{
    return to_host;
}

static uint64_t outputs_value(void)
{
    return to_outputs;
}

const struct observer host_bytes_observer = {.name = "host bytes",
                                             .meter = "host bytes",
                                             .value = host_value,
                                             .detailed = true,
                                             .of_sharing = true,
                                             .begin_run = begin_run,
                                             .access = look,
                                             .host = host,
                                             .copy = copy};
/* Plain copies alone. They cost nothing to count, so every call counts them. */
static uint64_t copied;

static void begin_copies(void)
{
    copied = 0;
}

static void count_copy(const struct copy *copy)
{
    if (copy->from && reach_of(copy->from) == DEVICE_ONLY && reach_of(copy->to) <= HOST_ONLY)
        copied += copy->bytes;
}

static uint64_t copied_value(void)
{
    return copied;
}

const struct observer copied_bytes_observer = {.name = "copied bytes",
                                               .meter = "bytes copied to the host",
                                               .value = copied_value,
                                               .begin_run = begin_copies,
                                               .copy = count_copy};
const struct observer output_bytes_observer = {.name = "output bytes",
                                               .meter = "output bytes from the host",
                                               .value = outputs_value,
                                               .detailed = true,
                                               .of_sharing = true};
