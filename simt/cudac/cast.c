/* cast.c: CUDA programs write `cudaLaunchKernel((void *)kernel, ...)`. The cast hides the types of the kernel's
 * parameters, so casts such as `(const void *)` and `reinterpret_cast<void *>` are removed. See cast.h. */
#include "cast.h"

bool is_launch_function(const struct unit *unit, size_t i)
{
    static const char *const names[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", NULL};

    return token_is_one_of(unit->source, &unit->list->tokens[i], names);
}

/* Whether the tokens between `from` and `to` spell `void *`, with const in any place. */
static bool is_pointer_to_void(const struct unit *unit, size_t from, size_t to)
{
    bool is_void = false, is_pointer = false;

    for (size_t i = from + 1; i < to; i++) {
        const struct token *token = &unit->list->tokens[i];
        if (!is_void && token_spells(unit->source, token, "void"))
            is_void = true;
        else if (is_void && !is_pointer && token->mark == '*')
            is_pointer = true;
        else if (!token_spells(unit->source, token, "const"))
            return false;
    }
    return is_pointer;
}

/* Replaces the cast to void * that begins at token `first`, if one does. */
static void replace_cast(const struct unit *unit, size_t first, const char *by)
{
    static const char *const casts[] = {"reinterpret_cast", "static_cast", NULL};
    const struct token *tokens = unit->list->tokens;
    size_t open = first;

    if (token_is_one_of(unit->source, &tokens[first], casts))
        open = first + 1;
    bool bracket = tokens[open].mark == (open == first ? '(' : '<');
    size_t close = tokens[open].partner;
    if (!bracket || close == NO_TOKEN || close < open || !is_pointer_to_void(unit, open, close))
        return;
    struct text instead = {0};
    text_add_string(&instead, by);
    text_add_newlines(&instead, unit->source, tokens[first].start, tokens[close].end, unit->in_definition);
    edit_replace(unit->edits, tokens[first].start, tokens[close].end, &instead);
}

void drop_kernel_cast(const struct unit *unit, size_t i)
{
    if (unit->list->tokens[i + 1].mark == '(')
        replace_cast(unit, i + 2, "");
}

void keep_kernel_type(const struct unit *unit, size_t i)
{
    const struct token *tokens = unit->list->tokens;

    if (i >= 2 && (tokens[i - 2].mark == '.' || tokens[i - 2].mark == MARK_ARROW) &&
        token_spells(unit->source, &tokens[i - 1], "func"))
        replace_cast(unit, i + 1, "(simt::__any_kernel)");
}
