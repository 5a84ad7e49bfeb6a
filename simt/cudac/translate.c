/* translate.c: rewrites launches, and walks over a file to find what to rewrite. See cudac.h.
 *
 * A launch `K<<<C>>>(A)` becomes
 *   simt::__launch(simt::config(C), [&](auto simt_tag) -> decltype(simt::__kernel_pointer(simt_tag, K))
 *       { return simt::__kernel_pointer(simt_tag, K); },
 *       [&](auto &&...simt_a) -> decltype(void(K(static_cast<decltype(simt_a)>(simt_a)...))) {},
 *       [&](auto... simt_a) { K(simt_a...); }, A)
 * on the lines that it had. C and A stay in place and may contain anything, even further launches. K appears four
 * times, each time without its comments and newlines. The result is one expression. */
#include "cudac.h"
#include "arch.h"
#include "cast.h"
#include "declare.h"
#include "edit.h"
#include "fragment.h"
#include "local.h"
#include "pairs.h"
#include "section.h"
#include "spaces.h"
#include "split.h"
#include <stdlib.h>
#include <string.h>

enum { CONFIG_MAX = 4, LAUNCH_WIDTH = 3 };

#define LAUNCH_HINT "kernel<<<blocks, threads>>>(arguments)"

/* One launch, as token indices. */
struct launch {
    size_t callee;    /* the first token of the kernel's name */
    size_t open;      /* <<< */
    size_t close;     /* the first > of >>> */
    size_t arguments; /* ( */
    size_t end;       /* ) */
};

static bool refuse(const struct unit *unit, size_t token, const char *message, const char *hint)
{
    return error_at(unit->error, unit->source, unit->list->tokens[token].start, message, hint);
}

/* ---- the kernel's name ----------------------------------------------------------------------------- */

/* Whether the token can end the name of a function or of a variable. No keyword can. */
static bool is_operand_name(const struct unit *unit, size_t i)
{
    static const char *const keywords[] = {
        "and",      "auto",     "bitand",    "bitor",    "bool",     "break",  "case",
        "char",     "co_await", "co_return", "co_yield", "compl",    "const",  "constexpr",
        "continue", "default",  "delete",    "do",       "double",   "else",   "float",
        "for",      "goto",     "if",        "int",      "long",     "new",    "not",
        "operator", "or",       "return",    "short",    "signed",   "sizeof", "static",
        "switch",   "template", "throw",     "typename", "unsigned", "using",  "void",
        "volatile", "while",    "xor",       "catch",    "noexcept", "try",    NULL};
    const struct token *token = &unit->list->tokens[i];

    return token->kind == TOKEN_IDENTIFIER && !token_is_one_of(unit->source, token, keywords);
}

/* Whether a ( or [ at token i continues an expression, as in a call or an index. */
static bool continues_expression(const struct unit *unit, size_t i)
{
    static const char *const heads[] = {"if", "for", "while", "switch", "catch", "constexpr", NULL};
    const struct token *tokens = unit->list->tokens;

    if (i == unit->first)
        return false;
    const struct token *before = &tokens[i - 1];
    if (before->mark == ']')
        return true;
    if (before->mark == '>')
        return before->partner != NO_TOKEN;
    if (before->mark != ')')
        return is_operand_name(unit, i - 1);
    size_t open = before->partner;
    if (open == NO_TOKEN || open < unit->first)
        return false;
    bool head = open > unit->first && token_is_one_of(unit->source, &tokens[open - 1], heads);
    bool cast = open + 2 == i - 1 && token_spells(unit->source, &tokens[open + 1], "void");
    return !head && !cast;
}

/* Whether the token before :: ends the name of a scope. If not, the :: begins a name. */
static bool has_scope_name(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    size_t open = tokens[i].partner;

    if (tokens[i].mark == '>')
        return open != NO_TOKEN;
    if (tokens[i].mark == ')')
        return open != NO_TOKEN && open > unit->first &&
               token_spells(unit->source, &tokens[open - 1], "decltype");
    return is_operand_name(unit, i);
}

/* Moves *i back from a name or > over its scopes, for example over all of `ns::template k` or `::k`. Returns true
 * when the token before them belongs to the expression too, as in `object.`. */
static bool step_over_scopes(const struct unit *unit, size_t *i)
{
    const struct token *tokens = unit->list->tokens;

    if (*i > unit->first + 1 && token_spells(unit->source, &tokens[*i - 1], "template"))
        --*i;
    if (*i == unit->first)
        return false;
    switch (tokens[*i - 1].mark) {
    case MARK_PASTE:
    case MARK_ARROW:
    case '.':
        --*i;
        return true;
    case MARK_SCOPE:
        --*i;
        return *i > unit->first && has_scope_name(unit, *i - 1);
    default:
        return false;
    }
}

/* Finds the first token of the postfix expression that ends just before token `end`. */
static bool find_callee(const struct unit *unit, size_t end, size_t *callee)
{
    const struct token *tokens = unit->list->tokens;
    size_t i = end;

    while (i > unit->first) {
        const struct token *last = &tokens[i - 1];
        bool bracket = last->mark == ')' || last->mark == ']' || last->mark == '>';

        if (bracket) {
            if (last->partner == NO_TOKEN || last->partner < unit->first)
                return false;
            bool empty = last->partner == i - 2;
            i = last->partner;
            if (last->mark != '>') {
                if (continues_expression(unit, i))
                    continue;
                *callee = i;
                bool of_launch = i > unit->first && tokens[i - 1].mark == '>'; /* o<<<1, 1>>>(k)<<< */
                return last->mark == ')' && !empty && !of_launch;
            }
        }
        if (i == unit->first || !is_operand_name(unit, i - 1))
            return false;
        i--;
        if (!step_over_scopes(unit, &i)) {
            *callee = i;
            return true;
        }
    }
    return false;
}

/* Adds tokens [from, to) on one line, without comments, and with a space where the source has any white space. */
static void add_callee(struct text *text, const struct unit *unit, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct token *token = &unit->list->tokens[i];
        if (i > from && token->space_before)
            text_add_string(text, " ");
        for (size_t at = skip_continuations(unit->source, token->start, token->end); at < token->end;
             at = skip_continuations(unit->source, at + 1, token->end))
            text_add(text, unit->source + at, 1);
    }
}

/* Whether tokens [from, to) can be copied to another place. */
static bool check_callee(const struct unit *unit, size_t from, size_t to)
{
    static const char *const storage[] = {"__shared__", "__device__", NULL};

    for (size_t i = from; i < to; i++) {
        const struct token *token = &unit->list->tokens[i];
        bool long_literal = token->kind == TOKEN_LITERAL &&
                            memchr(unit->source + token->start, '\n', token->end - token->start);
        if (token->mark == MARK_LAUNCH || token->kind == TOKEN_DIRECTIVE || long_literal ||
            token_is_one_of(unit->source, token, storage))
            return refuse(unit, i, "this cannot stand within the name of the kernel that a launch starts",
                          "put the kernel's address into a variable first");
    }
    return true;
}

/* ---- configuration and arguments ------------------------------------------------------------------- */

/* Checks that one to four arguments are between <<< and >>>, none of them empty. */
static bool check_config(const struct unit *unit, const struct launch *launch)
{
    const struct token *tokens = unit->list->tokens;
    size_t arguments = 1, argument_start = launch->open + 1;

    if (argument_start == launch->close)
        return refuse(unit, launch->open, "this launch has nothing between '<<<' and '>>>'", LAUNCH_HINT);
    for (size_t i = argument_start; i < launch->close; i = next_token(unit, i))
        if (tokens[i].kind == TOKEN_DIRECTIVE)
            return true; /* an #if decides how many arguments there are */
    for (size_t i = argument_start;; i = next_token(unit, i)) {
        if (i < launch->close && tokens[i].mark != ',')
            continue;
        if (i == argument_start)
            return refuse(unit, i, "an argument between '<<<' and '>>>' is empty", LAUNCH_HINT);
        if (i >= launch->close)
            return true;
        if (++arguments > CONFIG_MAX)
            return refuse(unit, i + 1 < launch->close ? i + 1 : i,
                          "more than 4 arguments between '<<<' and '>>>'",
                          "kernel<<<blocks, threads, shared_bytes, stream>>>(arguments)");
        argument_start = i + 1;
    }
}

/* Replaces each argument that is just 0 or NULL by simt::__zero{}, which becomes a pointer or a number, as the kernel
 * needs it. */
static void replace_zeros(const struct unit *unit, const struct launch *launch)
{
    const struct token *tokens = unit->list->tokens;

    for (size_t i = launch->arguments + 1; i < launch->end; i = next_token(unit, i)) {
        bool alone = (i == launch->arguments + 1 || tokens[i - 1].mark == ',') &&
                     (i + 1 == launch->end || tokens[i + 1].mark == ',');
        if (!alone ||
            !(token_spells(unit->source, &tokens[i], "0") || token_spells(unit->source, &tokens[i], "NULL")))
            continue;
        struct text zero = {0};
        text_add_string(&zero, "simt::__zero{}");
        text_add_newlines(&zero, unit->source, tokens[i].start, tokens[i].end, unit->in_definition);
        edit_replace(unit->edits, tokens[i].start, tokens[i].end, &zero);
    }
}

/* Wraps each argument {a, b}, which has no type of its own, in a simt::__braced, which makes the kernel's parameter
 * from it. */
static void wrap_braces(const struct unit *unit, const struct launch *launch)
{
    const struct token *tokens = unit->list->tokens;

    for (size_t i = launch->arguments + 1; i < launch->end; i = next_token(unit, i)) {
        if (tokens[i].mark != '{' || tokens[i].partner == NO_TOKEN ||
            (i != launch->arguments + 1 && tokens[i - 1].mark != ','))
            continue;
        edit_insert(unit->edits, tokens[i].start,
                    "simt::__braced([&](auto simt_type) -> typename decltype(simt_type)::type { return ");
        edit_insert(unit->edits, tokens[tokens[i].partner].end, "; })");
    }
}

/* Returns the text between the lambdas and the arguments. */
static const char *separator(const struct unit *unit, const struct launch *launch)
{
    size_t first = launch->arguments + 1;

    if (first == launch->end)
        return "";
    if (first + 1 == launch->end && token_spells(unit->source, &unit->list->tokens[first], "__VA_ARGS__"))
        return "__VA_OPT__(,) "; /* a macro's variable arguments may be empty */
    return ", ";
}

/* ---- launches -------------------------------------------------------------------------------------- */

/* Finds the parts of the launch whose <<< is token `open`. */
static bool find_launch(const struct unit *unit, size_t open, struct launch *launch)
{
    const struct token *tokens = unit->list->tokens;

    launch->open = open;
    if (tokens[open + 1].mark == MARK_LAUNCH && !tokens[open + 1].space_before)
        return refuse(unit, open, "this looks like the mark of a merge conflict",
                      "keep one of the two versions");
    if (!find_callee(unit, open, &launch->callee))
        return refuse(unit, open, "no kernel stands before this '<<<'", LAUNCH_HINT);
    launch->close = tokens[open].partner;
    if (launch->close == NO_TOKEN)
        return refuse(unit, open, "this '<<<' is never closed by '>>>'", LAUNCH_HINT);
    if (!check_callee(unit, launch->callee, open) || !check_config(unit, launch))
        return false;
    launch->arguments = launch->close + LAUNCH_WIDTH;
    if (tokens[launch->arguments].mark != '(')
        return error_at(unit->error, unit->source, tokens[launch->arguments - 1].end,
                        "this launch has no argument list after '>>>'",
                        "kernel<<<blocks, threads>>>() when it takes none");
    launch->end = tokens[launch->arguments].partner;
    if (launch->end == NO_TOKEN)
        return refuse(unit, launch->arguments, "this argument list is never closed",
                      "add ) at its end, on the same side of any #if");
    return true;
}

static bool rewrite_launch(const struct unit *unit, size_t open)
{
    const struct token *tokens = unit->list->tokens;
    struct launch launch = {0};
    struct text head = {0}, tail = {0}, comma = {0};

    if (!find_launch(unit, open, &launch))
        return false;

    text_add_string(&head, "simt::__launch(");
    text_add_newlines(&head, unit->source, tokens[launch.callee].start, tokens[open].end,
                      unit->in_definition);
    text_add_string(&head, "simt::config(");
    edit_replace(unit->edits, tokens[launch.callee].start, tokens[open].end, &head);

    size_t last = launch.close + LAUNCH_WIDTH - 1;
    text_add_string(&tail, "), [&](auto simt_tag) -> decltype(simt::__kernel_pointer(simt_tag, ");
    add_callee(&tail, unit, launch.callee, open);
    text_add_string(&tail, ")) { return simt::__kernel_pointer(simt_tag, ");
    add_callee(&tail, unit, launch.callee, open);
    text_add_string(&tail, "); }, [&](auto &&...simt_a) -> decltype(void(");
    add_callee(&tail, unit, launch.callee, open);
    text_add_string(&tail, "(static_cast<decltype(simt_a)>(simt_a)...))) {}, [&](auto... simt_a) { ");
    add_callee(&tail, unit, launch.callee, open);
    text_add_string(&tail, "(simt_a...); }");
    text_add_newlines(&tail, unit->source, tokens[launch.close].start, tokens[last].end, unit->in_definition);
    edit_replace(unit->edits, tokens[launch.close].start, tokens[last].end, &tail);

    text_add_string(&comma, separator(unit, &launch));
    edit_replace(unit->edits, tokens[launch.arguments].start, tokens[launch.arguments].end, &comma);
    replace_zeros(unit, &launch);
    wrap_braces(unit, &launch);
    return true;
}

/* ---- the walk -------------------------------------------------------------------------------------- */

static bool rewrite_definition(const struct unit *unit, const struct token *directive);

/* Returns the length of the name in `#include "name"` or `#include <name>` and sets *start to where it begins; returns
 * 0 for another directive. */
static size_t included_name(const char *source, const struct token *directive, size_t *start)
{
    size_t at = directive->start + 1;

    while (at < directive->end && strchr(" \t", source[at]))
        at++;
    if (directive->end - at < strlen("include") || memcmp(source + at, "include", strlen("include")) != 0)
        return 0;
    at += strlen("include");
    while (at < directive->end && strchr(" \t", source[at]))
        at++;
    if (at >= directive->end || (source[at] != '"' && source[at] != '<'))
        return 0;
    const char *end = memchr(source + at + 1, source[at] == '<' ? '>' : '"', directive->end - at - 1);
    *start = at + 1;
    return end ? (size_t)(end - source) - *start : 0;
}

static bool rewrite_include(const struct unit *unit, const struct token *directive)
{
    size_t start, length;

    if (!unit->headers || !(length = included_name(unit->source, directive, &start)))
        return true;
    char *spelled = strndup(unit->source + start, length);
    if (!spelled)
        return error_no_memory(unit->error);
    const bool quoted = unit->source[start - 1] == '"';
    const char *path = unit->headers->find(unit->headers->context, spelled, quoted, unit->error);
    free(spelled);
    if (!path)
        return !unit->error->message;
    struct text text = {0};
    text_add_string(&text, "\"");
    text_add_string(&text, path);
    text_add_string(&text, "\"");
    edit_replace(unit->edits, start - 1, start + length + 1, &text);
    return true;
}

/* Rewrites everything in the unit's tokens. */
static bool rewrite(const struct unit *unit)
{
    static const char *const storage[] = {"extern", "__shared__", NULL};
    static const char *const other_global[] = {"__constant__", "__managed__", NULL};
    static const char *const of_device[] = {"__device__", "__constant__", "__managed__", NULL};
    const struct token *tokens = unit->list->tokens;
    size_t storage_done = 0, device_done = 0; /* earlier tokens belong to a declaration that is done */
    bool other_space = false;                 /* since the last ; { or } */
    struct local_walk local = {.depth = 0};
    struct spaces_walk spaces = {.start = unit->first};

    for (size_t i = unit->first; tokens[i].kind != TOKEN_END; i++) {
        bool good = spaces_step(unit, &spaces, i);

        if (!good)
            return false;
        local_step(unit, &local, i);
        if (tokens[i].mark == MARK_LAUNCH)
            good = rewrite_fragment(unit, i) || rewrite_launch(unit, i);
        else if (tokens[i].mark == MARK_DEFINE)
            good = rewrite_definition(unit, &tokens[i]);
        else if (tokens[i].mark == MARK_IF)
            choose_by_device(unit, &local, i);
        else if (tokens[i].mark == MARK_OTHER_DIRECTIVE)
            good = rewrite_include(unit, &tokens[i]);
        else if (tokens[i].mark == ';' || tokens[i].mark == '{' || tokens[i].mark == '}')
            other_space = false;
        else if (is_launch_function(unit, i))
            drop_kernel_cast(unit, i);
        else if (tokens[i].mark == '=')
            keep_kernel_type(unit, i);
        else if (i >= storage_done && token_is_one_of(unit->source, &tokens[i], storage))
            good = declare_shared(unit, i, &storage_done);
        else if (token_spells(unit->source, &tokens[i], "static"))
            mark_static(unit, &local, i);
        else if (token_is_one_of(unit->source, &tokens[i], other_global) ||
                 (i >= device_done && token_spells(unit->source, &tokens[i], "__device__") &&
                  declares_variable(unit, i, other_space, &device_done)))
            mark_variable(unit, &local, i);
        if (token_is_one_of(unit->source, &tokens[i], of_device))
            split_declaration(unit, i);
        other_space = other_space || names_other_space(unit->source, &tokens[i]);
        if (!good)
            return false;
    }
    return true;
}

/* Returns the first token of a macro's replacement, which follows its name and parameters. */
static size_t replacement_start(const struct token_list *list)
{
    const struct token *tokens = list->tokens;

    if (tokens[0].kind == TOKEN_END)
        return 0;
    if (tokens[1].mark == '(' && !tokens[1].space_before && tokens[1].partner != NO_TOKEN)
        return tokens[1].partner + 1;
    return 1;
}

static bool rewrite_definition(const struct unit *unit, const struct token *directive)
{
    struct token_list list = {0};
    struct unit inner = {.source = unit->source,
                         .list = &list,
                         .in_definition = true,
                         .edits = unit->edits,
                         .error = unit->error};
    bool good = lex_definition(unit->source, directive, &list, unit->error) &&
                pair_tokens(unit->source, &list, unit->error);

    if (good) {
        inner.first = replacement_start(&list);
        good = rewrite(&inner);
    }
    token_list_free(&list);
    return good;
}

/* Whether a special function of C++17's <cmath> follows std:: anywhere. */
static bool uses_special_function(const char *source, const struct token_list *list)
{
    static const char *const functions[] = {"assoc_laguerre", "assoc_legendre",
                                            "beta",           "comp_ellint_1",
                                            "comp_ellint_2",  "comp_ellint_3",
                                            "cyl_bessel_i",   "cyl_bessel_j",
                                            "cyl_bessel_k",   "cyl_neumann",
                                            "ellint_1",       "ellint_2",
                                            "ellint_3",       "expint",
                                            "hermite",        "laguerre",
                                            "legendre",       "riemann_zeta",
                                            "sph_bessel",     "sph_legendre",
                                            "sph_neumann",    NULL};
    const struct token *tokens = list->tokens;

    for (size_t i = 2; i < list->count; i++)
        if (tokens[i - 1].mark == MARK_SCOPE && token_spells(source, &tokens[i - 2], "std") &&
            token_is_one_of(source, &tokens[i], functions))
            return true;
    return false;
}

char *cudac_translate(const char *source, size_t size, const char *name, const struct cudac_headers *headers,
                      size_t *output_size, struct cudac_error *error)
{
    struct token_list list = {0};
    struct edit_list edits = {0};
    struct text output = {0};
    struct unit unit = {.list = &list, .headers = headers, .edits = &edits, .error = error};

    *error = (struct cudac_error){0};
    skip_byte_order_mark(&source, &size);
    unit.source = source;
    bool good = lex_file(source, size, &list, error);
    text_add_string(&output, good && uses_special_function(source, &list)
                                 ? "#include \"simt_std_special.h\"\n"
                                 : "#include \"cuda_runtime.h\"\n");
    text_add_line_directive(&output, name);
    good = good && pair_tokens(source, &list, error) && rewrite(&unit) &&
           edit_apply(&edits, source, size, &output, error);
    edit_list_free(&edits);
    token_list_free(&list);
    if (!good) {
        free(output.bytes);
        return NULL;
    }
    *output_size = output.length;
    return output.bytes;
}
