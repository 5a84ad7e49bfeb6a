#include "image.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct image image = {37, 24, malloc(37 * 24 * 4)};
    int wrong = 0, bytes = image.width * image.height * 4;
    for (int i = 0; i < bytes; i++)
        image.pixels[i] = (unsigned char)(i * 31);
    printf("%d bands done\n", invert_by_bands(&image, 4));
    for (int i = 0; i < bytes; i++) {
        unsigned char was = (unsigned char)(i * 31);
        wrong += image.pixels[i] != (i % 4 == 3 ? was : (unsigned char)(255 - was));
    }
    free(image.pixels);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
