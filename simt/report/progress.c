/* The progress of a long launch. It is known only where a block ends. */
#include "report/progress.h"
#include "core/observer.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double AGAIN = 0.5; /* seconds between two lines */

static int file = -1;
static double after, began, next; /* seconds */
static bool shown;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_show(int to, double from)
{
    file = to;
    after = from;
    observers_activate();
}

static void put(const char *text, size_t bytes)
{
    if (write(file, text, bytes) < 0)
        file = -1; /* the terminal is gone */
}

void progress_clear(void)
{
    static const char blank[] = "\r\033[K";
    if (shown)
        put(blank, sizeof blank - 1);
    shown = false;
}

static bool wanted(void)
{
    return file >= 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    began = seconds();
    next = began + after;
}

static void end_block(const struct block *block)
{
    (void)block;
    const double now = seconds();
    if (now < next || file < 0)
        return;
    const uint64_t done = current_launch->blocks_done, blocks = current_launch->grid_blocks;
    char line[160];
    const int length =
        snprintf(line, sizeof line, "\r%.40s: %llu of %llu blocks done, about %.0f s left\033[K",
                 current_launch->kernel, (unsigned long long)done, (unsigned long long)blocks,
                 (now - began) / (double)done * (double)(blocks - done));
    next = now + AGAIN;
    shown = true;
    put(line, (size_t)length);
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    progress_clear();
}

const struct observer progress_observer = {.name = "progress",
                                           .wanted = wanted,
                                           .begin_launch = begin_launch,
                                           .end_block = end_block,
                                           .end_launch = end_launch};
