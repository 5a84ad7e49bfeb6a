/* files.c: see files.h. */
#include "files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_CHUNK = 1 << 16 };

int read_file(const char *path, char **text, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 0;
    int why = 0;

    *text = NULL;
    *size = 0;
    if (!file)
        return errno;
    for (size_t got = 1; got > 0 && !why;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : READ_CHUNK;
            char *grown = realloc(*text, capacity);
            if (!grown) {
                why = ENOMEM;
                break;
            }
            *text = grown;
        }
        got = fread(*text + *size, 1, capacity - *size, file);
        *size += got;
        if (ferror(file))
            why = errno;
    }
    fclose(file);
    return why;
}

/* Returns 0 or an errno. */
static int write_stream(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return errno;
    int why = fwrite(text, 1, size, file) == size ? 0 : errno;
    if (fclose(file) != 0 && !why)
        why = errno;
    return why;
}

int write_file(const char *path, const char *text, size_t size)
{
    struct stat status;
    size_t length = strlen(path) + 32;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return write_stream(path, text, size);
    char *beside = malloc(length);
    if (!beside)
        return ENOMEM;
    snprintf(beside, length, "%s.%ld.tmp", path, (long)getpid());
    int why = write_stream(beside, text, size);
    if (!why && rename(beside, path) != 0)
        why = errno;
    if (why)
        unlink(beside);
    free(beside);
    return why;
}
