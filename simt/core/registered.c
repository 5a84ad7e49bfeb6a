#include "core/registered.h"

#include <stdint.h>
#include <stdlib.h>

struct registered {
    struct registered *next;
    char *begin;
    size_t bytes;
};
static struct registered *registered;
static uintptr_t lowest = UINTPTR_MAX, highest; /* of all addresses that have ever been registered */

static struct registered **find(const void *address)
{
    for (struct registered **at = &registered; *at; at = &(*at)->next) {
        if ((uintptr_t)address - (uintptr_t)(*at)->begin < (*at)->bytes)
            return at;
    }
    return NULL;
}

bool registered_holds(const void *address, size_t *bytes_left)
{
    struct registered **at = find(address);
    if (!at)
        return false;
    *bytes_left = (*at)->bytes - (size_t)((const char *)address - (*at)->begin);
    return true;
}

bool registered_may_hold(const void *address)
{
    return (uintptr_t)address >= __atomic_load_n(&lowest, __ATOMIC_RELAXED) &&
           (uintptr_t)address < __atomic_load_n(&highest, __ATOMIC_RELAXED);
}

bool registered_overlaps(const void *begin, size_t bytes)
{
    for (struct registered *at = registered; at; at = at->next) {
        if ((const char *)begin < at->begin + at->bytes && at->begin < (const char *)begin + bytes)
            return true;
    }
    return false;
}

bool registered_add(void *begin, size_t bytes)
{
    struct registered *added = malloc(sizeof *added);
    if (!added)
        return false;
    *added = (struct registered){registered, begin, bytes};
    registered = added;
    const uintptr_t from = (uintptr_t)begin, end = from + bytes;
    __atomic_store_n(&lowest, from < lowest ? from : lowest, __ATOMIC_RELAXED);
    __atomic_store_n(&highest, end > highest ? end : highest, __ATOMIC_RELAXED);
    return true;
}

bool registered_remove(const void *begin)
{
    struct registered **at = find(begin);
    if (!at || (*at)->begin != begin)
        return false;
    struct registered *removed = *at;
    *at = removed->next;
    free(removed);
    return true;
}

void registered_forget(void)
{
    while (registered)
        registered_remove(registered->begin);
}
