/* The C library's functions on strings, in host code. Their reads and writes are checked like the code's own
 * accesses, so that a call with a device pointer is found. */
#define _GNU_SOURCE
#include "core/access.h"
#include "core/observer.h"

#include <stdint.h>
#include <string.h>

#define SITE __builtin_return_address(0)

static const size_t NO_END = PTRDIFF_MAX;

/* Returns the string's length, or `most` if that is less. Checks all bytes that are read, including the final 0. */
static size_t text_length(const char *text, size_t most, const void *site)
{
    const size_t length = strnlen(text, most);
    if (most > 0)
        simt_access_range(text, length + (length < most), ACCESS_READ, site);
    return length;
}

int simt_memcmp(const void *left, const void *right, size_t bytes);
int simt_memcmp(const void *left, const void *right, size_t bytes)
{
    simt_access_range(left, bytes, ACCESS_READ, SITE);
    simt_access_range(right, bytes, ACCESS_READ, SITE);
    return memcmp(left, right, bytes);
}

void *simt_memchr(const void *bytes, int wanted, size_t count);
void *simt_memchr(const void *bytes, int wanted, size_t count)
{
    simt_access_range(bytes, count, ACCESS_READ, SITE);
    return memchr(bytes, wanted, count);
}

char *simt_strcpy(char *to, const char *from);
char *simt_strcpy(char *to, const char *from)
{
    const size_t length = text_length(from, NO_END, SITE);
    simt_access_range(to, length + 1, ACCESS_WRITE, SITE);
    return strcpy(to, from);
}

char *simt_stpcpy(char *to, const char *from);
char *simt_stpcpy(char *to, const char *from)
{
    const size_t length = text_length(from, NO_END, SITE);
    simt_access_range(to, length + 1, ACCESS_WRITE, SITE);
    return stpcpy(to, from);
}

char *simt_strncpy(char *to, const char *from, size_t bytes);
char *simt_strncpy(char *to, const char *from, size_t bytes)
{
    const size_t length = text_length(from, bytes, SITE);
    simt_access_range(to, bytes, ACCESS_WRITE, SITE);
    memcpy(to, from, length);
    memset(to + length, 0, bytes - length);
    return to;
}

char *simt_strcat(char *to, const char *from);
char *simt_strcat(char *to, const char *from)
{
    const size_t length = text_length(from, NO_END, SITE), before = text_length(to, NO_END, SITE);
    simt_access_range(to + before, length + 1, ACCESS_WRITE, SITE);
    return strcat(to, from);
}

char *simt_strncat(char *to, const char *from, size_t bytes);
char *simt_strncat(char *to, const char *from, size_t bytes)
{
    const size_t length = text_length(from, bytes, SITE), before = text_length(to, NO_END, SITE);
    simt_access_range(to + before, length + 1, ACCESS_WRITE, SITE);
    memcpy(to + before, from, length);
    to[before + length] = 0;
    return to;
}

int simt_strcmp(const char *left, const char *right);
int simt_strcmp(const char *left, const char *right)
{
    text_length(left, NO_END, SITE);
    text_length(right, NO_END, SITE);
    return strcmp(left, right);
}

int simt_strncmp(const char *left, const char *right, size_t bytes);
int simt_strncmp(const char *left, const char *right, size_t bytes)
{
    text_length(left, bytes, SITE);
    text_length(right, bytes, SITE);
    return strncmp(left, right, bytes);
}
