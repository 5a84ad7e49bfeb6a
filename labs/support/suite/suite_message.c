/* suite_message.c: the words of a failure. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

enum {
    SHOWN_FINDINGS = 3, /* in one message */
    SHOWN_LINES = 5     /* of what the submission printed */
};

void suite_add_finding(struct suite_text *text, const struct call_finding *finding)
{
    if (finding->file[0])
        suite_add(text, "%s:%u  ", finding->file, (unsigned)finding->line);
    if (finding->function[0])
        suite_add(text, "%s: ", finding->function);
    suite_add(text, "%s%s", finding->warning ? "warning: " : "", finding->title);
    if (finding->count > 1)
        suite_add(text, " (%u times)", (unsigned)finding->count);
    suite_add(text, "\n");
    suite_add_indented(text, finding->detail, 8);
    if (finding->hint[0])
        suite_add(text, "    try: %s\n", finding->hint);
}

const char *suite_input_name(enum suite_input input)
{
    static const char *const names[INPUT_KINDS] = {"random",   "sorted",      "reversed", "equal",
                                                   "negative", "extreme",     "sparse",   "series",
                                                   "marked",   "bad_middles", "example"};
    return names[input];
}

const char *suite_order_name(uint32_t order)
{
    static const char *const names[] = {"forward", "reverse", "random", "lockstep"};
    return names[order];
}

/* "reverse order, 2 blocks at a time" */
static void add_schedule(struct suite_text *text, const struct suite_case *is, bool say_blocks)
{
    suite_add(text, "%s%s", suite_order_name(is->order), is->order == CALL_LOCKSTEP ? "" : " order");
    if (say_blocks)
        suite_add(text, ", %u block%s at a time", (unsigned)is->resident, is->resident == 1 ? "" : "s");
}

void suite_add_contrast(struct suite_text *text, const struct suite_case *right,
                        const struct suite_case *wrong)
{
    const bool say_blocks = right->order == wrong->order;
    suite_add(text, "right in ");
    add_schedule(text, right, say_blocks);
    suite_add(text, say_blocks ? "; wrong in " : ", wrong in ");
    add_schedule(text, wrong, say_blocks);
}

void suite_add_replay(struct suite_text *text, const struct suite_case *is)
{
    struct suite_case plain = suite_case(is->part, is->monoid, is->n);
    suite_add(text, "make run LAB=%u PART=%s MONOID=%s %s=", suite_lab->number, is->part->name,
              monoids[is->monoid].name, suite_lab->images ? "SHAPE" : "N");
    suite_add_size(text, is->n);
    suite_add(text, " SEED=%llu", (unsigned long long)is->seed);
    if (is->input != plain.input)
        suite_add(text, " INPUT=%s", suite_input_name(is->input));
    if (is->in_place != plain.in_place)
        suite_add(text, " IN_PLACE=%u", is->in_place);
    if (is->shift != plain.shift)
        suite_add(text, " SHIFT=%u", is->shift);
    if (is->order != plain.order)
        suite_add(text, " ORDER=%s", suite_order_name(is->order));
    if (is->resident != plain.resident)
        suite_add(text, " RESIDENT=%u", (unsigned)is->resident);
    if (is->tile != SUITE_TILE)
        suite_add(text, " TILE=%zu", is->tile);
    if (suite_options.on_cuda)
        suite_add(text, " DEVICE=cuda");
}

/* "scan_in_place on interval, 33 elements, sorted input, in place": what was called. */
static void add_case(struct suite_text *text, const struct suite_case *is)
{
    suite_add(text, "%s on %s, ", is->part->name, monoids[is->monoid].name);
    suite_add_size(text, is->n);
    suite_add(text, " element%s", suite_elements(is->n) == 1 ? "" : "s");
    if (is->input == INPUT_SERIES && suite_lab->data_phrase)
        suite_add(text, ", %s", suite_lab->data_phrase);
    else if (is->input != INPUT_RANDOM && is->monoid != MONOID_INTERVAL && is->monoid != MONOID_FINGERPRINT)
        suite_add(text, ", %s input", suite_input_name(is->input));
    if (is->tile != SUITE_TILE)
        suite_add(text, ", tiles of %zu", is->tile);
    if (suite_is_sampled(is))
        suite_add(text, ", of which only some blocks run");
    if (is->in_place)
        suite_add(text, ", in place");
    if (is->shift)
        suite_add(text, ", arrays off a 256-byte boundary by other numbers of elements");
    if (is->order == CALL_LOCKSTEP)
        suite_add(text, ", blocks in lockstep");
    else if (is->order != CALL_FORWARD)
        suite_add(text, ", blocks and threads in %s order", suite_order_name(is->order));
}

/* What other calls tell about this one. */
static void add_context(struct suite_text *text, const struct suite_call *call)
{
    if (call->right_up_to > 0 && suite_lab->images) {
        suite_add(text, "    all sizes before it are right, the last was ");
        suite_add_size(text, call->right_up_to);
        suite_add(text, "\n");
    } else if (call->right_up_to > 0)
        suite_add(text, "    up to %zu element%s all is right\n", call->right_up_to,
                  call->right_up_to == 1 ? "" : "s");
    if (call->contrast) {
        suite_add(text, "    ");
        suite_add_contrast(text, &call->right, &call->is);
        suite_add(text, ": the result depends on the order in which threads run\n");
    }
    if (call->history)
        suite_add(
            text,
            "    the same call is right in a fresh process: %s\n"
            "    try: look for static and __device__ variables, and for memory that is used before it is"
            " set\n",
            suite_options.on_cuda ? "earlier calls matter, or chance does (a race)" : "earlier calls matter");
}

static void add_findings(struct suite_text *text, const struct call_reply *reply)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < reply->findings && shown < SHOWN_FINDINGS; i++) {
        if (reply->finding[i].warning && shown > 0)
            continue;
        suite_add_finding(text, &reply->finding[i]);
        shown++;
    }
    if (reply->all_findings > shown)
        suite_add(text, "    ... and %u more finding%s\n", (unsigned)(reply->all_findings - shown),
                  reply->all_findings - shown == 1 ? "" : "s");
}

void suite_message(const struct suite_call *call, const char *head, char *message, size_t size)
{
    char tail_buffer[512];
    struct suite_text tail = suite_text(tail_buffer, sizeof tail_buffer);
    suite_add(&tail, "replay: ");
    if (call->history) /* one call alone does not show it */
        suite_add(&tail, "make test LAB=%u PART=%s%s", suite_lab->number, call->is.part->name,
                  suite_options.on_cuda ? " DEVICE=cuda" : "");
    else
        suite_add_replay(&tail, &call->is);

    /* The replay line is the one that must not be cut off. */
    struct suite_text text = suite_text(message, size - strlen(tail_buffer) - 8);
    bool findings_first = !head && call->trouble[0] == 0 && call->statement[0] == 0;
    if (findings_first)
        add_findings(&text, &call->reply);
    else {
        const char *lines = head ? head : call->trouble[0] ? call->trouble : call->statement;
        int length = (int)strcspn(lines, "\n");
        suite_add(&text, "%.*s\n", length, lines);
        lines += length + (lines[length] == '\n');
        suite_add(&text, "    in: ");
        add_case(&text, &call->is);
        suite_add(&text, "\n");
        suite_add_indented(&text, lines, 12);
        add_context(&text, call);
        add_findings(&text, &call->reply);
    }
    if (findings_first) {
        suite_add(&text, "    in: ");
        add_case(&text, &call->is);
        suite_add(&text, "\n");
        add_context(&text, call);
    }
    if (call->printed[0]) {
        suite_add(&text, "it printed:\n");
        suite_add_indented(&text, call->printed, SHOWN_LINES);
    }
    size_t used = strlen(message);
    snprintf(message + used, size - used, "%s%s", used > 0 && message[used - 1] != '\n' ? " ...\n" : "",
             tail_buffer);
}
