/* pairs.c: see pairs.h. One pass over the tokens keeps a stack of what is open. Every entry is pushed and popped
 * once, so the time is linear. */
#include "pairs.h"
#include <stdlib.h>

enum { LAUNCH_WIDTH = 3 };

/* An open ( [ { <<< or a < that may turn out to be a less-than. */
struct open {
    size_t token;
    size_t candidate; /* of a <<<: a >>> that was taken for the end of three templates; or NO_TOKEN */
    size_t angles;    /* of a bracket: how many < were directly above the bracket below it */
    bool in_launch;   /* of a bracket: whether a <<< is open below it */
};

struct pairing {
    const char *source;
    struct token *tokens;
    struct open *stack;
    size_t depth, capacity;
    size_t angles;      /* < entries above the topmost bracket */
    size_t *conditions; /* the depth at each open #if */
    size_t condition_count, condition_capacity;
    struct cudac_error *error;
};

size_t greater_run(const struct token_list *list, size_t i)
{
    size_t run = 0;

    while (list->tokens[i + run].mark == '>' && (run == 0 || !list->tokens[i + run].space_before))
        run++;
    return run;
}

/* nvcc reads `<< <` as `<<<`. Old programs have it where a C++ formatter has changed their layout. */
static void join_spaced_openings(const char *source, struct token_list *list)
{
    struct token *tokens = list->tokens;
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        tokens[kept] = tokens[i];
        const bool of_operator = i > 0 && token_spells(source, &tokens[i - 1], "operator");
        if (tokens[i].mark == MARK_SHIFT && !of_operator && i + 1 < list->count &&
            tokens[i + 1].mark == '<') {
            tokens[kept].mark = MARK_LAUNCH;
            tokens[kept].end = tokens[++i].end;
        }
        kept++;
    }
    list->count = kept;
}

/* The same for `>> >` at the end of a launch whose template arguments are closed. */
static bool is_spaced_closing(const struct token_list *list, size_t i)
{
    const struct token *tokens = &list->tokens[i];

    return greater_run(list, i) == LAUNCH_WIDTH - 1 && tokens[LAUNCH_WIDTH - 1].mark == '>' &&
           tokens[LAUNCH_WIDTH].mark == '(';
}

/* ---- the stack ------------------------------------------------------------------------------------- */

static struct open *top(struct pairing *pairing)
{
    return pairing->depth ? &pairing->stack[pairing->depth - 1] : NULL;
}

static int top_mark(struct pairing *pairing)
{
    return pairing->depth ? pairing->tokens[top(pairing)->token].mark : MARK_NONE;
}

static bool open_bracket(struct pairing *pairing, size_t token)
{
    if (pairing->depth == pairing->capacity) {
        size_t capacity = pairing->capacity ? pairing->capacity * 2 : 64;
        struct open *grown = realloc(pairing->stack, capacity * sizeof *grown);
        if (!grown)
            return error_no_memory(pairing->error);
        pairing->stack = grown;
        pairing->capacity = capacity;
    }
    struct open *below = top(pairing);
    bool in_launch = below && (below->in_launch || top_mark(pairing) == MARK_LAUNCH);
    pairing->stack[pairing->depth++] = (struct open){
        .token = token, .candidate = NO_TOKEN, .angles = pairing->angles, .in_launch = in_launch};
    pairing->angles = pairing->tokens[token].mark == '<' ? pairing->angles + 1 : 0;
    return true;
}

/* Pops the topmost entry and pairs it with `partner`, unless that is NO_TOKEN. */
static void close_top(struct pairing *pairing, size_t partner)
{
    struct open *entry = top(pairing);

    pairing->angles = entry->angles;
    pairing->depth--;
    pairing->tokens[entry->token].partner = partner;
    if (partner != NO_TOKEN)
        pairing->tokens[partner].partner = entry->token;
}

/* Pops all < entries at the top, because they were less-thans. */
static void drop_angles(struct pairing *pairing)
{
    while (top_mark(pairing) == '<')
        close_top(pairing, NO_TOKEN);
}

/* Pops < and <<< entries down to a ( [ or {. A <<< is paired with its candidate, if it has one. */
static void drop_to_bracket(struct pairing *pairing)
{
    for (;;) {
        drop_angles(pairing);
        if (top_mark(pairing) != MARK_LAUNCH)
            return;
        close_top(pairing, top(pairing)->candidate);
    }
}

/* ---- what each token does -------------------------------------------------------------------------- */

static void close_bracket(struct pairing *pairing, size_t token)
{
    int closer = pairing->tokens[token].mark;
    int opener = closer == ')' ? '(' : closer == ']' ? '[' : '{';

    drop_to_bracket(pairing);
    while (pairing->depth && top_mark(pairing) != opener && top_mark(pairing) != '{') {
        close_top(pairing, NO_TOKEN); /* a ( closed by ] or }: it stays without a partner */
        drop_to_bracket(pairing);
    }
    if (top_mark(pairing) == opener)
        close_top(pairing, token);
}

/* Handles a run of > at token i, which ends template arguments, ends a launch, or is an operator. */
static bool close_angles(struct pairing *pairing, size_t i, size_t run)
{
    const struct token *tokens = pairing->tokens, *after = &tokens[i + run];
    size_t open = pairing->angles, launch_at = i + run - LAUNCH_WIDTH;
    struct open *bracket = pairing->depth > open ? &pairing->stack[pairing->depth - 1 - open] : NULL;
    bool launch = bracket && tokens[bracket->token].mark == MARK_LAUNCH;
    size_t closing = open < run ? open : run;

    if (run == 1 && after->mark == '=' && !after->space_before)
        return true; /* >= */
    if (launch && run >= LAUNCH_WIDTH) {
        if (open >= run)
            bracket->candidate = launch_at;
        else if (closing > run - LAUNCH_WIDTH)
            closing = run - LAUNCH_WIDTH;
    } else if (run >= LAUNCH_WIDTH && open == 0 && after->mark == '(' &&
               !(i > 0 && token_spells(pairing->source, &tokens[i - 1], "operator"))) {
        if (bracket && bracket->in_launch)
            return error_at(pairing->error, pairing->source, tokens[bracket->token].start,
                            "this bracket is not closed before the '>>>' of its launch", NULL);
        return error_at(pairing->error, pairing->source, tokens[i].start, "this '>>>' has no '<<<' before it",
                        "kernel<<<blocks, threads>>>(arguments), whole on one side of any #if");
    }
    for (size_t k = 0; k < closing && top_mark(pairing) == '<'; k++)
        close_top(pairing, i + k);
    if (launch && run >= LAUNCH_WIDTH && open < run) {
        drop_angles(pairing);
        close_top(pairing, launch_at);
    }
    return true;
}

/* Every branch of an #if begins with the brackets that were open before it. */
static bool follow_condition(struct pairing *pairing, int mark)
{
    if (mark == MARK_IF) {
        if (pairing->condition_count == pairing->condition_capacity) {
            size_t capacity = pairing->condition_capacity ? pairing->condition_capacity * 2 : 16;
            size_t *grown = realloc(pairing->conditions, capacity * sizeof *grown);
            if (!grown)
                return error_no_memory(pairing->error);
            pairing->conditions = grown;
            pairing->condition_capacity = capacity;
        }
        pairing->conditions[pairing->condition_count++] = pairing->depth;
    } else if (mark == MARK_ELSE && pairing->condition_count) {
        while (pairing->depth > pairing->conditions[pairing->condition_count - 1])
            close_top(pairing, NO_TOKEN);
    } else if (mark == MARK_ENDIF && pairing->condition_count) {
        pairing->condition_count--;
    }
    return true;
}

static bool follow_token(struct pairing *pairing, const struct token_list *list, size_t *i)
{
    const struct token *tokens = list->tokens;
    int mark = tokens[*i].mark;

    switch (mark) {
    case '(':
    case '[':
    case '{':
    case MARK_LAUNCH:
        return open_bracket(pairing, *i);
    case ')':
    case ']':
    case '}':
        close_bracket(pairing, *i);
        return true;
    case '<':
        if (*i > 0 && tokens[*i - 1].kind == TOKEN_IDENTIFIER &&
            !token_spells(pairing->source, &tokens[*i - 1], "operator"))
            return open_bracket(pairing, *i);
        return true;
    case '>': {
        size_t run = greater_run(list, *i);
        if (top_mark(pairing) == MARK_LAUNCH && is_spaced_closing(list, *i))
            run = LAUNCH_WIDTH;
        if (!close_angles(pairing, *i, run))
            return false;
        *i += run - 1;
        return true;
    }
    case ';':
        drop_to_bracket(pairing);
        return true;
    default:
        return tokens[*i].kind != TOKEN_DIRECTIVE || follow_condition(pairing, mark);
    }
}

bool pair_tokens(const char *source, struct token_list *list, struct cudac_error *error)
{
    struct pairing pairing = {.source = source, .tokens = list->tokens, .error = error};
    bool paired = true;

    join_spaced_openings(source, list);
    for (size_t i = 0; paired && i < list->count; i++)
        paired = follow_token(&pairing, list, &i);
    while (paired && pairing.depth) {
        drop_to_bracket(&pairing);
        if (pairing.depth)
            close_top(&pairing, NO_TOKEN);
    }
    free(pairing.stack);
    free(pairing.conditions);
    return paired;
}
