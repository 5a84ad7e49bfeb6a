/* npy.h: reads NumPy array files: format 1.0, little-endian int32 or float32, C order, one or two
 * dimensions. */
#ifndef LABS_NPY_H
#define LABS_NPY_H

#include <stdbool.h>
#include <stddef.h>

struct npy {
    bool is_float;        /* float elements, else int */
    size_t rows, columns; /* rows is 1 for one dimension */
    void *data;           /* rows * columns elements, row after row */
};

/* False when the file cannot be read or is none of the above; then `why` says it in one line that names the
 * file, and *npy holds no data. */
bool npy_read(const char *path, struct npy *npy, char *why, size_t why_size);

/* Frees the data. */
void npy_free(struct npy *npy);

#endif
