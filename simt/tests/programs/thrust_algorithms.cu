/* Thrust's algorithms on vectors of the device, each with results that do not depend on the order of additions. */
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <cstdio>

using ints = thrust::device_vector<int>;

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct less_by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct triple {
    __device__ void operator()(int &x) const { x *= 3; }
};
struct count_up {
    int next;
    __host__ int operator()() { return next++ * 7 % 23; }
};
struct index_squared {
    __device__ int operator()(int i) const { return i * i; }
};

static void print(const char *what, const ints &values)
{
    const thrust::host_vector<int> here = values;
    printf("%-24s", what);
    for (size_t i = 0; i < here.size() && i < 16; i++)
        printf(" %d", here[i]);
    printf(" (%zu)\n", here.size());
}

static ints shuffled(int n)
{
    ints values(n);
    for (int i = 0; i < n; i++)
        values[i] = i * 13 % n;
    return values;
}

static void orders()
{
    ints keys = shuffled(50), values(50);
    thrust::sequence(values.begin(), values.end());
    ints sorted = keys;
    thrust::sort(sorted.begin(), sorted.end());
    print("sort", sorted);
    thrust::sort(sorted.begin(), sorted.end(), thrust::greater<int>());
    print("sort, greater", sorted);
    ints stable = keys;
    thrust::stable_sort(stable.begin(), stable.end(), less_by_last_digit());
    print("stable_sort", stable);
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    print("sort_by_key, values", values);
    thrust::reverse(values.begin(), values.end());
    print("reverse", values);
    printf("is_sorted: %d %d\n", thrust::is_sorted(keys.begin(), keys.end()), thrust::is_sorted(values.begin(), values.end()));
    printf("lower_bound of 17: %d, binary_search of 50: %d\n",
           (int)(thrust::lower_bound(keys.begin(), keys.end(), 17) - keys.begin()),
           thrust::binary_search(keys.begin(), keys.end(), 50));
    ints wanted(3), found(3);
    wanted[0] = 4, wanted[1] = 60, wanted[2] = -1;
    thrust::upper_bound(keys.begin(), keys.end(), wanted.begin(), wanted.end(), found.begin());
    print("upper_bound of several", found);
    ints merged(100);
    thrust::merge(keys.begin(), keys.end(), keys.begin(), keys.end(), merged.begin());
    print("merge", merged);
    ints left(5), right(5), both(10);
    thrust::sequence(left.begin(), left.end(), 0, 2);
    thrust::sequence(right.begin(), right.end(), 2);
    both.resize(thrust::set_union(left.begin(), left.end(), right.begin(), right.end(), both.begin()) - both.begin());
    print("set_union", both);
    both.resize(thrust::set_intersection(left.begin(), left.end(), right.begin(), right.end(), both.begin()) - both.begin());
    print("set_intersection", both);
}

static void sums()
{
    ints values = shuffled(1000), out(1000);
    printf("reduce: %d, from 5: %d, maximum: %d\n", thrust::reduce(values.begin(), values.end()),
           thrust::reduce(values.begin(), values.end(), 5), thrust::reduce(values.begin(), values.end(), -1, thrust::maximum<int>()));
    printf("transform_reduce: %d\n", thrust::transform_reduce(values.begin(), values.end(), square(), 0, thrust::plus<int>()));
    printf("inner_product: %d\n", thrust::inner_product(values.begin(), values.end(), values.begin(), 0));
    printf("count_if: %d, count of 3: %d\n", (int)thrust::count_if(values.begin(), values.end(), is_even()),
           (int)thrust::count(values.begin(), values.end(), 3));
    printf("max_element at %d, min_element at %d\n", (int)(thrust::max_element(values.begin(), values.end()) - values.begin()),
           (int)(thrust::min_element(values.begin(), values.end()) - values.begin()));
    const auto ends = thrust::minmax_element(values.begin(), values.end());
    printf("minmax_element: %d %d\n", (int)*ends.first, (int)*ends.second);
    thrust::inclusive_scan(values.begin(), values.end(), out.begin());
    print("inclusive_scan", out);
    thrust::exclusive_scan(values.begin(), values.end(), out.begin(), 100);
    print("exclusive_scan from 100", out);
    thrust::inclusive_scan(values.begin(), values.end(), out.begin(), thrust::maximum<int>());
    print("inclusive_scan, maximum", out);
    thrust::transform_inclusive_scan(values.begin(), values.end(), out.begin(), square(), thrust::plus<int>());
    print("transform_inclusive_scan", out);
    thrust::exclusive_scan(values.begin(), values.end(), values.begin());
    print("exclusive_scan in place", values);
    thrust::adjacent_difference(values.begin(), values.end(), out.begin());
    print("adjacent_difference", out);

    ints keys(20), ones(20, 1), new_keys(20), counts(20);
    for (int i = 0; i < 20; i++)
        keys[i] = i * i / 40;
    const auto end = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), new_keys.begin(), counts.begin());
    new_keys.resize(end.first - new_keys.begin()), counts.resize(end.second - counts.begin());
    print("reduce_by_key, keys", new_keys);
    print("reduce_by_key, sums", counts);
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), ones.begin(), ones.begin());
    print("inclusive_scan_by_key", ones);
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), keys.begin(), ones.begin());
    print("exclusive_scan_by_key", ones);
}

static void selections()
{
    const ints values = shuffled(40);
    ints out(40);
    out.resize(thrust::copy_if(values.begin(), values.end(), out.begin(), is_even()) - out.begin());
    print("copy_if", out);
    ints stencil(40, 0);
    stencil[3] = stencil[7] = 1;
    out.resize(thrust::copy_if(values.begin(), values.end(), stencil.begin(), out.begin(), thrust::placeholders::_1 == 1) - out.begin());
    print("copy_if, stencil", out);
    out = values;
    out.erase(thrust::remove_if(out.begin(), out.end(), is_even()), out.end());
    print("remove_if", out);
    out.erase(thrust::remove(out.begin(), out.end(), 39), out.end());
    print("remove", out);
    out = values;
    printf("stable_partition: %d\n", (int)(thrust::stable_partition(out.begin(), out.end(), is_even()) - out.begin()));
    print("stable_partition", out);
    out = values;
    const auto middle = thrust::partition(out.begin(), out.end(), is_even());
    printf("partition: %d, is_partitioned: %d\n", (int)(middle - out.begin()), thrust::is_partitioned(out.begin(), out.end(), is_even()));
    for (size_t i = 0; i < out.size(); i++)
        out[i] = i / 7;
    out.erase(thrust::unique(out.begin(), out.end()), out.end());
    print("unique", out);
    thrust::replace(out.begin(), out.end(), 3, 33);
    thrust::replace_if(out.begin(), out.end(), is_even(), -2);
    print("replace and replace_if", out);
    ints keys(6, 1), numbers(6);
    keys[4] = keys[5] = 2;
    thrust::sequence(numbers.begin(), numbers.end());
    const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), numbers.begin());
    numbers.resize(ends.second - numbers.begin());
    print("unique_by_key", numbers);
    printf("find: %d, find_if: %d\n", (int)(thrust::find(values.begin(), values.end(), 26) - values.begin()),
           (int)(thrust::find_if(values.begin(), values.end(), thrust::placeholders::_1 > 37) - values.begin()));
    printf("all_of: %d, any_of: %d, none_of: %d\n", thrust::all_of(values.begin(), values.end(), is_even()),
           thrust::any_of(values.begin(), values.end(), is_even()), thrust::none_of(values.begin(), values.end(), is_even()));
}

static void moves()
{
    ints values(20), out(20), map(20);
    thrust::fill(values.begin(), values.begin() + 10, 4);
    thrust::fill_n(values.begin() + 10, 10, 5);
    print("fill and fill_n", values);
    thrust::tabulate(map.begin(), map.end(), thrust::placeholders::_1 * 3 % 20);
    thrust::sequence(values.begin(), values.end(), 10);
    thrust::gather(map.begin(), map.end(), values.begin(), out.begin());
    print("gather", out);
    thrust::scatter(values.begin(), values.end(), map.begin(), out.begin());
    print("scatter", out);
    thrust::for_each(out.begin(), out.end(), triple());
    print("for_each", out);
    thrust::for_each_n(out.begin(), 3, triple());
    print("for_each_n", out);
    thrust::transform(values.begin(), values.end(), out.begin(), values.begin(), thrust::minus<int>());
    print("transform of two", values);
    thrust::transform(values.begin(), values.end(), values.begin(), thrust::negate<int>());
    print("transform in place", values);
    thrust::transform_if(values.begin(), values.end(), out.begin(), square(), is_even());
    print("transform_if", out);
    thrust::tabulate(out.begin(), out.end(), index_squared());
    print("tabulate", out);
    thrust::swap_ranges(values.begin(), values.begin() + 5, out.begin());
    print("swap_ranges", out);
    values = out;
    printf("equal: %d", thrust::equal(values.begin(), values.end(), out.begin()));
    values[11] = 0;
    printf(" %d, mismatch at %d\n", thrust::equal(values.begin(), values.end(), out.begin()),
           (int)(thrust::mismatch(values.begin(), values.end(), out.begin()).first - values.begin()));
    thrust::host_vector<int> here(20);
    thrust::generate(here.begin(), here.end(), count_up{1});
    thrust::copy(here.begin(), here.end(), values.begin());
    print("generate on the host", values);
}

int main()
{
    orders();
    sums();
    selections();
    moves();
    printf("PASS\n");
}
