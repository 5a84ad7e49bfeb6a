#include "report/source_text.h"
#include "core/module.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The offset of a line and column; `bytes` if the text does not have them. */
static size_t offset_of(const char *text, size_t bytes, unsigned line, unsigned column)
{
    size_t at = 0;
    while (line > 1 && at < bytes)
        line -= text[at++] == '\n';
    return line == 1 && column > 0 && bytes - at >= column ? at + column - 1 : bytes;
}

static size_t skip_blanks_back(const char *text, size_t end)
{
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    return end;
}

/* The begin of the last identifier before `end`, skipping subscripts of outer dimensions; *end becomes its end. */
static size_t identifier_before(const char *text, size_t *end)
{
    *end = skip_blanks_back(text, *end);
    while (*end > 0 && text[*end - 1] == ']') {
        size_t depth = 0;
        do {
            const char c = text[--*end];
            depth += (size_t)(c == ']') - (size_t)(c == '[');
        } while (depth > 0 && *end > 0);
        *end = skip_blanks_back(text, *end);
    }
    size_t begin = *end;
    while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
        begin--;
    return begin;
}

static bool find_name(const char *text, size_t bytes, unsigned line, unsigned column, char *name, size_t size)
{
    const size_t bracket = offset_of(text, bytes, line, column);
    if (bracket >= bytes || text[bracket] != ']')
        return false;
    size_t end = bracket + 1;
    const size_t begin = identifier_before(text, &end);
    if (begin == end || isdigit((unsigned char)text[begin]))
        return false;
    snprintf(name, size, "%.*s", (int)(end - begin), text + begin);
    return true;
}

/* The name after the `&` of the only allocating call in a line: cudaMalloc((void **)&name, ...). */
static bool find_allocated(const char *text, size_t bytes, unsigned line, char *name, size_t size)
{
    const size_t begin = offset_of(text, bytes, line, 1);
    const char *at = text + begin;
    const char *end = begin < bytes ? memchr(at, '\n', bytes - begin) : NULL;
    const char *call = NULL;
    for (const char *next = at; end && next < end; next++) {
        if (strncmp(next, "alloc", 5) != 0 && strncmp(next, "Malloc", 6) != 0)
            continue;
        if (call)
            return false; /* two calls in one line */
        call = next;
        next += 5;
    }
    for (at = call; at && at < end && *at != '&' && *at != ','; at++)
        ;
    if (!at || at >= end || *at++ != '&')
        return false;
    size_t length = 0;
    while (at + length < end &&
           (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.' ||
            strncmp(at + length, "->", 2) == 0 || (length > 0 && at[length] == '>' && at[length - 1] == '-')))
        length++;
    if (length == 0 || isdigit((unsigned char)at[0]) || length >= size)
        return false;
    snprintf(name, size, "%.*s", (int)length, at);
    return true;
}

static bool in_identifier(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next use of a variable in a line. Null when there is none. */
static const char *next_use(const char *at, const char *end, const char *name)
{
    const size_t length = strlen(name);
    while (length > 0 && at < end) {
        const char *begin = at;
        while (at < end && in_identifier(*at))
            at++;
        if ((size_t)(at - begin) == length && memcmp(begin, name, length) == 0)
            return begin;
        at += at == begin;
    }
    return NULL;
}

/* The only use of a variable in a line. Null when there is none, or several. */
static const char *only_use(const char *at, const char *end, const char *name)
{
    const char *found = next_use(at, end, name);
    return found && !next_use(found + strlen(name), end, name) ? found : NULL;
}

static bool is_mentioned(const char *text, size_t bytes, unsigned line, const char *name)
{
    const size_t begin = offset_of(text, bytes, line, 1);
    const char *end = begin < bytes ? memchr(text + begin, '\n', bytes - begin) : NULL;
    return end && next_use(text + begin, end, name);
}

/* Is the variable changed by an operator that reads it first: ++, --, += and the like? */
static bool is_changed(const char *text, size_t bytes, unsigned line, const char *name)
{
    const size_t begin = offset_of(text, bytes, line, 1);
    const char *end = begin < bytes ? memchr(text + begin, '\n', bytes - begin) : NULL;
    const char *use = end ? only_use(text + begin, end, name) : NULL;
    if (!use)
        return false;
    const size_t before = skip_blanks_back(text, (size_t)(use - text));
    if (before > begin + 1 &&
        (memcmp(text + before - 2, "++", 2) == 0 || memcmp(text + before - 2, "--", 2) == 0))
        return true;
    const char *at = use + strlen(name);
    for (int depth = 0; at < end && (depth > 0 || strchr(" )[", *at)); at++)
        depth += (*at == '[') - (*at == ']');
    return end - at > 1 && (memcmp(at, "++", 2) == 0 || memcmp(at, "--", 2) == 0 ||
                            (strchr("+-*/%&|^", at[0]) && at[1] == '='));
}

/* What is searched in the text of a source. */
struct wanted {
    bool allocated; /* the pointer that an allocating call sets, or else the array before a subscript's end */
    const char *changed;   /* or whether the line changes this variable */
    const char *mentioned; /* or whether it names this one */
    unsigned line, column;
};

static bool find(const char *text, size_t bytes, const struct wanted *wanted, char *name, size_t size)
{
    if (wanted->changed)
        return is_changed(text, bytes, wanted->line, wanted->changed);
    if (wanted->mentioned)
        return is_mentioned(text, bytes, wanted->line, wanted->mentioned);
    return wanted->allocated ? find_allocated(text, bytes, wanted->line, name, size)
                             : find_name(text, bytes, wanted->line, wanted->column, name, size);
}

static bool search(const void *site, const char *file, const struct wanted *wanted, char *name, size_t size)
{
    const struct module *module = module_of_code(site);
    struct stat source, built;
    bool found = false;
    const int descriptor = module && file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return false;
    if (fstat(descriptor, &source) == 0 && S_ISREG(source.st_mode) && source.st_size > 0 &&
        stat(module->path, &built) == 0 && source.st_mtime <= built.st_mtime) {
        const size_t bytes = (size_t)source.st_size;
        char *text = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (text != MAP_FAILED) {
            found = find(text, bytes, wanted, name, size);
            munmap(text, bytes);
        }
    }
    close(descriptor);
    return found;
}

bool source_text_indexed(const void *site, const char *file, unsigned line, unsigned column, char *name,
                         size_t size)
{
    return search(site, file, &(struct wanted){.line = line, .column = column}, name, size);
}

bool source_text_allocated(const void *site, const char *file, unsigned line, char *name, size_t size)
{
    return search(site, file, &(struct wanted){.allocated = true, .line = line}, name, size);
}

bool source_text_mentions(const void *site, const char *file, unsigned line, const char *name)
{
    return search(site, file, &(struct wanted){.mentioned = name, .line = line}, NULL, 0);
}

bool source_text_changes(const void *site, const char *file, unsigned line, const char *name)
{
    return search(site, file, &(struct wanted){.changed = name, .line = line}, NULL, 0);
}
