/* replay.c: gives the named files to a fuzz target, one by one, on a machine without clang's libFuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **words)
{
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    for (int i = 1; data && i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (!file) {
            fprintf(stderr, "replay: cannot read %s\n", words[i]);
            return 2;
        }
        LLVMFuzzerTestOneInput(data, fread(data, 1, MOST, file));
        fclose(file);
    }
    free(data);
    return data ? 0 : 2;
}
