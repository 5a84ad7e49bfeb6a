/* The heap is cut into chunks. The size of a block is a power of two: several blocks of one size share a chunk, or
 * one block spans several chunks. A freed block is reused for later blocks of the same size. */
#include "core/host_heap.h"
#include "core/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SMALLEST = 4,     /* blocks have at least 2^4 bytes */
    CHUNK = 16,       /* 2^16 bytes */
    CHUNKS = 1 << 19, /* chunks in all: 32 GiB of addresses */
    FILLED =
        1 << 20, /* bytes; longer blocks stay as mmap made them and use memory only where they are accessed */
    SIZES = CHUNK + 19 + 1
};

static struct chunk {
    unsigned char size;  /* size of its blocks, as a power of two; 0 when no block begins here */
    unsigned char *live; /* [blocks] */
} chunks[CHUNKS];

static struct size {
    char *next, *end; /* the unused part of the chunk that is being cut */
    void **freed;
    size_t count, room;
} sizes[SIZES];

static char *heap;
static size_t chunks_used;

static char *take_chunks(size_t count)
{
    const size_t all = (size_t)CHUNKS << CHUNK;
    if (!heap) {
        void *begin = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED)
            return NULL;
        heap = begin;
    }
    char *begin = heap + (chunks_used << CHUNK);
    if (count > CHUNKS - chunks_used || mprotect(begin, count << CHUNK, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    chunks_used += count;
    return begin;
}

static struct chunk *chunk_of(const void *block)
{
    return &chunks[(size_t)((const char *)block - heap) >> CHUNK];
}

static unsigned char *live_mark(const void *block)
{
    const struct chunk *chunk = chunk_of(block);
    const size_t offset = (size_t)((const char *)block - heap) & (((size_t)1 << CHUNK) - 1);
    return &chunk->live[offset >> chunk->size];
}

/* Cuts off a new block. */
static void *cut(unsigned power)
{
    struct size *size = &sizes[power];
    if (size->next == size->end) {
        const size_t count = power > CHUNK ? (size_t)1 << (power - CHUNK) : 1;
        unsigned char *live = calloc(power < CHUNK ? (size_t)1 << (CHUNK - power) : 1, 1);
        char *begin = live ? take_chunks(count) : NULL;
        if (!begin) {
            free(live);
            return NULL;
        }
        *chunk_of(begin) = (struct chunk){(unsigned char)power, live};
        size->next = begin;
        size->end = begin + (count << CHUNK);
    }
    char *block = size->next;
    size->next += (size_t)1 << power;
    return block;
}

void *host_heap_allocate(size_t bytes)
{
    unsigned power = SMALLEST;
    while (power < SIZES && (size_t)1 << power < bytes)
        power++;
    if (power == SIZES)
        return NULL;
    struct size *size = &sizes[power];
    void *block = size->count > 0 ? size->freed[--size->count] : cut(power);
    if (!block)
        return NULL;
    *live_mark(block) = 1;
    return bytes <= FILLED ? memset(block, MEMORY_JUNK, bytes) : block;
}

bool host_heap_holds(const void *address, size_t bytes)
{
    const size_t all = chunks_used << CHUNK, at = (size_t)((const char *)address - heap);
    return heap && at < all && bytes <= all - at;
}

size_t host_heap_bytes(const void *block)
{
    if (!host_heap_holds(block, 1))
        return 0;
    const unsigned power = chunk_of(block)->size;
    const size_t bytes = (size_t)1 << power;
    return power > 0 &&
                   ((size_t)((const char *)block - heap) & (bytes - 1) & (((size_t)1 << CHUNK) - 1)) == 0 &&
                   *live_mark(block)
               ? bytes
               : 0;
}

bool host_heap_free(void *block)
{
    if (host_heap_bytes(block) == 0)
        return false;
    struct size *size = &sizes[chunk_of(block)->size];
    if (size->count == size->room) {
        const size_t room = size->room > 0 ? 2 * size->room : 64;
        void **more = realloc(size->freed, room * sizeof *more);
        if (!more)
            abort();
        size->freed = more;
        size->room = room;
    }
    *live_mark(block) = 0;
    size->freed[size->count++] = block;
    return true;
}
