#ifndef IMAGE_H
#define IMAGE_H
#ifdef __cplusplus
extern "C" {
#endif
struct image {
    int width, height;
    unsigned char *pixels; /* 4 for each pixel */
};
int invert_by_bands(struct image *image, int bands);
#ifdef __cplusplus
}
#endif
#endif
