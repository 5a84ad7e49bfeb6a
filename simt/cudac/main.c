/* main.c: the source translator's command line. cudac.h lists what it rewrites.
 *
 *   cudac INPUT.cu -o OUTPUT.cpp [--name NAME] [--relaxed-constexpr] [--headers FOLDER [--own FOLDER] [-I FOLDER]...]
 *   cudac INPUT.cu -o OUTPUT.cu --delays SEED [--name NAME]
 *
 * NAME is what compilers and debuggers will call the file; without --name it is INPUT. With --headers, the headers
 * that the source includes are translated into FOLDER if they are in one of the -I folders or, for a name in quotes, in
 * the source's folder. Headers that the folder --own has are left alone. With --delays, the output is CUDA for nvcc, in
 * which threads wait at random. The exit status is 0; 1 when the source is
 * refused, and then no OUTPUT is left; or 2 for an error in a file or in the command line. */
#include "cudac.h"
#include "files.h"
#include "headers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_GOOD, EXIT_REFUSED, EXIT_TROUBLE };

struct command {
    const char *input, *output, *name;
    const char *delays; /* the seed; null: translate for the CPU device */
    struct header_folders folders;
};

/* ---- command line ---------------------------------------------------------------------------------- */

/* Returns the place for the option's value; null when there is no such option. */
static const char **value_of(struct command *command, const char *option)
{
    if (strcmp(option, "-o") == 0)
        return &command->output;
    if (strcmp(option, "--name") == 0)
        return &command->name;
    if (strcmp(option, "--delays") == 0)
        return &command->delays;
    if (strcmp(option, "--headers") == 0)
        return &command->folders.output;
    if (strcmp(option, "--own") == 0)
        return &command->folders.own;
    if (strcmp(option, "-I") == 0 && command->folders.count < HEADER_FOLDERS)
        return &command->folders.folder[command->folders.count++];
    return NULL;
}

static bool parse_command(int argc, char **argv, struct command *command)
{
    for (int i = 1; i < argc; i++) {
        const char **value = value_of(command, argv[i]);
        if (strcmp(argv[i], "--relaxed-constexpr") == 0) {
            cudac_relaxed_constexpr = true;
        } else if (value) {
            if (++i == argc)
                return false;
            *value = argv[i];
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
    struct header_search *search =
        command->folders.output ? headers_begin(&command->folders, command->input) : NULL;
    const struct cudac_headers headers = {headers_find, search};
    char *output = command->delays ? cudac_delay(source, size, command->name,
                                                 strtoul(command->delays, NULL, 10), &output_size, &error)
                                   : cudac_translate(source, size, command->name, search ? &headers : NULL,
                                                     &output_size, &error);

    if (!output) {
        const char *file = error.file ? error.file : command->name;
        if (error.line)
            fprintf(stderr, "%s:%zu:%zu: ", file, error.line, error.column);
        else if (error.file)
            fprintf(stderr, "%s: ", file);
        fprintf(stderr, "error: %s\n", error.message);
        if (error.hint)
            fprintf(stderr, "    try: %s\n", error.hint);
        remove_stale(command->output);
        headers_end(search);
        return EXIT_REFUSED;
    }
    int why = write_file(command->output, output, output_size);
    free(output);
    headers_end(search);
    return why ? trouble("write", command->output, why) : EXIT_GOOD;
}

int main(int argc, char **argv)
{
    struct command command = {0};
    char *source;
    size_t size;

    if (!parse_command(argc, argv, &command)) {
        fputs("usage: cudac INPUT.cu -o OUTPUT.cpp [--name NAME] [--relaxed-constexpr] [--headers FOLDER "
              "[--own FOLDER] [-I FOLDER]...]\n"
              "       cudac INPUT.cu -o OUTPUT.cu --delays SEED [--name NAME]\n",
              stderr);
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
