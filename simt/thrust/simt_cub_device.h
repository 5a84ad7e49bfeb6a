/* simt_cub_device.h: the algorithms of CUB for the whole device. C++, part of simt_cub.h.
 *
 * The functions that a program calls are NVIDIA's. They end in a call of a class of this header, in place of one of
 * NVIDIA's, which would choose among kernels that are tuned for a GPU. Each algorithm is one launch of one thread, so
 * the device checks its accesses like those of any kernel. */
#ifndef SIMT_CUB_DEVICE_H
#define SIMT_CUB_DEVICE_H

#include <cub/device/dispatch/dispatch_histogram.cuh>
#include <cub/device/dispatch/dispatch_merge_sort.cuh>
#include <cub/device/dispatch/dispatch_radix_sort.cuh>
#include <cub/device/dispatch/dispatch_reduce.cuh>
#include <cub/device/dispatch/dispatch_reduce_by_key.cuh>
#include <cub/device/dispatch/dispatch_scan.cuh>
#include <cub/device/dispatch/dispatch_scan_by_key.cuh>
#include <cub/device/dispatch/dispatch_select_if.cuh>
#include <thrust/sort.h>

CUB_NAMESPACE_BEGIN

/* A finding calls each kernel by its name here. */
namespace simt_kernels
{
#define SIMT_CUB_KERNEL(name)                                                                                \
    template <class W> __global__ void name(W work, char *storage)                                           \
    {                                                                                                        \
        work(storage);                                                                                       \
    }
SIMT_CUB_KERNEL(DeviceHistogram)
SIMT_CUB_KERNEL(DeviceMergeSort)
SIMT_CUB_KERNEL(DeviceRadixSort)
SIMT_CUB_KERNEL(DeviceReduce)
SIMT_CUB_KERNEL(DeviceScan)
SIMT_CUB_KERNEL(DeviceSelect)
} // namespace simt_kernels

/* Without storage, sets `bytes` to the number that is needed; else launches the kernel, which does the work. Returns
 * an error if the storage is smaller than what is needed. */
template <class W>
cudaError_t simt_run(void *storage, size_t &bytes, size_t needed, cudaStream_t stream,
                     void (*kernel)(W, char *), W work)
{
    void *parts[1] = {nullptr};
    const size_t sizes[1] = {needed};
    const cudaError_t error = detail::AliasTemporaries(storage, bytes, parts, sizes);
    if (error != cudaSuccess || !storage)
        return error;
    simt::__launch_pointer(simt::config(1, 1, 0, stream), 0, kernel, work, static_cast<char *>(parts[0]));
    return cudaPeekAtLastError();
}
#define SIMT_RUN(name, needed, work)                                                                         \
    simt_run(storage, bytes, needed, stream, simt_kernels::name<decltype(work)>, work)

template <class In, class Op, class Init> struct simt_accumulated {
    using type = ::cuda::std::__accumulator_t<Op, detail::it_value_t<In>, Init>;
};
template <class In, class Op> struct simt_accumulated<In, Op, NullType> {
    using type = ::cuda::std::__accumulator_t<Op, detail::it_value_t<In>>;
};
template <class In, class Op, class T, class I> struct simt_accumulated<In, Op, detail::InputValue<T, I>> {
    using type = ::cuda::std::__accumulator_t<Op, detail::it_value_t<In>, T>;
};

/* Scans are exclusive if there is an initial value, unless they are forced to be inclusive. */
template <class In, class Out, class Op, class Init, class N,
          class T = typename simt_accumulated<In, Op, Init>::type, ForceInclusive forced = ForceInclusive::No>
struct simt_scan {
    static cudaError_t Dispatch(void *storage, size_t &bytes, In in, Out out, Op op, Init init, N n,
                                cudaStream_t stream)
    {
        auto work = [=](char *) mutable {
            if (n == 0)
                return;
            constexpr bool starts = std::is_same_v<Init, NullType>;
            constexpr bool inclusive = starts || forced == ForceInclusive::Yes;
            const auto first = [&]() -> T {
                if constexpr (starts)
                    return in[0];
                else
                    return init;
            };
            T sum = first();
            for (N i = 0; i < n; i++) {
                const T next = starts && i == 0 ? sum : static_cast<T>(op(sum, in[i]));
                out[i] = inclusive ? next : sum;
                sum = next;
            }
        };
        return SIMT_RUN(DeviceScan, 1, work);
    }
};

template <class Keys, class In, class Out, class Equal, class Op, class Init, class N, class... Rest>
struct simt_scan_by_key {
    static cudaError_t Dispatch(void *storage, size_t &bytes, Keys keys, In in, Out out, Equal equal, Op op,
                                Init init, N n, cudaStream_t stream)
    {
        using T = typename simt_accumulated<In, Op, Init>::type;
        auto work = [=](char *) mutable {
            constexpr bool inclusive = std::is_same_v<Init, NullType>;
            if (n == 0)
                return;
            auto key = keys[0];
            T sum = in[0];
            for (N i = 0; i < n; i++) {
                const auto before = key;
                key = keys[i];
                const bool begins = i == 0 || !equal(before, key);
                const T value = in[i];
                if constexpr (inclusive) {
                    sum = begins ? value : static_cast<T>(op(sum, value));
                    out[i] = sum;
                } else {
                    const T left = begins ? static_cast<T>(init) : sum;
                    out[i] = left;
                    sum = op(left, value);
                }
            }
        };
        return SIMT_RUN(DeviceScan, 1, work);
    }
};

/* Reduces elements from `begin` to `end`. */
template <class T, class In, class Out, class N, class Op, class Init, class Transform>
void simt_reduce_range(In in, Out out, N begin, N end, Op op, Init init, Transform transform)
{
    if (begin >= end) {
        *out = detail::reduce::unwrap_empty_problem_init(init);
        return;
    }
    T sum = transform(in[begin]);
    for (N i = begin + 1; i < end; i++)
        sum = op(sum, transform(in[i]));
    detail::reduce::finalize_and_store_aggregate(out, op, init, sum);
}

template <class In, class Out, class N, class Op,
          class Init = detail::non_void_value_t<Out, detail::it_value_t<In>>,
          class T = ::cuda::std::__accumulator_t<Op, detail::it_value_t<In>, Init>,
          class Transform = ::cuda::std::__identity, class... Rest>
struct simt_reduce {
    static cudaError_t Dispatch(void *storage, size_t &bytes, In in, Out out, N n, Op op, Init init,
                                cudaStream_t stream, Transform transform = {})
    {
        auto work = [=](char *) { simt_reduce_range<T>(in, out, N(0), n, op, init, transform); };
        return SIMT_RUN(DeviceReduce, 1, work);
    }
};

template <class In, class Out, class N, class Op, class Transform, class Init>
using simt_transform_reduce = simt_reduce<
    In, Out, N, Op, Init,
    ::cuda::std::__accumulator_t<Op, detail::invoke_result_t<Transform, detail::it_value_t<In>>, Init>,
    Transform>;

template <class In, class Out, class Begin, class End, class N, class Op,
          class Init = detail::non_void_value_t<Out, detail::it_value_t<In>>,
          class T = ::cuda::std::__accumulator_t<Op, detail::it_value_t<In>, Init>, class... Rest>
struct simt_segmented_reduce {
    static cudaError_t Dispatch(void *storage, size_t &bytes, In in, Out out, int64_t segments, Begin begin,
                                End end, Op op, Init init, cudaStream_t stream)
    {
        auto work = [=](char *) {
            for (int64_t i = 0; i < segments; i++)
                simt_reduce_range<T>(in, out + i, N(begin[i]), N(end[i]), op, init,
                                     ::cuda::std::__identity());
        };
        return SIMT_RUN(DeviceReduce, 1, work);
    }
};

template <class Keys, class Unique, class In, class Out, class Runs, class Equal, class Op, class N,
          class... Rest>
struct simt_reduce_by_key {
    static cudaError_t Dispatch(void *storage, size_t &bytes, Keys keys, Unique unique, In in, Out out,
                                Runs runs, Equal equal, Op op, N n, cudaStream_t stream)
    {
        using T = typename simt_accumulated<In, Op, NullType>::type;
        auto work = [=](char *) mutable {
            N run = 0;
            for (N i = 0; i < n; run++) {
                const auto key = keys[i];
                T sum = in[i];
                for (i++; i < n && equal(key, keys[i]); i++)
                    sum = op(sum, in[i]);
                unique[run] = key;
                out[run] = sum;
            }
            *runs = run;
        };
        return SIMT_RUN(DeviceReduce, 1, work);
    }
};

/* Selects by flags, by a predicate of elements or of flags, or those that differ from their left neighbour. A partition
 * writes the others behind them, from the end. */
template <class In, class Flags, class Out, class Count, class Select, class Equal, class N, SelectImpl kind,
          class... Rest>
struct simt_select {
    static cudaError_t Dispatch(void *storage, size_t &bytes, In in, Flags flags, Out out, Count count,
                                Select select, Equal equal, N n, cudaStream_t stream)
    {
        constexpr bool flagged = !std::is_same_v<Flags, NullType *>, asks = !std::is_same_v<Select, NullType>;
        auto work = [=](char *) mutable {
            if (n == 0) {
                *count = 0;
                return;
            }
            N selected = 0;
            detail::it_value_t<In> item = in[0];
            for (N i = 0; i < n; i++) {
                [[maybe_unused]] const auto before = item;
                item = in[i];
                const auto chosen = [&]() -> bool {
                    if constexpr (flagged && asks)
                        return select(flags[i]);
                    else if constexpr (flagged)
                        return flags[i];
                    else if constexpr (asks)
                        return select(item);
                    else
                        return i == 0 || !equal(before, item);
                };
                if (chosen())
                    out[selected++] = item;
                else if (kind == SelectImpl::Partition)
                    out[n - 1 - (i - selected)] = item;
            }
            *count = selected;
        };
        return SIMT_RUN(DeviceSelect, 1, work);
    }
};

/* Sorts by eight bits at a time. As the number of these passes may be odd, the passes alternate between the second
 * buffer and the storage. */
template <SortOrder order, class Key, class Value, class Decomposer> struct simt_radix_passes {
    static constexpr bool has_values = !std::is_same_v<Value, NullType>;

    Key *keys[3];     /* input, output, storage */
    Value *values[3]; /* null if there are none */
    int begin_bit, end_bit;
    Decomposer decomposer;

    unsigned digit(Key key, int bit) const
    {
        using traits = detail::radix::traits_t<Key>;
        using bits_of = typename traits::bit_ordered_type;
        auto bits = traits::bit_ordered_conversion_policy::to_bit_ordered(decomposer,
                                                                          reinterpret_cast<bits_of &>(key));
        const int width = end_bit - bit < 8 ? end_bit - bit : 8;
        const unsigned found =
            traits::template digit_extractor<BFEDigitExtractor<Key>>(bit, width, decomposer).Digit(bits);
        return order == SortOrder::Ascending ? found : 255 - found;
    }
    /* Sorts the elements from `begin` to `end`. */
    void sort(size_t begin, size_t end) const
    {
        const int passes = end_bit > begin_bit ? (end_bit - begin_bit + 7) / 8 : 1;
        int from = 0;
        for (int pass = 0; pass < passes; pass++) {
            const int bit = begin_bit + 8 * pass, to = (passes - pass) % 2 == 1 ? 1 : 2;
            size_t next[257] = {begin};
            for (size_t i = begin; i < end; i++)
                next[digit(keys[from][i], bit) + 1]++;
            for (int i = 0; i < 256; i++)
                next[i + 1] += next[i];
            for (size_t i = begin; i < end; i++) {
                const size_t at = next[digit(keys[from][i], bit)]++;
                keys[to][at] = keys[from][i];
                if constexpr (has_values)
                    values[to][at] = values[from][i];
            }
            from = to;
        }
    }
};

template <SortOrder order, class Key, class Value, class N, class Decomposer = detail::identity_decomposer_t,
          class... Rest>
struct simt_radix_sort {
    template <class Segments>
    static cudaError_t run(void *storage, size_t &bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,
                           N n, Segments segments, int begin_bit, int end_bit, cudaStream_t stream,
                           Decomposer decomposer)
    {
        using passes = simt_radix_passes<order, Key, Value, Decomposer>;
        const size_t of_keys = (n * sizeof(Key) + 255) / 256 * 256;
        passes sorter = {{keys.Current(), keys.Alternate(), nullptr},
                         {values.Current(), values.Alternate(), nullptr},
                         begin_bit,
                         end_bit,
                         decomposer};
        auto work = [=](char *to) mutable {
            sorter.keys[2] = reinterpret_cast<Key *>(to);
            if (passes::has_values)
                sorter.values[2] = reinterpret_cast<Value *>(to + of_keys);
            segments(sorter);
        };
        const cudaError_t error =
            SIMT_RUN(DeviceRadixSort, of_keys + (passes::has_values ? n * sizeof(Value) : 0) + 1, work);
        if (storage && error == cudaSuccess) {
            keys.selector ^= 1;
            values.selector ^= 1;
        }
        return error;
    }
    static cudaError_t Dispatch(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                DoubleBuffer<Value> &values, N n, int begin_bit, int end_bit, bool,
                                cudaStream_t stream, Decomposer decomposer = {})
    {
        const auto whole = [=](const auto &sorter) { sorter.sort(0, n); };
        return run(storage, bytes, keys, values, n, whole, begin_bit, end_bit, stream, decomposer);
    }
};

template <SortOrder order, class Key, class Value, class Begin, class End, class N, class... Rest>
struct simt_segmented_radix_sort {
    static cudaError_t Dispatch(void *storage, size_t &bytes, DoubleBuffer<Key> &keys,
                                DoubleBuffer<Value> &values, N n, N segments, Begin begin, End end,
                                int begin_bit, int end_bit, bool, cudaStream_t stream)
    {
        const auto each = [=](const auto &sorter) {
            for (N i = 0; i < segments; i++)
                sorter.sort(begin[i], end[i]);
        };
        return simt_radix_sort<order, Key, Value, N>::run(storage, bytes, keys, values, n, each, begin_bit,
                                                          end_bit, stream, {});
    }
};

template <class KeysIn, class ItemsIn, class Keys, class Items, class N, class Compare, class... Rest>
struct simt_merge_sort {
    static cudaError_t Dispatch(void *storage, size_t &bytes, KeysIn keys_in, ItemsIn items_in, Keys keys,
                                Items items, N n, Compare compare, cudaStream_t stream)
    {
        auto work = [=](char *) {
            const thrust::simt_thread policy;
            for (N i = 0; i < n; i++)
                keys[i] = keys_in[i];
            if constexpr (std::is_same_v<Items, NullType *>) {
                thrust::stable_sort(policy, keys, keys + n, compare);
            } else {
                for (N i = 0; i < n; i++)
                    items[i] = items_in[i];
                thrust::stable_sort_by_key(policy, keys, keys + n, items, compare);
            }
        };
        return SIMT_RUN(DeviceMergeSort, 1, work);
    }
};

template <int channels, int active, class In, class Counter, class Level, class N>
struct simt_histogram : DispatchHistogram<channels, active, In, Counter, Level, N> {
    template <class T> using of_channels = ::cuda::std::array<T, active>;
    using base = DispatchHistogram<channels, active, In, Counter, Level, N>;
    using scale = typename base::ScaleTransform;
    using search = typename base::template SearchTransform<const Level *>;

    template <class Decode>
    static cudaError_t run(void *storage, size_t &bytes, In in, of_channels<Counter *> histograms,
                           of_channels<int> levels, of_channels<Decode> decode, N pixels, N rows, N stride,
                           cudaStream_t stream)
    {
        auto work = [=](char *) mutable {
            for (int channel = 0; channel < active; channel++) {
                for (int bin = 0; bin < levels[channel] - 1; bin++)
                    histograms[channel][bin] = 0;
                for (N i = 0; i < rows * pixels; i++) {
                    int bin = -1;
                    decode[channel].template BinSelect<LOAD_DEFAULT>(
                        in[i / pixels * stride + i % pixels * channels + channel], bin, true);
                    if (bin >= 0)
                        histograms[channel][bin]++;
                }
            }
        };
        return SIMT_RUN(DeviceHistogram, 1, work);
    }
    template <class Byte>
    static cudaError_t DispatchEven(void *storage, size_t &bytes, In in, of_channels<Counter *> histograms,
                                    of_channels<int> levels, of_channels<Level> lower,
                                    of_channels<Level> upper, N pixels, N rows, N stride, cudaStream_t stream,
                                    Byte)
    {
        of_channels<scale> decode;
        for (int i = 0; i < active; i++) {
            const cudaError_t error = decode[i].Init(levels[i], upper[i], lower[i]);
            if (error != cudaSuccess) {
                bytes = storage ? bytes : 1;
                return error;
            }
        }
        return run(storage, bytes, in, histograms, levels, decode, pixels, rows, stride, stream);
    }
    template <class Byte>
    static cudaError_t DispatchRange(void *storage, size_t &bytes, In in, of_channels<Counter *> histograms,
                                     of_channels<int> levels, of_channels<const Level *> bounds, N pixels,
                                     N rows, N stride, cudaStream_t stream, Byte)
    {
        of_channels<search> decode;
        for (int i = 0; i < active; i++)
            decode[i].Init(bounds[i], levels[i]);
        return run(storage, bytes, in, histograms, levels, decode, pixels, rows, stride, stream);
    }
};

CUB_NAMESPACE_END

#define DispatchHistogram          simt_histogram
#define DispatchMergeSort          simt_merge_sort
#define DispatchRadixSort          simt_radix_sort
#define DispatchReduce             simt_reduce
#define DispatchReduceByKey        simt_reduce_by_key
#define DispatchScan               simt_scan
#define DispatchScanByKey          simt_scan_by_key
#define DispatchSegmentedRadixSort simt_segmented_radix_sort
#define DispatchSegmentedReduce    simt_segmented_reduce
#define DispatchSelectIf           simt_select
#define DispatchTransformReduce    simt_transform_reduce
#include <cub/cub.cuh>
#undef DispatchHistogram
#undef DispatchMergeSort
#undef DispatchRadixSort
#undef DispatchReduce
#undef DispatchReduceByKey
#undef DispatchScan
#undef DispatchScanByKey
#undef DispatchSegmentedRadixSort
#undef DispatchSegmentedReduce
#undef DispatchSelectIf
#undef DispatchTransformReduce

#endif
