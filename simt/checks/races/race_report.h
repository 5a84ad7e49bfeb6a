/* race_report.h: reports of races. Internal. */
#ifndef SIMT_RACE_REPORT_H
#define SIMT_RACE_REPORT_H

#include "checks/races/shadow.h"

enum race_side_kind {
    SIDE_READ,
    SIDE_WRITE,
    SIDE_STRONG_READ,
    SIDE_STRONG_WRITE,
    SIDE_VOLATILE_READ,
    SIDE_VOLATILE_WRITE,
    SIDE_BLOCK_READ,
    SIDE_BLOCK_WRITE
};

/* One of the two accesses. */
struct race_side {
    uint64_t key; /* 0 for host code */
    uint32_t clock;
    uint32_t site;
    enum race_side_kind kind;
};

/* How serious the race is. */
enum race_verdict {
    RACE_REAL,
    RACE_SAME_VALUE,  /* both write the same value: a warning */
    RACE_NO_ACQUIRE,  /* the flag was set after a fence, but read without a fence afterwards */
    RACE_TICKET_ONLY, /* the same, but the reader drew a ticket after a fence of its own: a warning */
    RACE_NO_FENCE,    /* all accesses are strong, and there is no fence between data and flag */
    RACE_LOCKSTEP,    /* volatile accesses by lanes of one warp in an unknown order: a warning */
    RACE_VOLATILE,    /* the same by other threads: data may be read before it is written; a warning */
    RACE_GUESS        /* a plain read whose value a compare-and-swap verifies: a warning */
};

/* The fence before a flag was set. */
enum race_fence {
    FLAG_UNFENCED,
    FLAG_FOR_BLOCK,
    FLAG_FENCED,
    FLAG_TOO_EARLY /* with or without a fence: the flag is set before the data */
};

/* The flag that was meant to publish the racing write, if there is one. */
struct race_flag {
    uint64_t key; /* of the flag's write, as in struct race_side */
    uint32_t clock;
    uint32_t site; /* 0: there is none */
    enum race_fence fence;
    uint32_t reader_identity, reader_site; /* the block that read the flag, and the site of the read */
};

struct race {
    struct race_side now, then; /* `then` is the access that came first in this run */
    enum race_verdict verdict;
    const char *address;
    struct race_flag flag;
};

void race_report(const struct race *race);

/* Called by simt_begin_run. */
void race_reports_forget(void);

/* Do two instructions belong to one source line? They are given by the lower halves of their addresses, as in
 * struct race_side. */
bool race_on_one_line(uint32_t a, uint32_t b);

/* Do they belong to one statement? */
bool race_in_one_statement(uint32_t a, uint32_t b);

#endif
