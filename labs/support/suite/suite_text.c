/* suite_text.c: text in a bounded buffer. */
#include "suite_internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct suite_text suite_text(char *buffer, size_t size)
{
    buffer[0] = 0;
    return (struct suite_text){buffer, size};
}

void suite_add(struct suite_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t step = (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += step;
    text->left -= step;
}

bool suite_is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *word = list; word && *word; word += *word == ',') {
        const size_t end = strcspn(word, ",");
        if (end == length && strncmp(word, name, length) == 0)
            return true;
        word += end;
    }
    return false;
}
