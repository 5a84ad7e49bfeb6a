#pragma once
#include <cstdint>

namespace life::detail {

constexpr int side = 8;

struct Torus {
    int rows, cols;
    __host__ __device__ constexpr int operator()(int y, int x) const noexcept
    {
        return (y + rows) % rows * cols + (x + cols) % cols;
    }
};

__host__ __device__ constexpr std::uint8_t next(std::uint8_t alive, int neighbours)
{
    return neighbours == 3 || (alive && neighbours == 2);
}

static_assert(next(0, 3) && next(1, 2) && !next(1, 1) && !next(0, 2), "Conway's rules");

} // namespace life::detail
