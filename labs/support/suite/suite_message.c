/* suite_message.c: the pieces of a failure's text; grader/model/words.py puts them together. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

enum { SHOWN_PRINTED = 5 /* lines of the submission's output */ };

const char *suite_aspect_name(enum suite_aspect aspect)
{
    static const char *const names[] = {"correct", "clean", "efficient"};
    return names[aspect];
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

/* Adds "reverse order, 2 blocks at a time". */
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

/* Adds the settings that a replay on a GPU needs. */
static void add_device(struct suite_text *text)
{
    if (suite_options.on_cuda)
        suite_add(text, " DEVICE=cuda");
    if (suite_options.on_cuda && suite_options.delays > 0)
        suite_add(text, " DELAYS=%llu", (unsigned long long)suite_options.delays);
}

void suite_add_title(struct suite_text *text, const struct simt_finding *finding)
{
    struct simt_finding_words words;
    simt_finding_words(finding, &words);
    suite_add(text, "%s", words.title);
    if (finding->where.line > 0)
        suite_add(text, ", at %s:%d", finding->where.file, finding->where.line);
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
    if (is->late.line > 0) {
        suite_add(text, " LATE=");
        suite_add_late(text, &is->late);
    }
    if (is->explore.on) {
        suite_add(text, " CHOICES=");
        suite_add_choices(text, &is->explore);
    }
    if (is->tile != SUITE_TILE)
        suite_add(text, " TILE=%zu", is->tile);
    add_device(text);
}

/* Adds the call: "scan_in_place on interval, 33 elements, sorted input, in place". */
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

/* Adds the information that other calls give about this one. */
static void add_context(struct suite_text *text, const struct suite_call *call)
{
    if (call->right_up_to > 0 && suite_lab->images) {
        suite_add(text, "all sizes before it are right, the last was ");
        suite_add_size(text, call->right_up_to);
        suite_add(text, "\n");
    } else if (call->right_up_to > 0)
        suite_add(text, "up to %zu element%s all is right\n", call->right_up_to,
                  call->right_up_to == 1 ? "" : "s");
    if (call->contrast) {
        suite_add_contrast(text, &call->right, &call->is);
        suite_add(text, ": the result depends on the order in which threads run\n");
    }
    if (call->history)
        suite_add(
            text,
            "the same call is right in a fresh process: %s\n"
            "try: look for static and __device__ variables, and for memory that is used before it is set\n",
            suite_options.on_cuda ? "earlier calls matter, or chance does (a race)" : "earlier calls matter");
    if (call->smaller && call->first.n != call->is.n) {
        suite_add(text, "first seen in: ");
        add_case(text, &call->first);
        suite_add(text, "\n");
    }
    suite_add(text, "%s%s", call->story, call->rows);
}

static void choose_findings(struct suite_words *words, const struct call_reply *reply)
{
    for (uint32_t i = 0; i < reply->findings && words->shown < SUITE_SHOWN_FINDINGS; i++)
        if (!reply->finding[i].warning || words->shown == 0)
            words->finding[words->shown++] = &reply->finding[i];
    words->more = reply->all_findings > words->shown ? reply->all_findings - words->shown : 0;
}

/* Copies the first lines of a text. */
static void copy_lines(struct suite_text *text, const char *lines, int most)
{
    while (*lines && most-- > 0) {
        const int length = (int)strcspn(lines, "\n");
        suite_add(text, "%.*s\n", length, lines);
        lines += length + (lines[length] == '\n');
    }
}

/* Does the call fail only because of who does the work? A replay judges that only if asked to. */
static bool fails_for_work(const struct suite_call *call)
{
    return call->measure == CALL_METERS_OF_SHARING && !call->statement[0] && !call->trouble[0] &&
           call->reply.all_findings == 0;
}

void suite_words(const struct suite_call *call, struct suite_words *words)
{
    memset(words, 0, sizeof *words);
    struct suite_text in = suite_text(words->in, sizeof words->in);
    struct suite_text context = suite_text(words->context, sizeof words->context);
    struct suite_text printed = suite_text(words->printed, sizeof words->printed);
    struct suite_text replay = suite_text(words->replay, sizeof words->replay);
    add_case(&in, &call->is);
    add_context(&context, call);
    copy_lines(&printed, call->printed, SHOWN_PRINTED);
    if (call->history) { /* a single call does not show it */
        suite_add(&replay, "make test LAB=%u PART=%s", suite_lab->number, call->is.part->name);
        add_device(&replay);
    } else
        suite_add_replay(&replay, &call->is);
    if (fails_for_work(call))
        suite_add(&replay, " JUDGE=work");
    choose_findings(words, &call->reply);
}
