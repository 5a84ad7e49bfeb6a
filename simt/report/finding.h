/* finding.h: how the device's checks report findings. Internal; the part for host programs is in simt.h. */
#ifndef SIMT_FINDING_H
#define SIMT_FINDING_H

#include "core/thread.h"
#include "simt.h"

/* The thread's position in the launch; `axes` is 0 for a call of the harness. */
struct simt_thread finding_thread(const struct thread *thread);

/* The position of a thread and its block in a launch of `grid` blocks of `dim` threads. */
struct simt_thread finding_position(struct index3 dim, struct index3 thread, struct index3 grid,
                                    struct index3 block);

/* A fact of a report: see messages.def. A location is given as a code address. */
struct finding_fact {
    enum simt_fact_name name;
    enum simt_fact_type type;
    int64_t number;
    const void *of; /* the text or the code address; if null, the fact is left out */
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

/* The fact ADDRESS, for an address near 0. All other addresses depend on where the system put the memory, and would
 * differ between two runs, so they are left out. Must be the last fact of a finding. */
struct finding_fact finding_address(const void *address);

/* The location of a code address in a kernel, which was launched at `launch`. In an algorithm of Thrust it is the line of
 * that call, unless the address is in the program's own code. */
void finding_locate(const void *site, const void *launch, const char *kernel, struct simt_location *location);

/* Fills in the location of a side. */
void finding_stands_at(struct simt_side *side, const struct simt_location *location);

/* Reports a finding. The location is derived from `site`, a code address just after the instruction, as returned by
 * __builtin_return_address, or null. A finding with the kind and locations of an earlier one is folded into that. A
 * new one is stored and passed to the sink. Returns its number, or -1 when it is not stored. */
struct finding_facts {
    enum simt_rule rule;
    bool warning;
    const void *site;
    const void *other; /* code address of the other side; may be null */
    struct simt_variable variable;
    enum simt_operation operation;
    size_t bytes;                 /* size of the access */
    struct simt_thread thread;    /* the thread that was caught; the running thread if `axes` is 0 */
    const struct simt_side *side; /* may be null */
    unsigned sides;
    enum simt_missing missing;
    enum simt_note note[SIMT_NOTES];
    enum simt_hint hint;
    struct finding_fact fact[SIMT_FACTS]; /* ends at the first without a name */
};
int finding_report(const struct finding_facts *facts);

/* Announces a finding that is reported when the launch has ended: what its thread does next may follow from it. */
void finding_misleads(void);

/* The operation that the flags of enum access_kind describe. */
enum simt_operation finding_operation(unsigned kind);

/* Describes something that is not a variable, such as a kernel, as the subject of a finding. `name` may be null. */
struct simt_variable finding_named(const char *name);

/* If not null, returns true for a report that is to be dropped because it may follow from what a sampled run left
 * out. */
extern bool (*finding_is_dropped)(enum simt_finding_kind kind, const void *site);

/* If not null, called for each new finding and each repetition. A recorder sets it. `number` is the finding's
 * number in the run. */
extern void (*finding_seen)(int number, const struct simt_finding *finding);

/* Does nothing. A debugger sets a breakpoint here to stop at each new finding. */
void finding_made(const struct simt_finding *finding);

/* Raises the count of a finding, given the number that finding_report returned. */
void finding_again(int number);

/* If a finding of this kind and location exists, raises its count and returns true. For checks that can then skip
 * the work for the texts. */
bool finding_repeats(enum simt_finding_kind kind, bool warning, const void *site);

/* Called by simt_begin_run. */
void findings_forget(void);

/* printf into one of eight rotating buffers of 1024 bytes, for building the texts of facts. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
