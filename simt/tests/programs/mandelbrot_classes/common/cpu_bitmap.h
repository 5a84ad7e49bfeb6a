#ifndef __CPU_BITMAP_H__
#define __CPU_BITMAP_H__

struct CPUBitmap {
    unsigned char *pixels;
    int x, y;
    void *dataBlock;

    CPUBitmap(int width, int height, void *d = NULL) : x(width), y(height), dataBlock(d)
    {
        pixels = new unsigned char[width * height * 4]();
    }
    ~CPUBitmap()
    {
        delete[] pixels;
    }
    unsigned char *get_ptr(void) const
    {
        return pixels;
    }
    long image_size(void) const
    {
        return x * y * 4;
    }
    /* There is no window here: the sum of the bytes represents the picture. */
    unsigned display_and_exit(void) const
    {
        unsigned hash = 5381;
        for (long i = 0; i < image_size(); i++)
            hash = hash * 33 + pixels[i];
        return hash;
    }
};

#endif
