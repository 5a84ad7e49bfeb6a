#include "world.hpp"
#include "detail/rules.cuh"
#include <ostream>
#include <stdexcept>

namespace life {
namespace {

void check(cudaError_t status, char const* what)
{
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

__global__ void step(std::uint8_t const* __restrict__ from, std::uint8_t* __restrict__ to, detail::Torus torus)
{
    __shared__ std::uint8_t tile[detail::side + 2][detail::side + 2];
    int const col = blockIdx.x * detail::side + threadIdx.x, row = blockIdx.y * detail::side + threadIdx.y;
    // Every thread loads several cells: the tile with its halo has 2 side + 4 cells more than there are threads.
    for (int i = threadIdx.y * detail::side + threadIdx.x; i < (detail::side + 2) * (detail::side + 2); i += detail::side * detail::side) {
        int const y = i / (detail::side + 2), x = i % (detail::side + 2);
        tile[y][x] = from[torus(blockIdx.y * detail::side + y - 1, blockIdx.x * detail::side + x - 1)];
    }
    __syncthreads();
    if (row >= torus.rows || col >= torus.cols)
        return;
    int alive = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    std::uint8_t const self = tile[threadIdx.y + 1][threadIdx.x + 1];
    to[torus(row, col)] = detail::next(self, alive - self);
}

__global__ void count(std::uint8_t const* cells, int n, unsigned* total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int const live = __syncthreads_count(i < n && cells[i]);
    if (threadIdx.x == 0)
        atomicAdd(total, live);
}

} // namespace

World::World(int rows, int cols) : rows_(rows), cols_(cols)
{
    check(cudaMalloc(&front_, rows * cols), "front");
    check(cudaMalloc(&back_, rows * cols), "back");
    check(cudaMemset(front_, 0, rows * cols), "clear");
}

World::~World()
{
    cudaFree(front_);
    cudaFree(back_);
}

void World::load(std::vector<std::string> const& picture)
{
    std::vector<std::uint8_t> cells(rows_ * cols_);
    for (std::size_t y = 0; y < picture.size(); ++y)
        for (std::size_t x = 0; x < picture[y].size(); ++x)
            cells[y * cols_ + x] = picture[y][x] == 'O';
    check(cudaMemcpy(front_, cells.data(), cells.size(), cudaMemcpyHostToDevice), "load");
}

void World::evolve(unsigned generations)
{
    dim3 const block(detail::side, detail::side);
    dim3 const grid((cols_ + block.x - 1) / block.x, (rows_ + block.y - 1) / block.y);
    while (generations--) {
        step<<<grid, block>>>(front_, back_, detail::Torus{rows_, cols_});
        check(cudaGetLastError(), "step");
        std::swap(front_, back_);
    }
}

int World::population() const
{
    unsigned *total, host = 0;
    check(cudaMalloc(&total, sizeof *total), "total");
    check(cudaMemset(total, 0, sizeof *total), "zero");
    count<<<(rows_ * cols_ + 127) / 128, 128>>>(front_, rows_ * cols_, total);
    check(cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost), "count");
    cudaFree(total);
    return host;
}

std::vector<std::uint8_t> World::cells() const
{
    std::vector<std::uint8_t> host(rows_ * cols_);
    check(cudaMemcpy(host.data(), front_, host.size(), cudaMemcpyDeviceToHost), "cells");
    return host;
}

std::ostream& operator<<(std::ostream& out, World const& world)
{
    return out << "population " << world.population();
}

} // namespace life
