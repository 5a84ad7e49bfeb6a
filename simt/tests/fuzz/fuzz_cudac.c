/* fuzz_cudac.c: gives the translator any bytes as a .cu file. It must translate them, or report an error on a line that
 * exists. A translation has every newline of the source, after the two lines that it begins with. */
#include "../../cudac/cudac.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static size_t newlines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cudac_error error = {0};
    size_t output_size = 0;
    char *source = malloc(size > 0 ? size : 1); /* no byte more, so that a read past it is found */
    if (!source)
        return 0;
    if (size > 0)
        memcpy(source, data, size);
    const size_t lines = newlines(source, size);
    for (int delays = 0; delays < 2; delays++) {
        char *output = delays ? cudac_delay(source, size, "fuzz.cu", 1, &output_size, &error)
                              : cudac_translate(source, size, "fuzz.cu", NULL, &output_size, &error);
        if (output ? newlines(output, output_size) != lines + 2 : !error.message || error.line > lines + 1)
            abort();
        free(output);
    }
    free(source);
    return 0;
}
