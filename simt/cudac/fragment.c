/* fragment.c: Editors that do not know CUDA report errors at <<<, so programs hide it from them:
 *   #define ARGS(grid, block) <<<grid, block>>>
 *   kernel ARGS(1, 32)(a, b);
 * Such a macro becomes ` ->* simt::__configured{simt::config(grid, block)}`. A use of it is then an expression, in
 * which the arguments belong to the right operand of ->*. See fragment.h. */
#include "fragment.h"

enum { LAUNCH_WIDTH = 3 };

bool rewrite_fragment(const struct unit *unit, size_t open)
{
    const struct token *tokens = unit->list->tokens;
    const size_t close = tokens[open].partner;
    struct text begin = {0}, end = {0};

    if (!unit->in_definition || open != unit->first || close == NO_TOKEN ||
        tokens[close + LAUNCH_WIDTH].kind != TOKEN_END)
        return false;
    text_add_string(&begin, "->* simt::__configured{simt::config(");
    text_add_string(&end, ")}");
    edit_replace(unit->edits, tokens[open].start, tokens[open].end, &begin);
    edit_replace(unit->edits, tokens[close].start, tokens[close + LAUNCH_WIDTH - 1].end, &end);
    return true;
}
