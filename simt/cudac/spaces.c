/* spaces.c: see spaces.h. The replacements of macros are not checked, because they may be used anywhere. */
#include "spaces.h"
#include <string.h>

bool cudac_relaxed_constexpr;

enum { DECLARATION_TOKENS = 512 }; /* the most tokens read of one declaration: the time stays linear */

static bool is_word(const struct unit *unit, size_t i, const char *word)
{
    return token_spells(unit->source, &unit->list->tokens[i], word);
}

static bool has_word(const struct unit *unit, size_t from, size_t to, const char *word)
{
    for (size_t i = from; i < to && i < from + DECLARATION_TOKENS; i++)
        if (is_word(unit, i, word))
            return true;
    return false;
}

static bool refuse(const struct unit *unit, size_t i, const char *message, const char *hint)
{
    return error_at(unit->error, unit->source, unit->list->tokens[i].start, message, hint);
}

/* Returns the ; or {, or if `value` is true also the =, that ends what token i begins. */
static size_t find_end(const struct unit *unit, size_t i, bool value)
{
    const struct token *tokens = unit->list->tokens;
    size_t end = i;

    while (end < i + DECLARATION_TOKENS && tokens[end].kind != TOKEN_END && tokens[end].mark != ';' &&
           tokens[end].mark != '{' && !(value && tokens[end].mark == '='))
        end = next_token(unit, end);
    return end;
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

static struct spaces_block current_block(const struct spaces_walk *walk)
{
    unsigned depth = walk->depth < SPACES_DEPTH ? walk->depth : SPACES_DEPTH;
    return depth ? walk->blocks[depth - 1] : (struct spaces_block){.scope = SCOPE_NAMESPACE};
}

/* Returns the first ( of the declaration in tokens [from, to) that encloses parameters; NO_TOKEN when none does. */
static size_t find_parameters(const struct unit *unit, size_t from, size_t to)
{
    const struct token *tokens = unit->list->tokens;

    for (size_t i = from; i < to && i < from + DECLARATION_TOKENS;) {
        size_t skipped = skip_bracketed(unit, i);
        if (tokens[i].mark == '=')
            return NO_TOKEN;
        if (tokens[i].mark == '(')
            return i;
        i = skipped != i ? skipped : next_token(unit, i);
    }
    return NO_TOKEN;
}

static bool names_record(const struct unit *unit, size_t from, size_t to)
{
    return has_word(unit, from, to, "struct") || has_word(unit, from, to, "class") ||
           has_word(unit, from, to, "union");
}

/* Whether the function whose declaration is in tokens [from, to) returns a number. */
static bool returns_number(const struct unit *unit, size_t from, size_t to)
{
    static const char *const numbers[] = {"int",  "unsigned", "float", "double", "bool",
                                          "char", "long",     "short", "size_t", NULL};
    for (size_t i = from; i < to && i < from + DECLARATION_TOKENS;) {
        const size_t skipped = skip_bracketed(unit, i);
        if (skipped == i && token_is_one_of(unit->source, &unit->list->tokens[i], numbers))
            return true;
        i = skipped != i ? skipped : next_token(unit, i);
    }
    return false;
}

/* Whether the { at token i begins the body of a lambda. */
static bool opens_lambda(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    if (i == unit->first)
        return false;
    const size_t before =
        tokens[i - 1].mark == ')' && tokens[i - 1].partner != NO_TOKEN ? tokens[i - 1].partner : i;
    return before > unit->first && tokens[before - 1].mark == ']';
}

/* Describes the block that the { at token i opens. */
static struct spaces_block open_block(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    struct spaces_block outer = current_block(walk), block = outer;
    const size_t parameters = find_parameters(unit, walk->start, i);
    const bool has_parameters = parameters != NO_TOKEN;

    block.parentheses = walk->parentheses;
    if (names_record(unit, walk->start, i) && !has_parameters && !has_word(unit, walk->start, i, "enum")) {
        block.scope = SCOPE_RECORD;
    } else if (outer.scope != SCOPE_FUNCTION && has_parameters) {
        bool device = has_word(unit, walk->start, i, "__device__");
        bool kernel = has_word(unit, walk->start, i, "__global__");
        block.scope = SCOPE_FUNCTION;
        block.on_device = device || kernel;
        block.on_host = has_word(unit, walk->start, i, "__host__") || !block.on_device;
        block.number = returns_number(unit, walk->start, parameters);
    } else if (i == walk->lambda.body) {
        block.on_device = walk->lambda.on_device;
        block.on_host = walk->lambda.on_host;
        block.number = false;
    } else if (opens_lambda(unit, i)) {
        block.number = false;
    }
    return block;
}

static void follow_blocks(const struct unit *unit, struct spaces_walk *walk, size_t i)
{
    const int mark = unit->list->tokens[i].mark;

    if (mark == MARK_IF) {
        walk->conditions++;
    } else if (mark == MARK_ENDIF) {
        walk->conditions -= walk->conditions > 0;
    } else if (mark == '(') {
        walk->parentheses++;
    } else if (mark == ')') {
        walk->parentheses -= walk->parentheses > 0;
    } else if (mark == '{') {
        struct spaces_block block = open_block(unit, walk, i);
        if (walk->depth++ < SPACES_DEPTH)
            walk->blocks[walk->depth - 1] = block;
        walk->parentheses = 0;
    } else if (mark == '}' && walk->depth > 0) {
        if (--walk->depth < SPACES_DEPTH)
            walk->parentheses = walk->blocks[walk->depth].parentheses;
    }
    bool label = mark == ':' && current_block(walk).scope == SCOPE_RECORD && i == walk->start + 1;
    if ((mark == ';' && walk->parentheses == 0) || mark == '{' || mark == '}' || label ||
        unit->list->tokens[i].kind == TOKEN_DIRECTIVE)
        walk->start = i + 1;
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

/* Whether the declaration at token i gives its variables values: `= 3`, `{}`. */
static bool is_initialized(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    bool record = false;

    for (size_t limit = i + DECLARATION_TOKENS;
         i < limit && tokens[i].mark != ';' && tokens[i].kind != TOKEN_END && tokens[i].mark != '}';
         i = next_token(unit, i)) {
        if (tokens[i].mark == '=' || (tokens[i].mark == '{' && !record))
            return true;
        record = names_record(unit, i, i + 1) || (record && tokens[i].mark != '{');
    }
    return false;
}

static bool check_shared(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    struct spaces_block block = current_block(walk);
    bool is_extern = has_word(unit, walk->start, i, "extern") || is_word(unit, i + 1, "extern");

    if (walk->parentheses > 0)
        return true;
    if (block.scope == SCOPE_FUNCTION && block.on_host && !is_extern)
        return refuse(unit, i, "a __shared__ variable stands in a function that runs on the host",
                      "declare it in the kernel, or in a function that is __device__ only");
    if (block.scope != SCOPE_RECORD && is_initialized(unit, i + 1))
        return refuse(unit, i, "a __shared__ variable cannot have an initializer",
                      "let a thread store the value, and __syncthreads() before others read it");
    return true;
}

/* Checks a variable in global memory, which must belong to the file. */
static bool check_global_memory(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    struct spaces_block block = current_block(walk);
    size_t end = find_end(unit, i, true);

    bool is_static = has_word(unit, walk->start, end, "static");
    if (walk->parentheses > 0 || find_parameters(unit, walk->start, end) != NO_TOKEN ||
        has_word(unit, walk->start, end, "__shared__"))
        return true;
    if (block.scope == SCOPE_FUNCTION && !is_static && !has_word(unit, walk->start, end, "extern"))
        return refuse(unit, i, "a __device__ or __constant__ variable is declared within a function",
                      "declare it before the function, at the file's level");
    if (block.scope == SCOPE_RECORD && is_static)
        return refuse(unit, i, "a member of a class cannot be a __device__ or __constant__ variable",
                      "declare it outside of the class");
    return true;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

/* Whether the parameters between tokens `open` and `close` end with `, ...`. */
static bool is_variadic(const struct unit *unit, size_t open, size_t close)
{
    const struct token *tokens = unit->list->tokens, *last = &tokens[close - 1];

    return close > open + 1 && last->mark == MARK_OPERATOR && unit->source[last->start] == '.' &&
           (last[-1].mark == ',' || last[-1].mark == '(' || last[-1].kind == TOKEN_IDENTIFIER) &&
           !has_word(unit, open - 1, open, "typename");
}

static bool takes_rvalue_reference(const struct unit *unit, size_t open, size_t close)
{
    for (size_t i = open + 1; i < close; i = next_token(unit, i))
        if (unit->list->tokens[i].mark == MARK_OPERATOR && unit->source[unit->list->tokens[i].start] == '&')
            return true;
    return false;
}

/* Whether the type of the function declared by the tokens from `begin` on, before its parameters at `open`, is `auto`. A
 * template's parameter may be one. */
static bool has_type_auto(const struct unit *unit, size_t begin, size_t open)
{
    const struct token *tokens = unit->list->tokens;

    for (size_t i = begin; i < open; i++) {
        if (tokens[i].mark == '<' && tokens[i].partner != NO_TOKEN)
            i = tokens[i].partner;
        else if (is_word(unit, i, "auto"))
            return true;
    }
    return false;
}

static bool check_kernel(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    size_t end = find_end(unit, i, false);
    size_t open = find_parameters(unit, walk->start, end);
    if (walk->parentheses > 0 || open == NO_TOKEN || tokens[open].partner == NO_TOKEN)
        return true;
    size_t close = tokens[open].partner;
    bool is_template = has_word(unit, walk->start, open, "template");

    if (current_block(walk).scope == SCOPE_RECORD && !has_word(unit, walk->start, open, "friend"))
        return refuse(unit, i, "a kernel cannot be a member of a class",
                      "make it a function of its own, and pass the object to it");
    if (has_word(unit, walk->start, open, "__device__") || has_word(unit, walk->start, open, "__host__"))
        return refuse(unit, i, "a function cannot be __global__ and __device__ or __host__ as well",
                      "a kernel that calls a __device__ function, both with the same work");
    if (has_word(unit, walk->start, open, "constexpr"))
        return refuse(unit, i, "a kernel cannot be constexpr", "leave out constexpr");
    if (has_type_auto(unit, walk->start, open) && tokens[close + 1].mark != MARK_ARROW)
        return refuse(unit, i, "a kernel's type has to be written: void", "__global__ void name(...)");
    if (is_variadic(unit, open, close) && !is_template)
        return refuse(unit, i, "a kernel cannot take a variable number of arguments", "name each parameter");
    if (takes_rvalue_reference(unit, open, close) && !is_template)
        return refuse(unit, i, "a kernel cannot take an rvalue reference", "pass the value itself");
    return true;
}

static bool check_launch_bounds(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    size_t end = find_end(unit, i, false);

    if (has_word(unit, walk->start, end, "__global__") || end == i + 1)
        return true;
    return refuse(unit, i, "__launch_bounds__ is for kernels only", "write __global__ before the function");
}

/* ---- texture references ---------------------------------------------------------------------------------------- */

/* Whether the source defines a type with the name at token i, or, if `of_cuda` is true, calls one of CUDA's
 * functions for textures. */
static bool unit_has(const struct unit *unit, size_t i, bool of_cuda)
{
    static const char *const records[] = {"struct", "class", "union", "using", NULL};
    static const char *const calls[] = {"tex1Dfetch",
                                        "tex1D",
                                        "tex2D",
                                        "tex3D",
                                        "surf2Dread",
                                        "surf2Dwrite",
                                        "cudaBindTexture",
                                        "cudaBindTexture2D",
                                        "cudaUnbindTexture",
                                        "cudaBindTextureToArray",
                                        "cudaBindSurfaceToArray",
                                        NULL};
    const struct token *tokens = unit->list->tokens;
    const struct token *name = &tokens[i];

    for (size_t at = 0; at + 1 < unit->list->count; at++) {
        if (of_cuda ? token_is_one_of(unit->source, &tokens[at], calls)
                    : token_is_one_of(unit->source, &tokens[at], records) &&
                          tokens[at + 1].end - tokens[at + 1].start == name->end - name->start &&
                          strncmp(unit->source + tokens[at + 1].start, unit->source + name->start,
                                  name->end - name->start) == 0)
            return true;
    }
    return false;
}

/* Whether token i begins `texture<float, 1, cudaReadModeElementType> name`, as CUDA had it until version 12. A
 * program may have a template with that name; the second argument, or the functions that the source calls, show the
 * difference. */
static bool is_reference(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    const size_t close = tokens[i + 1].partner;
    size_t at = i + 2;

    if (tokens[i + 1].mark != '<' || close == NO_TOKEN || tokens[close + 1].kind != TOKEN_IDENTIFIER ||
        (i > unit->first && tokens[i - 1].mark == MARK_SCOPE) || unit_has(unit, i, false))
        return false;
    while (at < close && tokens[at].mark != ',')
        at = next_token(unit, at);
    const struct token *second = &tokens[at + 1];
    return at < close ? second->kind == TOKEN_NUMBER || strncmp(unit->source + second->start, "cuda", 4) == 0
                      : unit_has(unit, i, true);
}

static bool check_reference(const struct unit *unit, size_t i)
{
    const bool texture = is_word(unit, i, "texture");
    if ((!texture && !is_word(unit, i, "surface")) || !is_reference(unit, i))
        return true;
    return refuse(unit, i,
                  texture ? "the CPU device has no textures, and CUDA no texture references since version 12"
                          : "the CPU device has no surfaces, and CUDA no surface references since version 12",
                  "a pointer to the array itself, const and __restrict__ where it is only read");
}

/* ---- code that runs on the device ---------------------------------------------------------------------------- */

/* Whether a function of std::numeric_limits is called. nvcc refuses that even where only its value is needed. Those of
 * cuda::std::numeric_limits, or of a namespace with another name for cuda::std, are for device code, too. */
static bool calls_limits(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;

    if (i >= 2 && tokens[i - 1].mark == MARK_SCOPE && tokens[i - 2].kind == TOKEN_IDENTIFIER &&
        (!is_word(unit, i - 2, "std") ||
         (i >= 4 && tokens[i - 3].mark == MARK_SCOPE && is_word(unit, i - 4, "cuda"))))
        return false;
    if (tokens[i + 1].mark != '<' || tokens[i + 1].partner == NO_TOKEN)
        return false;
    size_t after = tokens[i + 1].partner + 1;
    return tokens[after].mark == MARK_SCOPE && tokens[after + 1].kind == TOKEN_IDENTIFIER &&
           tokens[after + 2].mark == '(';
}

#define NO_PTX   "the CPU device does not run PTX, and nvcc takes asm for it"
#define PTX_HINT "an intrinsic such as __popc, __ballot_sync or __ldcg; a lane is threadIdx.x % 32"

/* Whether an asm statement with a text begins here. An empty text, which only keeps a compiler from moving code, is
 * allowed. */
static bool is_assembly(const struct unit *unit, size_t i)
{
    if (!is_word(unit, i, "asm") && !is_word(unit, i, "__asm__") && !is_word(unit, i, "__asm"))
        return false;
    do
        i++;
    while (is_word(unit, i, "volatile") || is_word(unit, i, "__volatile__"));
    const struct token *text = &unit->list->tokens[i + 1];
    return unit->list->tokens[i].mark == '(' && text->end - text->start > sizeof "\"\"" - 1;
}

/* The asm is within an #if, so only the compiler can tell whether it is used. Replaces it by an assertion that
 * fails there. */
static void leave_to_compiler(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    struct text macro = {0};

    text_add_string(&macro, "static_assert(false, \"" NO_PTX ": use " PTX_HINT "\"); SIMT_OPERANDS");
    size_t last = i;
    while (tokens[last + 1].mark != '(')
        last++;
    text_add_newlines(&macro, unit->source, tokens[i].start, tokens[last].end, false);
    edit_replace(unit->edits, tokens[i].start, tokens[last].end, &macro);
}

static bool check_device_code(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    if (is_word(unit, i, "try") || is_word(unit, i, "throw"))
        return refuse(unit, i, "there are no exceptions in device code", "return what says how it went");
    if (is_word(unit, i, "typeid"))
        return refuse(unit, i, "there is no typeid in device code", NULL);
    if (is_assembly(unit, i) && walk->conditions > 0)
        leave_to_compiler(unit, i);
    else if (is_assembly(unit, i))
        return refuse(unit, i, NO_PTX, PTX_HINT);
    if (is_word(unit, i, "return") && unit->list->tokens[i + 1].mark == ';' && current_block(walk).number)
        edit_insert(unit->edits, unit->list->tokens[i].end, " simt::__zero{}"); /* nvcc warns only */
    if (!cudac_relaxed_constexpr && is_word(unit, i, "numeric_limits") && calls_limits(unit, i))
        return refuse(unit, i, "the functions of std::numeric_limits are for host code",
                      "INT_MAX, FLT_MAX, CUDART_INF_F and their like");
    return true;
}

/* The `__device__` at token i follows the [captures] of a lambda. In host code that makes an extended lambda, which
 * is passed to kernels by value. */
static bool check_captures(const struct unit *unit, const struct spaces_walk *walk, size_t i)
{
    const struct token *tokens = unit->list->tokens;

    if (!current_block(walk).on_host)
        return true;
    while (tokens[i].mark != ']')
        i--;
    for (size_t at = tokens[i].partner + 1; at < i; at = next_token(unit, at))
        if (tokens[at].mark == '&' && (tokens[at - 1].mark == '[' || tokens[at - 1].mark == ','))
            return refuse(unit, at,
                          "a __device__ lambda cannot capture by reference: a kernel runs elsewhere",
                          "capture by value, [=]; a pointer to device memory is captured like a number");
    return true;
}

/* g++ drops the attributes of a `mutable` lambda unless they follow that word, so they are repeated after it. */
static void repeat_behind_mutable(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;
    size_t at = i;

    while (is_word(unit, at, "__device__") || is_word(unit, at, "__host__"))
        at++;
    if (tokens[at].mark == '(' && is_word(unit, next_token(unit, at), "mutable"))
        edit_insert(unit->edits, tokens[next_token(unit, at)].end,
                    is_word(unit, i, "__host__") ? " __host__" : " __device__");
}

/* Checks and completes the lambda whose [captures] are followed by the `__device__` or `__host__` at token i. */
static bool step_lambda(const struct unit *unit, struct spaces_walk *walk, size_t i)
{
    if (unit->list->tokens[i - 1].mark == ']') {
        walk->lambda.body = find_end(unit, i, false);
        walk->lambda.on_host = is_word(unit, i, "__host__") || is_word(unit, i + 1, "__host__");
        walk->lambda.on_device = is_word(unit, i, "__device__") || is_word(unit, i + 1, "__device__");
    }
    repeat_behind_mutable(unit, i);
    return !is_word(unit, i, "__device__") || check_captures(unit, walk, i);
}

bool spaces_step(const struct unit *unit, struct spaces_walk *walk, size_t i)
{
    static const char *const words[] = {"__shared__", "__constant__", "__device__",        "__host__",
                                        "__global__", "__managed__",  "__launch_bounds__", NULL};
    const struct token *token = &unit->list->tokens[i];
    bool good = true;

    if (unit->in_definition)
        return true;
    if (token_is_one_of(unit->source, token, words)) {
        bool lambda = is_word(unit, i, "__device__") || is_word(unit, i, "__host__");
        if (lambda && follows_captures(unit, i))
            good = step_lambda(unit, walk, i);
        else if (is_word(unit, i, "__shared__"))
            good = check_shared(unit, walk, i);
        else if (is_word(unit, i, "__global__"))
            good = check_kernel(unit, walk, i);
        else if (is_word(unit, i, "__launch_bounds__"))
            good = check_launch_bounds(unit, walk, i);
        else if (is_word(unit, i, "__device__") || is_word(unit, i, "__constant__"))
            good = check_global_memory(unit, walk, i);
    } else if (token->kind == TOKEN_IDENTIFIER && current_block(walk).scope == SCOPE_FUNCTION &&
               !current_block(walk).on_host) {
        good = check_device_code(unit, walk, i);
    } else if (token->kind == TOKEN_IDENTIFIER && current_block(walk).scope == SCOPE_NAMESPACE) {
        good = check_reference(unit, i);
    }
    if (good)
        follow_blocks(unit, walk, i);
    return good;
}
