/* simt_thrust.h: Thrust on the CPU device. C++, read by simtcc before a source that includes Thrust's headers.
 *
 * The headers are NVIDIA's own (simt/thrust/fetch). Compiled without nvcc they leave out the algorithms of their CUDA
 * system, and have everything else: vectors, iterators, policies, and a sequential version of each algorithm. This
 * header supplies the algorithms for data on the device. Each is one launch of one thread, which runs the sequential
 * version, so the device checks its accesses like those of any kernel. */
#ifndef SIMT_THRUST_H
#define SIMT_THRUST_H

#include "simt_cccl.h"

/* The device names the program's lines instead of Thrust's if it finds this: see simt/core/caller.h. */
extern "C" {
__attribute__((weak, visibility("default"))) char simt_thrust_in_use;
}

/* Some are for this header, the others because nvcc's version of a common header includes them. */
#include <thrust/copy.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/sequence.h>
#include <thrust/system/cuda/detail/cross_system.h>
#include <thrust/system/cuda/detail/par.h>
#include <thrust/swap.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/zip_function.h>

THRUST_NAMESPACE_BEGIN

#if defined(SIMT_CUDA) && SIMT_CUDA == 12 /* simtcc --cuda=12: what Thrust has lost with CUDA 13 */
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
template <class T> struct identity : unary_function<T, T> {
    const T &operator()(const T &x) const
    {
        return x;
    }
};
#endif

/* The policy of code in a kernel. It belongs to this namespace so that a call by an algorithm's bare name finds the
 * algorithm. */
struct simt_thread : system::detail::sequential::execution_policy<simt_thread> {
    simt_thread() = default;
    /* As for seq_t: memory of any system can be used together with that of the thread. */
    template <class D> simt_thread(const execution_policy<D> &)
    {
    }
};

namespace cuda_cub
{

/* Copies a result from the kernel's thread to the host. */
template <class R> SIMT_UNSEEN void simt_hand_back(const R &result, unsigned char *to)
{
    const volatile unsigned char *from = reinterpret_cast<const volatile unsigned char *>(&result);
    for (size_t i = 0; i < sizeof result; i++)
        to[i] = from[i];
}

template <class D> void simt_wait(execution_policy<D> &policy, const char *algorithm)
{
    throw_on_error(synchronize(policy), algorithm);
}

/* Launches the kernel of an algorithm, and returns its result. */
template <class R, class D, class K, class... A>
R simt_run(execution_policy<D> &policy, const char *algorithm, K kernel, A &...arguments)
{
    const simt_configuration one_thread = simt::config(1, 1, 0, stream(policy));
    if constexpr (std::is_void_v<R>) {
        simt::__launch_pointer(one_thread, 0, kernel, static_cast<unsigned char *>(nullptr), arguments...);
        simt_wait(policy, algorithm);
    } else {
        union result {
            unsigned char bytes[sizeof(R)];
            R value;
            result() : bytes()
            {
            }
            ~result()
            {
            }
        } result;
        simt::__launch_pointer(one_thread, 0, kernel, +result.bytes, arguments...);
        simt_wait(policy, algorithm);
        return result.value;
    }
}

#define SIMT_RESULT(name) decltype(name(std::declval<const simt_thread &>(), std::declval<A &>()...))
#define SIMT_ALGORITHM(name)                                                                                 \
    namespace simt_kernels                                                                                   \
    {                                                                                                        \
    template <class R, class... A> __global__ void name(unsigned char *result, A... arguments)               \
    {                                                                                                        \
        const simt_thread policy;                                                                            \
        if constexpr (std::is_void_v<R>)                                                                     \
            name(policy, arguments...);                                                                      \
        else                                                                                                 \
            simt_hand_back<R>(name(policy, arguments...), result);                                           \
    }                                                                                                        \
    }                                                                                                        \
    template <class D, class... A> auto name(execution_policy<D> &policy, A... arguments)                    \
    {                                                                                                        \
        using R = SIMT_RESULT(name);                                                                         \
        if (simt_in_kernel())                                                                                \
            return name(static_cast<const simt_thread &>(simt_thread()), arguments...);                      \
        return simt_run<R>(policy, #name, simt_kernels::name<R, A...>, arguments...);                        \
    }

SIMT_ALGORITHM(adjacent_difference)
SIMT_ALGORITHM(all_of)
SIMT_ALGORITHM(any_of)
SIMT_ALGORITHM(none_of)
SIMT_ALGORITHM(binary_search)
SIMT_ALGORITHM(equal_range)
SIMT_ALGORITHM(lower_bound)
SIMT_ALGORITHM(upper_bound)
SIMT_ALGORITHM(copy_if)
SIMT_ALGORITHM(count)
SIMT_ALGORITHM(count_if)
SIMT_ALGORITHM(equal)
SIMT_ALGORITHM(max_element)
SIMT_ALGORITHM(min_element)
SIMT_ALGORITHM(minmax_element)
SIMT_ALGORITHM(fill)
SIMT_ALGORITHM(fill_n)
SIMT_ALGORITHM(find)
SIMT_ALGORITHM(find_if)
SIMT_ALGORITHM(find_if_not)
SIMT_ALGORITHM(for_each)
SIMT_ALGORITHM(for_each_n)
SIMT_ALGORITHM(gather)
SIMT_ALGORITHM(gather_if)
SIMT_ALGORITHM(generate)
SIMT_ALGORITHM(generate_n)
SIMT_ALGORITHM(inner_product)
SIMT_ALGORITHM(is_partitioned)
SIMT_ALGORITHM(is_sorted)
SIMT_ALGORITHM(is_sorted_until)
SIMT_ALGORITHM(merge)
SIMT_ALGORITHM(merge_by_key)
SIMT_ALGORITHM(mismatch)
SIMT_ALGORITHM(partition)
SIMT_ALGORITHM(partition_copy)
SIMT_ALGORITHM(partition_point)
SIMT_ALGORITHM(stable_partition)
SIMT_ALGORITHM(stable_partition_copy)
SIMT_ALGORITHM(reduce)
SIMT_ALGORITHM(reduce_by_key)
SIMT_ALGORITHM(remove)
SIMT_ALGORITHM(remove_if)
SIMT_ALGORITHM(remove_copy)
SIMT_ALGORITHM(remove_copy_if)
SIMT_ALGORITHM(replace)
SIMT_ALGORITHM(replace_if)
SIMT_ALGORITHM(replace_copy)
SIMT_ALGORITHM(replace_copy_if)
SIMT_ALGORITHM(reverse)
SIMT_ALGORITHM(reverse_copy)
SIMT_ALGORITHM(exclusive_scan)
SIMT_ALGORITHM(exclusive_scan_by_key)
SIMT_ALGORITHM(inclusive_scan)
SIMT_ALGORITHM(inclusive_scan_by_key)
SIMT_ALGORITHM(scatter)
SIMT_ALGORITHM(scatter_if)
SIMT_ALGORITHM(sequence)
SIMT_ALGORITHM(set_difference)
SIMT_ALGORITHM(set_difference_by_key)
SIMT_ALGORITHM(set_intersection)
SIMT_ALGORITHM(set_intersection_by_key)
SIMT_ALGORITHM(set_symmetric_difference)
SIMT_ALGORITHM(set_symmetric_difference_by_key)
SIMT_ALGORITHM(set_union)
SIMT_ALGORITHM(set_union_by_key)
SIMT_ALGORITHM(sort)
SIMT_ALGORITHM(sort_by_key)
SIMT_ALGORITHM(stable_sort)
SIMT_ALGORITHM(stable_sort_by_key)
SIMT_ALGORITHM(swap_ranges)
SIMT_ALGORITHM(tabulate)
SIMT_ALGORITHM(transform)
SIMT_ALGORITHM(transform_if)
SIMT_ALGORITHM(transform_reduce)
SIMT_ALGORITHM(transform_exclusive_scan)
SIMT_ALGORITHM(transform_inclusive_scan)
SIMT_ALGORITHM(uninitialized_copy)
SIMT_ALGORITHM(uninitialized_copy_n)
SIMT_ALGORITHM(uninitialized_fill)
SIMT_ALGORITHM(uninitialized_fill_n)
SIMT_ALGORITHM(unique)
SIMT_ALGORITHM(unique_copy)
SIMT_ALGORITHM(unique_by_key)
SIMT_ALGORITHM(unique_by_key_copy)
SIMT_ALGORITHM(unique_count)

/* These two are declared by NVIDIA's headers. Their names here differ, because a call would be ambiguous. */
#define SIMT_DECLARED_ALGORITHM(name)                                                                        \
    namespace simt_kernels                                                                                   \
    {                                                                                                        \
    template <class R, class... A> __global__ void name(unsigned char *result, A... arguments)               \
    {                                                                                                        \
        const simt_thread policy;                                                                            \
        simt_hand_back<R>(name(policy, arguments...), result);                                               \
    }                                                                                                        \
    }                                                                                                        \
    template <class D, class... A> auto simt_##name(execution_policy<D> &policy, A... arguments)             \
    {                                                                                                        \
        using R = SIMT_RESULT(name);                                                                         \
        if (simt_in_kernel())                                                                                \
            return name(static_cast<const simt_thread &>(simt_thread()), arguments...);                      \
        return simt_run<R>(policy, #name, simt_kernels::name<R, A...>, arguments...);                        \
    }
SIMT_DECLARED_ALGORITHM(copy)
SIMT_DECLARED_ALGORITHM(copy_n)

template <class D, class I, class O> O copy(execution_policy<D> &policy, I first, I last, O result)
{
    return simt_copy(policy, first, last, result);
}
template <class D, class I, class N, class O> O copy_n(execution_policy<D> &policy, I first, N n, O result)
{
    return simt_copy_n(policy, first, n, result);
}

/* From the device to the host, when the elements are not copied as their bytes: by way of memory on both sides. */
template <class D, class H, class I, class N, class O>
O cross_system_copy_n(execution_policy<D> &device, cpp::execution_policy<H> &host, I first, N n, O result,
                      thrust::detail::false_type)
{
    using element = thrust::detail::it_value_t<I>;
    thrust::detail::temporary_array<element, D> there(device, n);
    thrust::detail::temporary_array<element, H> here(host, n);
    uninitialized_copy_n(device, first, n, there.data());
    throw_on_error(trivial_copy_from_device(here.data().get(), there.data().get(), n, stream(device)),
                   "copy");
    return thrust::copy_n(host, here.data(), n, result);
}

/* One element, as device_reference and device_ptr read and write it. */
template <class D, class P> thrust::detail::it_value_t<P> get_value(execution_policy<D> &policy, P pointer)
{
    using element = thrust::detail::it_value_t<P>;
    if (simt_in_kernel())
        return *raw_pointer_cast(pointer);
    element value;
    throw_on_error(trivial_copy_from_device(&value, raw_pointer_cast(pointer), 1, stream(policy)),
                   "read of an element");
    return value;
}
template <class D, class P, class Q> void assign_value(execution_policy<D> &policy, P to, Q from)
{
    if (simt_in_kernel())
        *raw_pointer_cast(to) = *raw_pointer_cast(from);
    else
        simt_copy_n(policy, from, 1, to);
}
template <class S, class T, class P, class Q> void assign_value(cross_system<S, T> &systems, P to, Q from)
{
    if (simt_in_kernel()) {
        *raw_pointer_cast(to) = *raw_pointer_cast(from);
    } else {
        cross_system<T, S> rotated = systems.rotate(); /* in the order of a copy: from, to */
        copy(rotated, from, from + 1, to);
    }
}
template <class D, class P, class Q> void iter_swap(execution_policy<D> &policy, P left, Q right)
{
    if (simt_in_kernel()) {
        using ::cuda::std::swap;
        swap(*raw_pointer_cast(left), *raw_pointer_cast(right));
    } else {
        swap_ranges(policy, left, left + 1, right);
    }
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
