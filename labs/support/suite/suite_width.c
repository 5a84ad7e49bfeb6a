/* suite_width.c: text that a person reads, as wide as the terminal is. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { LEAST_WIDTH = 40, HANGING = 4 /* blanks before what a line continues with */ };

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

/* One line of `length` bytes, all of them ASCII. A word that is too long for a line has one of its own. */
static void print_line(const char *line, size_t length, size_t indent, size_t width)
{
    size_t own = strspn(line, " "), used;
    own = own < length ? own : length;
    const size_t next = indent + own + HANGING;
    used = indent + own;
    printf("%*s", (int)used, "");
    const bool command = length - own >= 7 && strncmp(line + own, "replay:", 7) == 0;
    for (size_t at = own, begun = 0; at < length;) {
        const size_t blanks = strspn(line + at, " "), word = strcspn(line + at + blanks, " \n");
        if (at + blanks >= length)
            break;
        if (begun && !command && used + blanks + word > width) {
            printf("\n%*s", (int)next, "");
            used = next;
        } else {
            printf("%*s", (int)blanks, "");
            used += blanks;
        }
        printf("%.*s", (int)word, line + at + blanks);
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
