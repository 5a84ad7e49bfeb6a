/* run.c: the program of `make run`, which runs one part of a lab on one input and prints it.
 *
 *     run --lab 2 --submission build/cpu/student --part scan_in_place --monoid interval --n 33 --seed 7
 *
 * The lab's suite does that, because it has the arguments of each part and the expected results. This program finds
 * the suite, which is in its own folder and named after the lab's folder, and passes all other options to it. */
#include <glob.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

/* Converts "labs/2-naive-scan" to "naive_scan". */
static bool find_lab(const char *number, char *name, size_t size)
{
    char pattern[64];
    glob_t found;
    bool good = false;
    snprintf(pattern, sizeof pattern, "labs/%.8s-*", number);
    if (strspn(number, "0123456789") != strlen(number) || glob(pattern, 0, NULL, &found) != 0)
        return false;
    const char *dash = found.gl_pathc == 1 ? strchr(found.gl_pathv[0], '-') : NULL;
    if (dash) {
        snprintf(name, size, "%s", dash + 1);
        for (char *c = name; *c; c++)
            if (*c == '-')
                *c = '_';
        good = true;
    }
    globfree(&found);
    return good;
}

int main(int count, char **words)
{
    char *suite_words[MAX_WORDS + 3], own[4096], suite[4352], name[128] = "";
    int kept = 1;

    for (int i = 1; i < count && kept < MAX_WORDS; i++) {
        if (strcmp(words[i], "--lab") != 0 || i + 1 == count) {
            suite_words[kept++] = words[i];
            continue;
        }
        if (!find_lab(words[++i], name, sizeof name)) {
            fprintf(stderr, "run: there is no lab %s\n", words[i]);
            return 2;
        }
    }
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (!name[0] || length < 0) {
        fprintf(stderr,
                "usage: run --lab NUMBER --submission DIRECTORY --part NAME --monoid NAME --n LENGTH\n"
                "           --seed NUMBER, from the folder that holds labs/; more options as in a"
                " replay line\n");
        return 2;
    }
    own[length] = 0;
    snprintf(suite, sizeof suite, "%s/check_%s", dirname(own), name);
    suite_words[0] = suite;
    suite_words[kept++] = (char *)"--show";
    suite_words[kept] = NULL;
    execv(suite, suite_words);
    perror(suite);
    return 2;
}
