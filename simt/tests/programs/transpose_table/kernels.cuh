#pragma once
#include "tile.inc"

__global__ void copy(COPY_ARGS)
{
    int index = X_INDEX(blockIdx.x) + width * Y_INDEX(blockIdx.y);
    FOR_ROWS(i) odata[index + i * width] = idata[index + i * width];
}

__global__ void copySharedMem(COPY_ARGS)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];
    int xIndex = X_INDEX(blockIdx.x), yIndex = Y_INDEX(blockIdx.y), index = xIndex + width * yIndex;
    FOR_ROWS(i)
        if (xIndex < width && yIndex < height)
            tile[threadIdx.y + i][threadIdx.x] = idata[index + i * width];
    __syncthreads();
    FOR_ROWS(i)
        if (xIndex < height && yIndex < width)
            odata[index + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

__global__ void transposeNaive(COPY_ARGS)
{
    int xIndex = X_INDEX(blockIdx.x), yIndex = Y_INDEX(blockIdx.y);
    int index_in = xIndex + width * yIndex, index_out = yIndex + height * xIndex;
    FOR_ROWS(i) odata[index_out + i] = idata[index_in + i * width];
}

template <int PAD> __global__ void transposeTiled(COPY_ARGS)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
    int index_in = X_INDEX(blockIdx.x) + Y_INDEX(blockIdx.y) * width;
    int index_out = X_INDEX(blockIdx.y) + Y_INDEX(blockIdx.x) * height;
    FOR_ROWS(i) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    FOR_ROWS(i) odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void transposeDiagonal(COPY_ARGS)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int blockIdx_x, blockIdx_y;
    // do diagonal reordering
    if (width == height) {
        blockIdx_y = blockIdx.x;
        blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    } else {
        int bid = blockIdx.x + gridDim.x * blockIdx.y;
        blockIdx_y = bid % gridDim.y;
        blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x;
    }
    int index_in = X_INDEX(blockIdx_x) + Y_INDEX(blockIdx_y) * width;
    int index_out = X_INDEX(blockIdx_y) + Y_INDEX(blockIdx_x) * height;
    FOR_ROWS(i) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    FOR_ROWS(i) odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
