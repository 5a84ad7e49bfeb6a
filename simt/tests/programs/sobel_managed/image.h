#ifndef IMAGE_H
#define IMAGE_H
#include <stdint.h>

/* A grey picture that host and device share. */
typedef struct image {
    int width, height;
    uint8_t *pixels;
} image_t;

#ifdef __cplusplus
extern "C" {
#endif
image_t *image_new(int width, int height);
void image_delete(image_t *image);
void image_test_card(image_t *image);
void sobel(const image_t *in, image_t *out, int threshold);
void sobel_reference(const image_t *in, image_t *out, int threshold);
#ifdef __cplusplus
}
#endif
#endif
