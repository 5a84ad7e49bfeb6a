/* npy.h: reads and writes NumPy array files: format 1.0, little-endian, C order, one or two dimensions. */
#ifndef LABS_NPY_H
#define LABS_NPY_H

#include <stdbool.h>
#include <stddef.h>

struct npy {
    bool is_float;        /* float elements, else int */
    size_t rows, columns; /* rows is 1 for one dimension */
    void *data;           /* rows * columns elements, row after row */
};

/* Reads int32 and float32, and uint8, which becomes int. False when the file cannot be read or is none of these;
 * then `why` says it in one line that names the file, and *npy holds no data. */
bool npy_read(const char *path, struct npy *npy, char *why, size_t why_size);

/* Frees the data. */
void npy_free(struct npy *npy);

/* Writes rows * columns elements of `bytes` bytes each, of the type that NumPy calls `type`: "<i4". As read. */
bool npy_write(const char *path, const char *type, size_t bytes, size_t rows, size_t columns,
               const void *data, char *why, size_t why_size);

#endif
