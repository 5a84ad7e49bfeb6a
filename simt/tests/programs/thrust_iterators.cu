/* What programs use around Thrust's algorithms: iterators, tuples, policies, streams, pointers, random numbers, and
 * memory that kernels of their own share with them. */
#include <thrust/copy.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>
#include <iostream>
#include <iterator>
#include <vector>

struct saxpy {
    float a;

    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct dot_of_zip {
    __host__ __device__ int operator()(const thrust::tuple<int, int> &pair) const
    {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};

struct add_to_third {
    template <class Tuple> __device__ void operator()(Tuple t) const
    {
        thrust::get<2>(t) = thrust::get<0>(t) + 10 * thrust::get<1>(t);
    }
};

/* The state of a running mean: count and sum. */
struct summary {
    int n, total;
};
struct one_value {
    __host__ __device__ summary operator()(int x) const { return {1, x}; }
};
struct both {
    __host__ __device__ summary operator()(const summary &a, const summary &b) const { return {a.n + b.n, a.total + b.total}; }
};

struct inside_circle {
    __host__ __device__ int operator()(unsigned i) const
    {
        thrust::default_random_engine random(1234);
        random.discard(2 * i);
        thrust::uniform_int_distribution<int> coordinate(-1000, 1000);
        const int x = coordinate(random), y = coordinate(random);
        return x * x + y * y <= 1000000;
    }
};

__global__ void add_index(int *values, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] += i;
}

/* An algorithm inside a kernel: each thread sorts a row. */
__global__ void sort_rows(int *values, int width)
{
    int *row = values + threadIdx.x * width;
    thrust::sort(thrust::seq, row, row + width);
}

static void print(const char *what, const thrust::device_vector<int> &values)
{
    std::cout << what << ":";
    for (size_t i = 0; i < values.size() && i < 12; i++)
        std::cout << " " << values[i];
    std::cout << "\n";
}

static void vectors()
{
    std::vector<int> standard(8, 3);
    thrust::device_vector<int> d(standard.begin(), standard.end()), e = standard;
    d.push_back(7);
    d[0] = 1, d[1] += 5, d[2] = d[1];
    e.insert(e.begin() + 2, 100);
    e.resize(12, -1);
    print("d", d);
    print("e", e);
    d.swap(e);
    d.erase(d.begin(), d.begin() + 2);
    std::cout << d.size() << " " << e.size() << " " << d.front() << " " << e.back() << " " << (d == e) << " " << d.empty() << "\n";
    thrust::host_vector<int> h(d);
    thrust::copy(h.begin(), h.end(), standard.begin() + 0 * h[0]);
    thrust::copy(d.begin(), d.begin() + 4, std::ostream_iterator<int>(std::cout, " "));
    std::cout << "\n";
    d.assign(5, 9);
    d.clear();
    std::cout << d.size() << "\n";

    thrust::device_vector<summary> classes(3);
    classes[1] = summary{4, 5};
    const summary first = classes[0], second = classes[1];
    std::cout << first.n << " " << second.n << " " << second.total << "\n";
    thrust::universal_vector<int> shared(4, 2);
    thrust::for_each(thrust::device, shared.begin(), shared.end(), thrust::placeholders::_1 *= 3);
    std::cout << shared[3] << "\n";
}

static void iterators()
{
    thrust::device_vector<int> a(10), b(10, 2), c(10);
    thrust::sequence(a.begin(), a.end(), 1);
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    std::cout << thrust::transform_reduce(pairs, pairs + 10, dot_of_zip(), 0, thrust::plus<int>()) << "\n";
    const auto triples = thrust::make_zip_iterator(a.begin(), b.begin(), c.begin());
    thrust::for_each(triples, triples + 10, add_to_third());
    print("for_each of a zip", c);
    thrust::transform(thrust::make_counting_iterator(5), thrust::make_counting_iterator(15), thrust::make_constant_iterator(100),
                      c.begin(), thrust::plus<int>());
    print("counting and constant", c);
    const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), thrust::placeholders::_1 * thrust::placeholders::_1);
    std::cout << thrust::reduce(squares, squares + 10) << "\n";
    thrust::device_vector<int> order(4);
    order[0] = 9, order[1] = 0, order[2] = 4, order[3] = 4;
    const auto picked = thrust::make_permutation_iterator(a.begin(), order.begin());
    std::cout << thrust::reduce(picked, picked + 4) << "\n";
    thrust::copy(thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()), c.begin());
    print("reverse_iterator", c);
    const auto ends = thrust::reduce_by_key(order.begin(), order.end(), thrust::make_constant_iterator(1), thrust::make_discard_iterator(), c.begin());
    std::cout << ends.second - c.begin() << ": " << c[2] << "\n";
    thrust::sort(thrust::make_zip_iterator(b.begin(), a.begin()), thrust::make_zip_iterator(b.end(), a.end()),
                 [] __device__(const thrust::tuple<int, int> &x, const thrust::tuple<int, int> &y) { return thrust::get<1>(x) > thrust::get<1>(y); });
    print("sort of a zip", a);
    const summary all = thrust::transform_reduce(a.begin(), a.end(), one_value(), summary{0, 0}, both());
    std::cout << all.n << " " << all.total << "\n";
}

static void policies()
{
    const int n = 1000;
    int *raw = nullptr;
    cudaMalloc(&raw, n * sizeof(int));
    thrust::fill(thrust::device, raw, raw + n, 1);
    add_index<<<(n + 255) / 256, 256>>>(raw, n);
    const thrust::device_ptr<int> begin = thrust::device_pointer_cast(raw);
    std::cout << begin[10] << " " << *(begin + 999) << " " << thrust::reduce(begin, begin + n) << "\n";
    thrust::exclusive_scan(thrust::device, raw, raw + n, raw);
    std::cout << begin[999] << "\n";

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::inclusive_scan(thrust::cuda::par.on(stream), begin, begin + 100, begin);
    add_index<<<4, 256, 0, stream>>>(raw, n);
    thrust::sort(thrust::cuda::par_nosync.on(stream), begin, begin + 100, thrust::greater<int>());
    cudaStreamSynchronize(stream);
    std::cout << begin[0] << " " << begin[99] << "\n";
    cudaStreamDestroy(stream);

    int host[6] = {5, 2, 6, 1, 4, 3};
    thrust::sort(thrust::host, host, host + 6);
    thrust::sort(host, host + 3, thrust::greater<int>());
    for (const int x : host)
        std::cout << x << " ";
    std::cout << "\n";

    thrust::device_vector<int> rows(32);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(32), rows.begin(), thrust::placeholders::_1 * 5 % 32);
    sort_rows<<<1, 4>>>(thrust::raw_pointer_cast(rows.data()), 8);
    print("rows", rows);
    cudaFree(raw);

    thrust::device_ptr<float> x = thrust::device_malloc<float>(4);
    thrust::device_vector<float> y(4, 0.5f);
    thrust::sequence(x, x + 4);
    thrust::transform(x, x + 4, y.begin(), y.begin(), saxpy{2});
    std::cout << y[0] << " " << y[3] << "\n";
    thrust::device_free(x);
    std::cout << thrust::transform_reduce(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(2000), inside_circle(), 0, thrust::plus<int>())
              << "\n";
}

int main()
{
    vectors();
    iterators();
    policies();
    std::cout << "PASS\n";
}
