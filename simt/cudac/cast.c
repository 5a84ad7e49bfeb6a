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

void drop_kernel_cast(const struct unit *unit, size_t i)
{
    static const char *const casts[] = {"reinterpret_cast", "static_cast", NULL};
    const struct token *tokens = unit->list->tokens;

    if (tokens[i + 1].mark != '(')
        return;
    size_t first = i + 2, open = first;
    if (token_is_one_of(unit->source, &tokens[first], casts))
        open = first + 1;
    bool bracket = tokens[open].mark == (open == first ? '(' : '<');
    size_t close = tokens[open].partner;
    if (!bracket || close == NO_TOKEN || close < open || !is_pointer_to_void(unit, open, close))
        return;
    struct text nothing = {0};
    text_add_newlines(&nothing, unit->source, tokens[first].start, tokens[close].end, unit->in_definition);
    edit_replace(unit->edits, tokens[first].start, tokens[close].end, &nothing);
}
