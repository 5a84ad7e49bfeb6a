/* main.c: the source translator's command line. What it rewrites is told in cudac.h.
 *
 *   cudac INPUT.cu -o OUTPUT.cpp [--name NAME]
 *
 * NAME is what compilers and debuggers will call the file; INPUT as given when absent. Exit status: 0, or
 * 1 when the source is refused (then no OUTPUT is left), or 2 when a file or the command line is at fault. */
#include "cudac.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_REFUSED, EXIT_TROUBLE, READ_CHUNK = 1 << 16 };

struct command {
    const char *input, *output, *name;
};

/* ---- command line ---------------------------------------------------------------------------------- */

static bool parse_command(int argc, char **argv, struct command *command)
{
    for (int i = 1; i < argc; i++) {
        bool is_output = strcmp(argv[i], "-o") == 0;
        if (is_output || strcmp(argv[i], "--name") == 0) {
            if (++i == argc)
                return false;
            *(is_output ? &command->output : &command->name) = argv[i];
        } else if (argv[i][0] == '-' || command->input) {
            return false;
        } else {
            command->input = argv[i];
        }
    }
    if (!command->name)
        command->name = command->input;
    return command->input && command->output;
}

/* Writes `cudac: doing path: why` and returns the exit status for it. */
static int trouble(const char *doing, const char *path, int why)
{
    fprintf(stderr, "cudac: cannot %s %s: %s\n", doing, path, strerror(why));
    return EXIT_TROUBLE;
}

/* ---- files ----------------------------------------------------------------------------------------- */

/* Reads a whole file into *text, which the caller frees. Returns 0 or an errno. */
static int read_file(const char *path, char **text, size_t *size)
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

/* Puts the text at `path` wholly or not at all: it is written beside it and then renamed. What is no
 * regular file, such as /dev/null, is written directly. Returns 0 or an errno. */
static int write_file(const char *path, const char *text, size_t size)
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

static bool is_same_file(const char *left, const char *right)
{
    struct stat a, b;

    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void remove_stale(const char *path)
{
    struct stat status;

    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
        unlink(path);
}

/* ---- the program ----------------------------------------------------------------------------------- */

static int translate(const struct command *command, const char *source, size_t size)
{
    struct cudac_error error;
    size_t output_size;
    char *output = cudac_translate(source, size, command->name, &output_size, &error);

    if (!output) {
        if (error.line)
            fprintf(stderr, "%s:%zu:%zu: ", command->name, error.line, error.column);
        fprintf(stderr, "error: %s\n", error.message);
        if (error.hint)
            fprintf(stderr, "    try: %s\n", error.hint);
        remove_stale(command->output);
        return EXIT_REFUSED;
    }
    int why = write_file(command->output, output, output_size);
    free(output);
    return why ? trouble("write", command->output, why) : EXIT_GOOD;
}

int main(int argc, char **argv)
{
    struct command command = {0};
    char *source;
    size_t size;

    if (!parse_command(argc, argv, &command)) {
        fputs("usage: cudac INPUT.cu -o OUTPUT.cpp [--name NAME]\n", stderr);
        return EXIT_TROUBLE;
    }
    if (is_same_file(command.input, command.output)) {
        fprintf(stderr, "cudac: %s is input and output at once\n", command.input);
        return EXIT_TROUBLE;
    }
    int why = read_file(command.input, &source, &size);
    int status = why ? trouble("read", command.input, why) : translate(&command, source, size);
    free(source);
    return status;
}
