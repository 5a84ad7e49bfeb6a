/* race_report.h: the words for a race. Internal. */
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
    uint64_t key; /* 0: host code */
    uint32_t clock;
    uint32_t site;
    enum race_side_kind kind;
};

/* How bad it is. */
enum race_verdict {
    RACE_REAL,
    RACE_SAME_VALUE,  /* both write the same: a warning */
    RACE_NO_ACQUIRE,  /* the flag was set with a fence before, and read without one after */
    RACE_TICKET_ONLY, /* the same, but the reader drew a ticket after a fence of its own: a warning */
    RACE_NO_FENCE,    /* all accesses are strong, and a fence is missing between data and flag */
    RACE_LOCKSTEP,    /* volatile accesses by lanes of one warp: no race, but who comes first? a warning */
    RACE_VOLATILE,    /* the same by others: data that is read before it is written; a warning */
    RACE_GUESS        /* a plain read, and a compare-and-swap that fails where it read too early: a warning */
};

/* The fence that stands before a flag. */
enum race_fence {
    FLAG_UNFENCED,
    FLAG_FOR_BLOCK,
    FLAG_FENCED,
    FLAG_TOO_EARLY /* whatever it is: the flag comes before what it should hand on */
};

/* The flag over which the write of a race was to be handed on, where there is one. */
struct race_flag {
    uint64_t key; /* of its write, as in struct race_side */
    uint32_t clock;
    uint32_t site; /* 0: there is none */
    enum race_fence fence;
    uint32_t reader_identity, reader_site; /* who saw it, of the blocks, and where */
};

struct race {
    struct race_side now, then; /* then: of the two the one that came first in this run */
    enum race_verdict verdict;
    const char *address;
    struct race_flag flag;
};

void race_report(const struct race *race);

/* For simt_begin_run. */
void race_reports_forget(void);

/* Do two instructions stem from one line of the source? By the lower halves of their addresses, as races keep them. */
bool race_on_one_line(uint32_t a, uint32_t b);

/* And from one statement? */
bool race_in_one_statement(uint32_t a, uint32_t b);

#endif
