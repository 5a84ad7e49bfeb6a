/* finding_names.c: the names that programs use for the parts of a finding: kinds, facts, operations. Like
 * finding_text.c, it uses nothing of the device. */
#include "report/finding_names.h"
#include <ctype.h>

const char *simt_finding_name(enum simt_finding_kind kind)
{
    static const char *const names[SIMT_FINDING_KINDS] = {
#define KIND(kind, name) [SIMT_##kind] = name,
        SIMT_FINDING_KIND_TABLE(KIND)
#undef KIND
    };
    return (unsigned)kind < SIMT_FINDING_KINDS ? names[kind] : "finding";
}

enum simt_finding_kind simt_rule_kind(enum simt_rule rule)
{
    static const enum simt_finding_kind kinds[SIMT_RULES] = {
#define RULE(name, kind, text) SIMT_##kind,
#include "report/messages.def"
    };
    return kinds[rule];
}

/* An enumerator in lower case. Valid until the next call. */
static const char *lower(const char *word)
{
    static char name[64];
    size_t i = 0;
    for (; word[i] && i + 1 < sizeof name; i++)
        name[i] = (char)tolower((unsigned char)word[i]);
    name[i] = 0;
    return name;
}

static const char *const fact_names[SIMT_FACT_KINDS] = {
    "",
#define FACT(name) #name,
#include "report/messages.def"
};
const char *simt_fact_name(enum simt_fact_name name)
{
    return lower(entry(fact_names, SIMT_FACT_KINDS, name));
}

const char *simt_operation_name(enum simt_operation operation)
{
    static const char *const names[SIMT_OPERATIONS] = {"", "read", "write", "atomic read", "atomic"};
    return entry(names, SIMT_OPERATIONS, operation);
}
