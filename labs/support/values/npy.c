/* npy.c: see npy.h. A file consists of six bytes of magic, two of version, two of header length, a header that is a
 * Python dictionary, and the elements. */
#include "npy.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREFIX_BYTES = 10,   /* magic, version and header length */
    HEADER_BYTES = 4096, /* maximum size of a header; NumPy's has about 120 bytes */
    ALIGNMENT = 64       /* alignment of the first element in a written file */
};

#define MOST_ELEMENTS ((size_t)1 << 31) /* more than any data set here has; no product overflows */

/* The text after a key of the header: "'shape':" gives " (3, 4), ...". Null when the key is missing. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    while (*at == ' ')
        at++;
    return at;
}

/* Reads "(33,)" or "(3, 4)". Returns false for another number of dimensions. */
static bool parse_shape(const char *text, size_t *rows, size_t *columns)
{
    size_t sizes[3];
    int dimensions = 0;
    if (*text++ != '(')
        return false;
    while (*text != ')') {
        char *end;
        if (dimensions == 2 || *text < '0' || *text > '9')
            return false;
        errno = 0;
        unsigned long long size = strtoull(text, &end, 10);
        if (errno != 0 || size > MOST_ELEMENTS)
            return false;
        sizes[dimensions++] = (size_t)size;
        text = end;
        while (*text == ',' || *text == ' ')
            text++;
    }
    *rows = dimensions == 2 ? sizes[0] : 1;
    *columns = dimensions == 0 ? 0 : sizes[dimensions - 1];
    return dimensions > 0 && (*columns == 0 || *rows <= MOST_ELEMENTS / *columns);
}

/* Converts `count` bytes to ints in place, starting with the last one because an int is larger. */
static void widen(void *data, size_t count)
{
    const unsigned char *bytes = data;
    while (count-- > 0) {
        int32_t value = bytes[count];
        memcpy((char *)data + count * sizeof value, &value, sizeof value);
    }
}

/* Returns null if everything is right, else a description of the error. */
static const char *read_open_file(FILE *file, struct npy *npy)
{
    unsigned char prefix[PREFIX_BYTES];
    char header[HEADER_BYTES + 1];

    if (fread(prefix, 1, sizeof prefix, file) != sizeof prefix || memcmp(prefix, "\x93NUMPY", 6) != 0)
        return "is no .npy file";
    if (prefix[6] != 1 || prefix[7] != 0)
        return "has a format version other than 1.0";
    size_t length = prefix[8] | (size_t)prefix[9] << 8;
    if (length > HEADER_BYTES || fread(header, 1, length, file) != length)
        return "has a header that is cut off or too long";
    header[length] = 0;

    const char *type = find_value(header, "'descr':");
    const char *order = find_value(header, "'fortran_order':");
    const char *shape = find_value(header, "'shape':");
    if (!type || !order || !shape)
        return "has a header without descr, fortran_order or shape";
    bool is_byte = strncmp(type, "'|u1'", 5) == 0;
    if (!is_byte && strncmp(type, "'<i4'", 5) != 0 && strncmp(type, "'<f4'", 5) != 0)
        return "holds elements other than uint8 and little-endian int32 or float32";
    if (strncmp(order, "False", 5) != 0)
        return "is in Fortran order";
    if (!parse_shape(shape, &npy->rows, &npy->columns))
        return "has a shape of neither one nor two dimensions";

    npy->is_float = type[2] == 'f';
    size_t count = npy->rows * npy->columns, bytes = count * (is_byte ? 1 : sizeof(int32_t));
    npy->data = malloc(count > 0 ? count * sizeof(int32_t) : 1);
    if (!npy->data)
        return "is larger than the memory";
    if (fread(npy->data, 1, bytes, file) != bytes)
        return "ends before its last element";
    if (fgetc(file) != EOF)
        return "goes on after its last element";
    if (is_byte)
        widen(npy->data, count);
    return NULL;
}

bool npy_read(const char *path, struct npy *npy, char *why, size_t why_size)
{
    memset(npy, 0, sizeof *npy);
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
        return false;
    }
    const char *wrong = read_open_file(file, npy);
    fclose(file);
    if (!wrong)
        return true;
    snprintf(why, why_size, "%s %s", path, wrong);
    npy_free(npy);
    return false;
}

void npy_free(struct npy *npy)
{
    free(npy->data);
    npy->data = NULL;
}

bool npy_write(const char *path, const char *type, size_t bytes, size_t rows, size_t columns,
               const void *data, char *why, size_t why_size)
{
    char text[HEADER_BYTES];
    FILE *file = fopen(path, "wb");
    if (!file) {
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
        return false;
    }
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                          type, rows, columns);
    int padded = (PREFIX_BYTES + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - PREFIX_BYTES;
    memset(text + length, ' ', (size_t)(padded - length));
    text[padded - 1] = '\n';
    const unsigned char prefix[PREFIX_BYTES] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded & 255), (unsigned char)(padded >> 8)};
    fwrite(prefix, 1, sizeof prefix, file);
    fwrite(text, 1, (size_t)padded, file);
    fwrite(data, bytes, rows * columns, file);
    bool good = !ferror(file);
    if (fclose(file) == 0 && good)
        return true;
    snprintf(why, why_size, "%s: cannot be written", path);
    return false;
}
