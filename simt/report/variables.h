/* variables.h: a module's shared, constant, device and host variables, from its debug information. Internal. */
#ifndef SIMT_VARIABLES_H
#define SIMT_VARIABLES_H

#include "core/module.h"

#include <elfutils/libdw.h>

enum { MAX_DIMENSIONS = 4 };

struct variable {
    const char *name;
    size_t offset; /* bytes from its start to the given address */
    size_t bytes;
    size_t element_size;           /* bytes of one element; of the whole if it is not an array */
    int dimensions;                /* 0: not an array */
    size_t extent[MAX_DIMENSIONS]; /* elements, outermost first */
    char kind;                     /* of an element: 'i' signed, 'u' unsigned, 'f' floating, 's' any other */
};

/* The variable that contains an address of the module. Returns false when there is none. */
bool variables_find(const struct module *module, const void *address, struct variable *variable);

/* The number of variables directly in this scope whose array type looks like `type` ("int [512]"). The name of the
 * first one is written to `name`. */
int variables_with_type(Dwarf_Die *scope, const char *type, char *name, size_t size);

#endif
