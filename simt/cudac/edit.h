/* edit.h: a text that grows, and a list of changes to a source. Internal to cudac. */
#ifndef CUDAC_EDIT_H
#define CUDAC_EDIT_H

#include "lexer.h"

/* A growing text. After memory has run out, `failed` stays true and appending does nothing. */
struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
};

void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);

/* Adds a #line that calls the next line the first of the file `name`. */
void text_add_line_directive(struct text *text, const char *name);

/* Adds only the newlines of source[from .. to). If `continued` is true, each is written as a line continuation,
 * because a #define must not end there. */
void text_add_newlines(struct text *text, const char *source, size_t from, size_t to, bool continued);

/* One change: the source bytes [from, to) become `text`. */
struct edit {
    size_t from, to;
    char *text;
    size_t length;
    size_t order; /* the order of creation, which decides between insertions at one place */
    enum { EDIT_ONCE, EDIT_BEGINS_COPY, EDIT_COPIES } kind;
};

struct edit_list {
    struct edit *edits;
    size_t count, capacity;
    bool failed;
};

/* Adds a change to the list. The list takes over the bytes of `text` and leaves it empty. */
void edit_replace(struct edit_list *list, size_t from, size_t to, struct text *text);

/* Inserts the string before byte `at`. */
void edit_insert(struct edit_list *list, size_t at, const char *string);

/* Writes the source bytes [from, to) twice, with all changes made, and `before`, `between` and `behind` around them. */
void edit_twice(struct edit_list *list, size_t from, size_t to, const char *before, const char *between,
                const char *behind);

/* Adds source[0 .. size) to *output with all changes made. Returns false, with *error filled in, when memory runs
 * out or two changes overlap. */
bool edit_apply(struct edit_list *list, const char *source, size_t size, struct text *output,
                struct cudac_error *error);

void edit_list_free(struct edit_list *list);

#endif
