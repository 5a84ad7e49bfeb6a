/* variables.h: a module's shared, constant, device and host variables, from its debug information. Internal. */
#ifndef SIMT_VARIABLES_H
#define SIMT_VARIABLES_H

#include "core/module.h"

#include <elfutils/libdw.h>

enum { MAX_DIMENSIONS = 4 };

struct variable {
    const char *name;
    size_t offset; /* bytes from its start to the address asked for */
    size_t bytes;
    size_t element_size;           /* bytes of one element; of the whole when it is no array */
    int dimensions;                /* 0: no array */
    size_t extent[MAX_DIMENSIONS]; /* elements, outermost first */
    char kind;                     /* of an element: 'i' signed, 'u' unsigned, 'f' floating, 's' else */
};

/* The variable that holds an address of the module; false when none does. */
bool variables_find(const struct module *module, const void *address, struct variable *variable);

/* How many variables directly in this scope have an array type that reads like `type` ("int [512]"); the
 * first one's name goes to `name`. */
int variables_with_type(Dwarf_Die *scope, const char *type, char *name, size_t size);

#endif
