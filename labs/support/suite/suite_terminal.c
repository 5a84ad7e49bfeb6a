/* suite_terminal.c: prints text wrapped to the width of the terminal, and in colours. */
#include "suite_internal.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LEAST_WIDTH = 40,
    HANGING = 4 /* indent of continuation lines */
};

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

size_t suite_width(void)
{
    struct winsize window = {0};
    const char *said = getenv("COLUMNS");
    if (said && said[0] >= '0' && said[0] <= '9')
        window.ws_col = (unsigned short)strtoul(said, NULL, 10);
    else if (ioctl(1, TIOCGWINSZ, &window) != 0)
        window.ws_col = 0;
    if (window.ws_col == 0)
        return SIZE_MAX;
    return window.ws_col < LEAST_WIDTH ? LEAST_WIDTH : window.ws_col;
}

/* Is stdout a terminal with colours whose user wants them? See no-color.org. */
static bool has_colours(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(1) && !(no && no[0]) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Is this a place such as "naive_scan.cu:48"? */
static bool is_place(const char *word, size_t length)
{
    const char *colon = memchr(word, ':', length);
    const size_t name = colon ? (size_t)(colon - word) : 0, digits = name + 1;
    if (!colon || !memchr(word, '.', name) || digits == length)
        return false;
    for (size_t i = digits; i < length; i++)
        if (!isdigit((unsigned char)word[i]))
            return false;
    return true;
}

/* Is this first word of a line printed in bold? */
static bool is_bold(const char *word, size_t length)
{
    return has_colours() && (is_place(word, length) || (length == 4 && strncmp(word, "try:", 4) == 0));
}

/* Prints one line of `length` ASCII bytes. A word that is too long for a line gets its own line. Escape sequences
 * have no width. */
static void print_line(const char *line, size_t length, size_t indent, size_t width)
{
    size_t own = strspn(line, " "), used;
    own = own < length ? own : length;
    const size_t next = indent + own + HANGING;
    used = indent + own;
    printf("%*s", (int)used, "");
    for (size_t at = own, begun = 0; at < length;) {
        const size_t blanks = strspn(line + at, " "), word = strcspn(line + at + blanks, " \n");
        if (at + blanks >= length)
            break;
        if (begun && used + blanks + word > width) {
            printf("\n%*s", (int)next, "");
            used = next;
        } else {
            printf("%*s", (int)blanks, "");
            used += blanks;
        }
        const bool bold = !begun && is_bold(line + at + blanks, word);
        printf("%s%.*s%s", bold ? BOLD : "", (int)word, line + at + blanks, bold ? PLAIN : "");
        used += word;
        at += blanks + word;
        begun = 1;
    }
    putchar('\n');
}

void suite_print(const char *text, size_t indent)
{
    const size_t width = suite_width();
    while (*text) {
        const size_t length = strcspn(text, "\n");
        print_line(text, length, indent, width);
        text += length;
        text += *text == '\n';
    }
}
