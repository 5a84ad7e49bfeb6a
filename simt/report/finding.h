/* finding.h: how the device's checks report. Internal; what a host program sees is in simt.h. */
#ifndef SIMT_FINDING_H
#define SIMT_FINDING_H

#include "simt.h"

/* "thread 18 of block 3", with 1, 2 or 3 coordinates as the launch has them. */
struct thread;
void finding_thread_text(const struct thread *thread, char *text, size_t size);

/* Reports: fills in the place from `site` (a code address just after the spot, as __builtin_return_address
 * gives it, or null), folds it into an earlier one of equal kind and places, or stores it and calls the
 * sink. Returns its number; -1 when it is not stored. */
struct finding_text {
    enum simt_finding_kind kind;
    bool warning;
    const void *site;
    const void *other;    /* code address of the other side; may be null */
    const char *variable; /* may be null */
    const char *title;
    const struct simt_side *side; /* may be null */
    unsigned sides;
    const char *missing; /* between two sides; may be null */
    const char *detail;  /* may be null */
    const char *hint;    /* may be null */
};
int finding_report(const struct finding_text *text);

/* Whether a report is none: where it may follow from what a run has left out. Null: all are findings. */
extern bool (*finding_is_dropped)(const struct finding_text *text);

/* Called for each finding that is made, or was seen once more: a recorder sets it. Null unless somebody records.
 * `number` is its number in the run. */
extern void (*finding_seen)(int number, const struct simt_finding *finding);

/* Does nothing: a debugger stops here at each new finding. */
void finding_made(const struct simt_finding *finding);

/* Raises the count of a finding: the number is what finding_report returned. */
void finding_again(int number);

/* Is there a finding of this kind and place already? Then it counts once more: for checks that would have to
 * work for the texts of one that is only folded. */
bool finding_repeats(enum simt_finding_kind kind, bool warning, const void *site);

/* For simt_begin_run. */
void findings_forget(void);

/* printf into one of eight rotating buffers of 1024 bytes: for building the texts above. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
