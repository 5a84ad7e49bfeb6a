#include "token.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t skip_continuations(const char *source, size_t from, size_t end)
{
    while (from < end && source[from] == '\\') {
        size_t newline = from + 1;
        while (newline < end && source[newline] != '\n' && isspace((unsigned char)source[newline]))
            newline++;
        if (newline >= end || source[newline] != '\n')
            break;
        from = newline + 1;
    }
    return from;
}

bool text_spells(const char *source, size_t start, size_t end, const char *word)
{
    for (start = skip_continuations(source, start, end); start < end;
         start = skip_continuations(source, start + 1, end))
        if (*word == '\0' || source[start] != *word++)
            return false;
    return *word == '\0';
}

bool token_spells(const char *source, const struct token *token, const char *word)
{
    return (token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_NUMBER) &&
           text_spells(source, token->start, token->end, word);
}

bool token_is_one_of(const char *source, const struct token *token, const char *const *words)
{
    if (token->kind != TOKEN_IDENTIFIER)
        return false;
    for (; *words; words++)
        if (source[token->start] == **words && text_spells(source, token->start, token->end, *words))
            return true;
    return false;
}

bool has_mark_among(const struct token *token, const char *marks)
{
    return token->mark > 0 && token->mark < 128 && strchr(marks, token->mark);
}

void skip_byte_order_mark(const char **source, size_t *size)
{
    static const char mark[] = "\xEF\xBB\xBF";
    if (*size >= strlen(mark) && memcmp(*source, mark, strlen(mark)) == 0) {
        *source += strlen(mark);
        *size -= strlen(mark);
    }
}

bool error_at(struct cudac_error *error, const char *source, size_t at, const char *message, const char *hint)
{
    size_t line_start = 0;

    error->line = 1;
    for (size_t i = 0; i < at; i++)
        if (source[i] == '\n') {
            error->line++;
            line_start = i + 1;
        }
    error->column = at - line_start + 1;
    error->message = message;
    error->hint = hint;
    return false;
}

bool error_no_memory(struct cudac_error *error)
{
    *error = (struct cudac_error){.message = "out of memory"};
    return false;
}

void token_list_free(struct token_list *list)
{
    free(list->tokens);
    *list = (struct token_list){0};
}
