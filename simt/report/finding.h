/* finding.h: how the device's checks report. Internal; what a host program sees is in simt.h. */
#ifndef SIMT_FINDING_H
#define SIMT_FINDING_H

#include "core/thread.h"
#include "simt.h"

/* The thread's position in the launch; `axes` is 0 for a call of the harness. */
struct simt_thread finding_thread(const struct thread *thread);

/* Where thread and block are, in a launch of `grid` blocks of `dim` threads. */
struct simt_thread finding_position(struct index3 dim, struct index3 thread, struct index3 grid,
                                    struct index3 block);

/* A fact of a report: see messages.def. A location is that of a code address. */
struct finding_fact {
    enum simt_fact_name name;
    enum simt_fact_type type;
    int64_t number;
    const void *of; /* a text, or the code address; null: there is none, and the fact is left out */
};
#define FACT_NUMBER(name, value)                                                                             \
    {                                                                                                        \
        SIMT_FACT_##name, SIMT_NUMBER, (int64_t)(value), NULL                                                \
    }
#define FACT_TEXT(name, value)                                                                               \
    {                                                                                                        \
        SIMT_FACT_##name, SIMT_TEXT, 0, (value)                                                              \
    }
#define FACT_LOCATION(name, site)                                                                            \
    {                                                                                                        \
        SIMT_FACT_##name, SIMT_LOCATION, 0, (site)                                                           \
    }

/* The fact ADDRESS, the last one of a finding: of an address that is near 0. Others follow from where the system put memory,
 * which is elsewhere in the next run, and two runs say the same: it is left out. */
struct finding_fact finding_address(const void *address);

/* Fills in where a side is. */
void finding_stands_at(struct simt_side *side, const struct simt_location *location);

/* Reports: fills in the location from `site` (a code address just after the spot, as __builtin_return_address
 * gives it, or null), folds it into an earlier one of equal kind and locations, or stores it and calls the
 * sink. Returns its number; -1 when it is not stored. */
struct finding_facts {
    enum simt_rule rule;
    bool warning;
    const void *site;
    const void *other; /* code address of the other side; may be null */
    struct simt_variable variable;
    enum simt_operation operation;
    size_t bytes;                 /* of the access */
    struct simt_thread thread;    /* who was caught; the running thread, where `axes` is 0 */
    const struct simt_side *side; /* may be null */
    unsigned sides;
    enum simt_missing missing;
    enum simt_note note[SIMT_NOTES];
    enum simt_hint hint;
    struct finding_fact fact[SIMT_FACTS]; /* up to the first without a name */
};
int finding_report(const struct finding_facts *facts);

/* Of enum access_kind's flags. */
enum simt_operation finding_operation(unsigned kind);

/* What is no variable, such as a kernel, as what a finding is about. `name` may be null. */
struct simt_variable finding_named(const char *name);

/* Whether a report is none: where it may follow from what a run has left out. Null: all are findings. */
extern bool (*finding_is_dropped)(enum simt_finding_kind kind, const void *site);

/* Called for each finding that is made, or was seen once more: a recorder sets it. Null unless somebody records.
 * `number` is its number in the run. */
extern void (*finding_seen)(int number, const struct simt_finding *finding);

/* Does nothing: a debugger stops here at each new finding. */
void finding_made(const struct simt_finding *finding);

/* Raises the count of a finding: the number is what finding_report returned. */
void finding_again(int number);

/* Is there a finding of this kind and location already? Then it counts once more: for checks that would have to
 * work for the texts of one that is only folded. */
bool finding_repeats(enum simt_finding_kind kind, bool warning, const void *site);

/* For simt_begin_run. */
void findings_forget(void);

/* printf into one of eight rotating buffers of 1024 bytes: for building texts of facts. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
