/* As in a well-known book: the book's headers, a complex class, and one block for a part of a pixel row. */
#include "common/book.h"
#include "common/cpu_bitmap.h"

#define DIM_X 48
#define DIM_Y 32

struct cuComplex {
    float   r;
    float   i;
    __device__ __host__ cuComplex( float a, float b ) : r(a), i(b)  {}
    __device__ __host__ float magnitude2( void ) const {
        return r * r + i * i;
    }
    __device__ __host__ cuComplex operator*(const cuComplex& a) const {
        return cuComplex(r*a.r - i*a.i, i*a.r + r*a.i);
    }
    __device__ __host__ cuComplex operator+(const cuComplex& a) const {
        return cuComplex(r+a.r, i+a.i);
    }
};

__device__ __host__ int escape( int x, int y ) {
    const float scale = 1.25f;
    float jx = scale * (float)(x - DIM_X*2/3)/(DIM_X/2);
    float jy = scale * (float)(DIM_Y/2 - y)/(DIM_Y/2);

    cuComplex c(jx, jy);
    cuComplex a(0.0f, 0.0f);

    int i = 0;
    for (i=0; i<40; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000)
            return i;
    }
    return 40;
}

__device__ __host__ void paint( unsigned char *ptr, int offset, int steps ) {
    ptr[offset*4 + 0] = value(0.25f, 0.75f, steps * 9 + 120);
    ptr[offset*4 + 1] = value(0.25f, 0.75f, steps * 9);
    ptr[offset*4 + 2] = value(0.25f, 0.75f, steps * 9 - 120);
    ptr[offset*4 + 3] = 255;
}

__global__ void kernel( unsigned char *ptr ) {
    // map from threadIdx/BlockIdx to pixel position
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = blockIdx.y;
    int offset = x + y * gridDim.x * blockDim.x;

    // now calculate the value at that position
    int steps = escape( x, y );
    paint( ptr, offset, steps );
}

// globals needed by the update routine
struct DataBlock {
    unsigned char   *dev_bitmap;
};

int main( void ) {
    DataBlock   data;
    CPUBitmap bitmap( DIM_X, DIM_Y, &data ), gold( DIM_X, DIM_Y );
    unsigned char    *dev_bitmap;

    HANDLE_ERROR( cudaMalloc( (void**)&dev_bitmap, bitmap.image_size() ) );
    data.dev_bitmap = dev_bitmap;

    dim3    grid(DIM_X/16,DIM_Y);
    kernel<<<grid,16>>>( dev_bitmap );

    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), dev_bitmap,
                              bitmap.image_size(),
                              cudaMemcpyDeviceToHost ) );

    HANDLE_ERROR( cudaFree( dev_bitmap ) );

    for (int y=0; y<DIM_Y; y++)
        for (int x=0; x<DIM_X; x++)
            paint( gold.get_ptr(), x + y * DIM_X, escape( x, y ) );
    unsigned a = bitmap.display_and_exit(), b = gold.display_and_exit();
    swap( a, b );
    printf( "hash %08x\n%s\n", a, a == b ? "PASS" : "FAIL" );
    return a != b;
}
