/* toy_run.c: see toy_run.h. */
#include "check_support.h"
#include "toy_run.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char toy_folder[64];
char toy_output[TOY_OUTPUT];

int toy_run(const char *mode, const char *format, ...)
{
    static const char *const builds[] = {"sum",           "float_sum", "interval", "interval.64",
                                         "interval.1024", "sum.64",    "sum.1024"};
    char command[4096], path[512];
    size_t used, got;
    va_list arguments;

    snprintf(toy_folder, sizeof toy_folder, "/tmp/toy_run.%d", (int)getpid());
    mkdir(toy_folder, 0700);
    snprintf(path, sizeof path, "%s/%s", toy_folder, mode);
    mkdir(path, 0700);
    /* The suite only requires that the builds exist; only the real runner opens them. */
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        snprintf(path, sizeof path, "%s/%s/toy.%s.so", toy_folder, mode, builds[i]);
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fclose(file);
    }
    /* The suite's own output is needed, or is all that there is. */
    const bool shown = !strstr(format, "--records") && (!strstr(format, "--show") || strstr(format, "cuda"));
    snprintf(command, sizeof command, "%s%s %s/toy_suite --runner %s/fake_runner --submission %s/%s ",
             shown ? programs : "", shown ? "/../venv/bin/python -m grader.judge.shown" : "", programs,
             programs, toy_folder, mode);
    used = strlen(command);
    va_start(arguments, format);
    vsnprintf(command + used, sizeof command - used, format, arguments);
    va_end(arguments);
    strncat(command, " 2>&1", sizeof command - strlen(command) - 1);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    got = fread(toy_output, 1, sizeof toy_output - 1, pipe);
    toy_output[got] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void toy_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", toy_folder);
    if (toy_folder[0] && system(command) != 0)
        ck_abort_msg("cannot remove %s", toy_folder);
}

const char *toy_message(const char *sentence)
{
    static char message[TOY_OUTPUT];
    char *to = message;
    const char *line = strstr(toy_output, sentence);
    ck_assert_msg(line != NULL, "%s", toy_output);
    line = strchr(line, '\n') + 1;
    while (strncmp(line, "      ", 6) == 0) {
        const char *end = strchr(line, '\n') + 1;
        memcpy(to, line + 6, (size_t)(end - line - 6));
        to += end - line - 6;
        line = end;
    }
    *to = 0;
    return message;
}
