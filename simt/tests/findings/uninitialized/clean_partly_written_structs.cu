/* Structs with members that are never written, which g++ copies or compares in one access. */
#include <cstdio>

struct __align__(4) pixel
{
    unsigned char red, green, blue; /* followed by a byte of padding */
};
struct __align__(8) pair
{
    int key;
    char mark; /* followed by three bytes of padding */
};
struct packed {
    unsigned low : 8, high : 24;
};
struct header {
    char kind, version, flags, unused;
    int length;
};

__global__ void write(pixel *pixels, uchar4 *colors, pair *pairs, packed *fields, header *headers,
                      short2 *points)
{
    pixels[0].red = 1;
    pixels[0].green = 2;
    pixels[0].blue = 3;
    colors[0].x = colors[0].y = colors[0].z = 4;
    pairs[0].key = 5;
    pairs[0].mark = 6;
    fields[0].low = 7;
    headers[0].kind = 8;
    headers[0].length = 9;
    points[0].x = 10;
}

__global__ void copy(pixel *pixels, uchar4 *colors, pair *pairs, packed *fields, header *headers,
                     short2 *points, int *out)
{
    pixels[1] = pixels[0];
    colors[1] = colors[0];
    reinterpret_cast<uchar4 *>(pixels)[2] = reinterpret_cast<const uchar4 *>(colors)[0];
    pairs[1] = pairs[0];
    fields[1] = fields[0];
    headers[1] = headers[0];
    points[1] = points[0];
    fields[0].high = 11;
    *out = headers[0].kind == 1 && headers[0].version == 2 && headers[0].flags == 3;
}

__global__ void shared(uchar4 *out)
{
    __shared__ uchar4 colors[2];
    __shared__ pixel pixels[2];
    if (threadIdx.x == 0) {
        colors[0].x = 1;
        pixels[0].red = 2;
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        colors[1] = colors[0];
        pixels[1] = pixels[0];
        out->x = colors[1].x + pixels[1].red;
    }
}

template <class T> static T *junk(size_t n)
{
    T *array;
    cudaMalloc(&array, n * sizeof(T));
    return array;
}

int main()
{
    auto pixels = junk<pixel>(3);
    auto colors = junk<uchar4>(2);
    auto pairs = junk<pair>(2);
    auto fields = junk<packed>(2);
    auto headers = junk<header>(2);
    auto points = junk<short2>(2);
    write<<<1, 1>>>(pixels, colors, pairs, fields, headers, points);
    copy<<<1, 1>>>(pixels, colors, pairs, fields, headers, points, junk<int>(1));
    shared<<<1, 2>>>(colors);
    return cudaDeviceSynchronize();
}

//= (nothing)
