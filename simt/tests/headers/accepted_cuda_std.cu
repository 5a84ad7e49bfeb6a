/* The headers of cuda::std that labs have. */
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/version>

namespace cs = cuda::std;

static_assert(cs::is_same_v<cs::remove_cvref_t<const int &>, int>);
static_assert(cs::numeric_limits<int>::max() == INT_MAX && cs::numeric_limits<float>::lowest() == -FLT_MAX);
static_assert(cs::numeric_limits<cs::uint32_t>::digits == 32);
static_assert(cs::popcount(0xf0f0ull) == 8 && cs::popcount((unsigned char)255) == 8);
static_assert(cs::countl_zero(1u) == 31 && cs::countr_zero(8ull) == 3 && cs::countl_zero((cs::uint16_t)0) == 16);
static_assert(cs::bit_ceil(33u) == 64 && cs::bit_floor(33u) == 32 && cs::bit_width(33u) == 6 && cs::has_single_bit(64u));
static_assert(cs::rotl(0x80000001u, 1) == 3 && cs::rotr(3u, 1) == 0x80000001u);
static_assert(cs::bit_cast<unsigned>(1.0f) == 0x3f800000);
static_assert(cuda::ceil_div(10, 4) == 3 && cuda::round_up(10, 4) == 12 && cuda::round_down(10, 4) == 8);
static_assert(cuda::ilog2(33u) == 5 && cuda::ilog10(999) == 2);
static_assert(cs::plus<>()(2, 3) == 5 && cs::greater<int>()(3, 2) && cs::bit_xor<unsigned>()(5, 3) == 6 && cs::negate<int>()(2) == -2);
static_assert(cuda::maximum<>()(2, 3) == 3 && cuda::minimum<int>()(2, 3) == 2);
static_assert(cs::optional<int>(7).value_or(2) == 7 && cs::optional<int>().value_or(2) == 2 && !cs::optional<int>(cs::nullopt));

constexpr cs::tuple<int, char, double> three = cs::make_tuple(1, 'b', 2.5);
static_assert(cs::get<0>(three) == 1 && cs::get<char>(three) == 'b' && cs::tuple_size_v<decltype(three)> == 3);
static_assert(cs::get<3>(cs::tuple_cat(three, cs::make_tuple(9))) == 9);
static_assert(cs::make_tuple(1, 2) < cs::make_tuple(1, 3) && cs::make_tuple(1, 2) != cs::make_tuple(2, 2));
static_assert(cs::make_pair(1, 2) < cs::make_pair(2, 0) && cs::pair<int, int>(3, 4) == cs::make_pair(3, 4));
static_assert(cs::apply(cs::plus<>(), cs::make_tuple(2, 3)) == 5);
constexpr cs::array<int, 3> powers = {1, 2, 4};
static_assert(powers[2] == 4 && cs::get<1>(powers) == 2 && powers.size() == 3);

__host__ __device__ int swapped()
{
    int a = 3, b = 4;
    cs::swap(a, b);
    b += cs::exchange(a, 9);
    auto [x, y] = cs::make_pair(a, b);
    return cs::array{x, y} == cs::array{9, 7};
}

struct moved_only {
    __host__ __device__ moved_only(int value) : value(value) {}
    moved_only(moved_only &&) = default;
    moved_only &operator=(moved_only &&) = default;
    int value;
};

__global__ void kernel(cs::span<int> values, cs::array<float, 4> weights, cs::pair<int, float> *pairs)
{
    cs::span<int, 4> four(values.data(), 4);
    cs::array<int, 4> own{};
    own.fill(cs::numeric_limits<int>::min());
    for (int &value : values)
        value = cs::max(own[0], cs::min(value, 3));
    auto [least, weight] = pairs[threadIdx.x];
    cs::swap(own[0], own[1]);
    moved_only a(1), b(2);
    cs::swap(a, b);
    pairs[threadIdx.x] = cs::make_pair(least + own[0] + a.value, weight + weights[1] + cs::sqrt(weights[0]));
    int rank, lane;
    cs::tie(rank, lane) = cs::make_pair(1, 2);
    cs::tie(lane, rank) = cs::make_tuple(rank, lane);
    cs::tuple<int, float &> both(rank, weights[2]);
    cs::get<1>(both) = cs::get<0>(both);
    assert(four.size() == 4);
}

int main()
{
    int *values = nullptr;
    kernel<<<1, 1>>>(cs::span<int>(values, 0), {}, nullptr);
    return cs::move(swapped());
}
