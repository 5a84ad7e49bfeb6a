#include "image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void image_test_card(image_t *image)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            int dx = x - image->width / 2, dy = y - image->height / 2;
            image->pixels[y * image->width + x] = dx * dx + dy * dy < 150 ? 200 : (uint8_t)(x / 8 % 2 * 40);
        }
}

static int at(const image_t *i, int x, int y)
{
    x = x < 0 ? 0 : x >= i->width ? i->width - 1 : x;
    y = y < 0 ? 0 : y >= i->height ? i->height - 1 : y;
    return i->pixels[y * i->width + x];
}

void sobel_reference(const image_t *in, image_t *out, int threshold)
{
    static const int weights[3] = {1, 2, 1};
    (void)threshold;
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            int horz = 0, vert = 0;
            for (int k = -1; k <= 1; k++) {
                horz += weights[k + 1] * (at(in, x + 1, y + k) - at(in, x - 1, y + k));
                vert += weights[k + 1] * (at(in, x + k, y - 1) - at(in, x + k, y + 1));
            }
            int sum = abs(horz) + abs(vert);
            out->pixels[y * out->width + x] = (uint8_t)(sum > 255 ? 255 : sum);
        }
}

int main(void)
{
    int wrong = 0;
    for (int size = 33; size <= 64; size += 31) {
        image_t *in = image_new(size, size - 10), *out = image_new(size, size - 10),
                *gold = image_new(size, size - 10);
        image_test_card(in);
        sobel(in, out, 100);
        sobel_reference(in, gold, 100);
        wrong += memcmp(out->pixels, gold->pixels, (size_t)size * (size - 10)) != 0;
        image_delete(in);
        image_delete(out);
        image_delete(gold);
    }
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
