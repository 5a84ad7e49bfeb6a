/* headers.c: see headers.h. */
#define _GNU_SOURCE
#include "headers.h"
#include "files.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct header {
    char *original, *translation; /* paths; `original` has its links resolved */
    struct header *next;
};

struct header_search {
    const struct header_folders *folders;
    const char *current; /* the file that is being translated */
    struct header *headers;
    unsigned count;
};

struct header_search *headers_begin(const struct header_folders *folders, const char *source)
{
    struct header_search *search = calloc(1, sizeof *search);

    if (search)
        *search = (struct header_search){.folders = folders, .current = source};
    return search;
}

void headers_end(struct header_search *search)
{
    while (search && search->headers) {
        struct header *header = search->headers;
        search->headers = header->next;
        free(header->translation);
        free(header);
    }
    free(search);
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Returns the header's path, which the caller frees; null when none of the program's folders has it. */
static char *locate(const struct header_search *search, const char *spelled, bool quoted)
{
    char path[PATH_MAX];
    const char *slash = strrchr(search->current, '/');
    const int folder = slash ? (int)(slash - search->current) + 1 : 0;

    if (spelled[0] == '/')
        return is_file(spelled) ? realpath(spelled, NULL) : NULL;
    snprintf(path, sizeof path, "%.*s%s", folder, search->current, spelled);
    bool found = quoted && is_file(path);
    if (!found && search->folders->own) {
        snprintf(path, sizeof path, "%s/%s", search->folders->own, spelled);
        if (is_file(path))
            return NULL;
    }
    for (size_t i = 0; !found; i++) {
        if (i == search->folders->count)
            return NULL;
        snprintf(path, sizeof path, "%s/%s", search->folders->folder[i], spelled);
        found = is_file(path);
    }
    return realpath(path, NULL);
}

static const char *fail(struct cudac_error *error, const char *file, const char *message)
{
    *error = (struct cudac_error){.message = message, .file = file};
    return NULL;
}

static const char *translate(struct header_search *search, struct header *header, struct cudac_error *error)
{
    const struct cudac_headers headers = {headers_find, search};
    const char *includer = search->current;
    char *source, *output;
    size_t size, output_size;

    if (read_file(header->original, &source, &size) != 0) {
        free(source);
        return fail(error, header->original, "this header cannot be read");
    }
    search->current = header->original;
    output = cudac_translate(source, size, header->original, &headers, &output_size, error);
    search->current = includer;
    free(source);
    if (!output) {
        if (!error->file)
            error->file = header->original;
        return NULL;
    }
    const int why = write_file(header->translation, output, output_size);
    free(output);
    return why ? fail(error, header->translation, "the translated header cannot be written")
               : header->translation;
}

const char *headers_find(void *context, const char *spelled, bool quoted, struct cudac_error *error)
{
    struct header_search *search = context;
    char *original = locate(search, spelled, quoted);

    if (!original)
        return NULL;
    for (struct header *header = search->headers; header; header = header->next)
        if (strcmp(header->original, original) == 0) {
            free(original);
            return header->translation;
        }
    const char *slash = strrchr(original, '/');
    struct header *header = calloc(1, sizeof *header);
    if (!header ||
        asprintf(&header->translation, "%s/%u-%s", search->folders->output, search->count, slash + 1) < 0) {
        free(header);
        return fail(error, original, "out of memory");
    }
    search->count++;
    header->original = original; /* kept, because an error may name it */
    header->next = search->headers;
    search->headers = header; /* listed before its translation: headers may include each other in a circle */
    return translate(search, header, error);
}
