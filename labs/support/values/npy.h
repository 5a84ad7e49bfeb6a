/* npy.h: reads and writes NumPy array files: format 1.0, little-endian, C order, one or two dimensions. */
#ifndef LABS_NPY_H
#define LABS_NPY_H

#include <stdbool.h>
#include <stddef.h>

struct npy {
    bool is_float;        /* float elements, else int */
    size_t rows, columns; /* rows is 1 if there is one dimension */
    void *data;           /* rows * columns elements, row after row */
};

/* Reads int32, float32, and uint8, which is converted to int. Returns false when the file cannot be read or has
 * another type; then `why` is one line that names the file, and *npy has no data. */
bool npy_read(const char *path, struct npy *npy, char *why, size_t why_size);

/* Frees the data. */
void npy_free(struct npy *npy);

/* Writes rows * columns elements of `bytes` bytes each. NumPy's name of their type is `type`, such as "<i4". Errors
 * are reported as in npy_read. */
bool npy_write(const char *path, const char *type, size_t bytes, size_t rows, size_t columns,
               const void *data, char *why, size_t why_size);

#endif
