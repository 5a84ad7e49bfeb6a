/* edit.h: text that grows, and the changes to a source. Internal to cudac. */
#ifndef CUDAC_EDIT_H
#define CUDAC_EDIT_H

#include "lexer.h"

/* A growing text. Once memory fails, `failed` stays and appending does nothing. */
struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
};

void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);

/* Adds the newlines of source[from .. to) and nothing else of it; each as a line continuation when
 * `continued`, as a #define needs them. */
void text_add_newlines(struct text *text, const char *source, size_t from, size_t to, bool continued);

/* Source bytes [from, to) become `text`. */
struct edit {
    size_t from, to;
    char *text;
    size_t length;
    size_t order; /* of its making, which decides between insertions at one place */
};

struct edit_list {
    struct edit *edits;
    size_t count, capacity;
    bool failed;
};

/* Makes an edit of `text`, which it takes over and empties. */
void edit_replace(struct edit_list *list, size_t from, size_t to, struct text *text);

/* Makes an insertion. */
void edit_insert(struct edit_list *list, size_t at, const char *string);

/* Adds source[0 .. size) to *output with all edits made. False for want of memory, or when two edits
 * overlap, with *error filled in. */
bool edit_apply(struct edit_list *list, const char *source, size_t size, struct text *output,
                struct cudac_error *error);

void edit_list_free(struct edit_list *list);

#endif
