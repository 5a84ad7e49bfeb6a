/* edit.c: see edit.h. */
#include "edit.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_START = 64, EDITS_START = 64 };

void text_add(struct text *text, const char *bytes, size_t length)
{
    if (text->failed || length == 0)
        return;
    if (text->capacity - text->length < length) {
        size_t capacity = text->capacity ? text->capacity : TEXT_START;
        while (capacity - text->length < length)
            capacity *= 2;
        char *grown = realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

/* Adds the bytes [from, to) of the text itself. */
static void text_repeat(struct text *text, size_t from, size_t to)
{
    char *copy = malloc(to - from + 1);

    text->failed = text->failed || !copy;
    if (!text->failed)
        memcpy(copy, text->bytes + from, to - from);
    text_add(text, copy, to - from);
    free(copy);
}

void text_add_string(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_add_line_directive(struct text *text, const char *name)
{
    text_add_string(text, "#line 1 \"");
    for (; *name; name++) {
        if (*name == '\n') {
            text_add_string(text, "\\n");
            continue;
        }
        if (*name == '"' || *name == '\\')
            text_add_string(text, "\\");
        text_add(text, name, 1);
    }
    text_add_string(text, "\"\n");
}

void text_add_newlines(struct text *text, const char *source, size_t from, size_t to, bool continued)
{
    for (size_t i = from; i < to; i++) {
        if (source[i] != '\n')
            continue;
        if (continued)
            text_add_string(text, "\\");
        text_add_string(text, i > from && source[i - 1] == '\r' ? "\r\n" : "\n");
    }
}

void edit_replace(struct edit_list *list, size_t from, size_t to, struct text *text)
{
    list->failed = list->failed || text->failed;
    if (!list->failed && list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : EDITS_START;
        struct edit *grown = realloc(list->edits, capacity * sizeof *grown);
        if (grown) {
            list->edits = grown;
            list->capacity = capacity;
        } else {
            list->failed = true;
        }
    }
    if (list->failed) {
        free(text->bytes);
    } else {
        list->edits[list->count] = (struct edit){
            .from = from, .to = to, .text = text->bytes, .length = text->length, .order = list->count};
        list->count++;
    }
    *text = (struct text){0};
}

void edit_insert(struct edit_list *list, size_t at, const char *string)
{
    struct text text = {0};

    text_add_string(&text, string);
    edit_replace(list, at, at, &text);
}

static void edit_of_copy(struct edit_list *list, size_t at, const char *string, size_t order, int kind)
{
    edit_insert(list, at, string);
    if (list->failed)
        return;
    list->edits[list->count - 1].order = order;
    list->edits[list->count - 1].kind = kind;
}

void edit_twice(struct edit_list *list, size_t from, size_t to, const char *before, const char *between,
                const char *behind)
{
    edit_of_copy(list, from, before, 0, EDIT_BEGINS_COPY);
    edit_of_copy(list, to, between, SIZE_MAX - 1, EDIT_COPIES);
    edit_of_copy(list, to, behind, SIZE_MAX, EDIT_ONCE);
}

static int by_place(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

bool edit_apply(struct edit_list *list, const char *source, size_t size, struct text *output,
                struct cudac_error *error)
{
    size_t at = 0, copied = 0, copied_to;

    if (list->failed)
        return error_no_memory(error);
    if (list->count)
        qsort(list->edits, list->count, sizeof *list->edits, by_place);
    for (size_t i = 0; i < list->count; i++) {
        const struct edit *edit = &list->edits[i];
        if (edit->from < at)
            return error_at(error, source, edit->from,
                            "cudac cannot translate one construct within another here",
                            "write the launch or declaration as a statement of its own");
        text_add(output, source + at, edit->from - at);
        copied_to = output->length;
        text_add(output, edit->text, edit->length);
        if (edit->kind == EDIT_BEGINS_COPY)
            copied = output->length;
        else if (edit->kind == EDIT_COPIES)
            text_repeat(output, copied, copied_to);
        at = edit->to;
    }
    text_add(output, source + at, size - at);
    return !output->failed || error_no_memory(error);
}

void edit_list_free(struct edit_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->edits[i].text);
    free(list->edits);
    *list = (struct edit_list){0};
}
