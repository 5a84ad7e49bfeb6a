/* simt_launch.h: the C++17 code that a translated kernel launch calls, and the module's registration. Internal to
 * cuda_runtime.h, which includes it last.
 *
 *     kernel<<<grid, block, bytes, stream>>>(a, b)
 *
 * becomes simt::launch(simt::config(grid, block, bytes, stream), pointer, call, a, b). If the kernel's name means
 * one function, `pointer` returns its address, and the arguments are converted to its parameter types once, in host
 * code, as CUDA does. If template arguments must still be deduced, `pointer` is not callable, and `call` deduces
 * them from copies of the arguments. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <type_traits>
#include <utility>

extern "C" {
struct simt_configuration {
    uint3 grid, block;
    size_t dynamic_bytes;
    void *stream;
};
void simt_launch(const struct simt_configuration *configuration, const void *kernel, int cooperative,
                 void (*body)(void *), void *arguments, size_t bytes);
void __tsan_read_range(void *address, size_t bytes);
void simt_narrow_argument(const void *kernel, unsigned long long value, unsigned bits);
void *simt_dynamic_shared_base(void);

/* A local array of a kernel's thread. One bit for each byte of the array follows this struct in memory. */
struct simt_local_memory {
    char *begin;
    size_t bytes, element_size;
    const char *name;
    struct simt_local_memory *outer; /* the array declared before this one */
};
void simt_local_begin(struct simt_local_memory *memory, void *variable, size_t bytes, size_t element_size,
                      const char *name);
void simt_local_end(struct simt_local_memory *memory);

struct simt_module_ranges {
    char *device_begin, *device_end;
    char *constant_begin, *constant_end;
    char *managed_begin, *managed_end;
    char *anchor;
    const void *code;
    int fences;
};
void simt_register_module(const struct simt_module_ranges *ranges);
void simt_unregister_module(const void *code);
}

namespace simt
{

/* Marks code that runs in a thread but is not the student's: its accesses are not checked. */
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize("bounds"), noinline))

/* A literal 0 or NULL as a launch argument, which converts to the parameter's type. */
struct zero {
    template <class T> operator T() const
    {
        return T();
    }
};
template <class T> SIMT_UNSEEN inline T &&plain(T &&argument)
{
    return static_cast<T &&>(argument);
}
SIMT_UNSEEN inline int plain(zero)
{
    return 0;
}

/* An argument {a, b}: `make` returns it as the parameter's type, whatever that is. */
template <class T> struct made {
    typedef T type;
};
template <class F> struct braced {
    F make;

    explicit braced(F by) : make(by)
    {
    }
    template <class T> operator T() const
    {
        return make(made<T>{});
    }
};

struct tag {
};
template <class... P> auto kernel_pointer(tag, void (*kernel)(P...))
{
    return kernel;
}

inline uint3 extent(dim3 d)
{
    return uint3{d.x, d.y, d.z};
}
inline simt_configuration config(dim3 grid, dim3 block = 1, size_t bytes = 0, cudaStream_t stream = 0)
{
    return simt_configuration{extent(grid), extent(block), bytes, (void *)stream};
}

/* One argument of a launch: the parameter, made once in host code for all threads. */
template <size_t i, class T> struct kept {
    T value;

    template <class A> SIMT_UNSEEN kept(A &&argument) : value(implicitly<A>(argument))
    {
    }
    /* Allows only implicit conversions, as in a call. */
    template <class A> static decltype(auto) implicitly(std::remove_reference_t<A> &argument)
    {
        if constexpr (std::is_same_v<std::decay_t<A>, T>)
            return static_cast<A &&>(argument);
        else
            return [&]() -> T { return static_cast<A &&>(argument); }();
    }
};

/* Whether a parameter is passed as its bytes. For other classes a function gets the address of an object, as in the
 * Itanium C++ ABI. */
template <class T>
constexpr bool is_passed_by_value =
    !std::is_class_v<T> || (std::is_trivially_copy_constructible_v<T> &&
                            std::is_trivially_move_constructible_v<T> && std::is_trivially_destructible_v<T>);

/* A thread's copy of an argument: its bytes, as on a GPU, where no constructor runs for a thread. */
template <class T, bool = is_passed_by_value<T>> struct image {
    typedef T parameter;
    T value;

    SIMT_UNSEEN image(const T &kept) : value(kept)
    {
    }
    SIMT_UNSEEN T passed() const
    {
        return value;
    }
    SIMT_UNSEEN T &object()
    {
        return value;
    }
};
template <class T> struct image<T, false> {
    typedef T *parameter;
    struct __attribute__((may_alias)) contents {
        alignas(T) unsigned char byte[sizeof(T)];
    } bytes;

    SIMT_UNSEEN image(const T &kept) : bytes((const contents &)kept)
    {
    }
    SIMT_UNSEEN T *passed()
    {
        return (T *)&bytes;
    }
    SIMT_UNSEEN T &object()
    {
        return (T &)bytes;
    }
};

/* Each thread begins with `body`, which calls only the kernel. */
template <class S, class... P> struct bound_of;
template <size_t... i, class... P>
struct bound_of<std::index_sequence<i...>, P...> : kept<i, std::decay_t<P>>... {
    void (*kernel)(P...);

    SIMT_UNSEEN static void body(void *self)
    {
        bound_of *bound = static_cast<bound_of *>(self);
        auto kernel = (void (*)(typename image<std::decay_t<P>>::parameter...))bound->kernel;
        kernel(image<std::decay_t<P>>(static_cast<kept<i, std::decay_t<P>> *>(bound)->value).passed()...);
    }
};
template <class... P> using bound = bound_of<std::index_sequence_for<P...>, P...>;

/* Reports an integer that the parameter cannot hold to the device. */
template <class P, class A>
inline __attribute__((always_inline)) void note_narrowing(const void *kernel, const A &argument)
{
    if constexpr (std::is_integral_v<P> && std::is_integral_v<A> && !std::is_same_v<P, bool> &&
                  sizeof(P) < sizeof(A))
        if (static_cast<A>(static_cast<P>(argument)) != argument)
            simt_narrow_argument(kernel, (unsigned long long)argument, 8 * sizeof(P));
}

/* Reports the read of a struct to the device, because the copy that a call makes of its argument has no hook. */
template <class A> inline __attribute__((always_inline)) void note_read(const A &argument)
{
    if constexpr (std::is_class_v<A> && !std::is_empty_v<A>)
        __tsan_read_range((void *)&argument, sizeof argument);
}

/* Launches a plain function, whose address and parameter types are known. */
template <class... P, class... A>
inline __attribute__((always_inline)) void launch_pointer(const simt_configuration &configuration,
                                                          int cooperative, void (*kernel)(P...),
                                                          A &&...arguments)
{
    static_assert(sizeof...(P) == sizeof...(A),
                  "the launch passes another number of arguments than the kernel takes");
    (note_narrowing<std::decay_t<P>>((const void *)kernel, arguments), ...);
    (note_read(arguments), ...);
    bound<P...> call{{static_cast<A &&>(arguments)}..., kernel};
    simt_launch(&configuration, (const void *)kernel, cooperative, bound<P...>::body, &call, sizeof call);
}

template <class S, class C, class... A> struct deduced_of;
template <size_t... i, class C, class... A>
struct deduced_of<std::index_sequence<i...>, C, A...> : kept<i, A>... {
    C *kernel;

    SIMT_UNSEEN static void body(void *self)
    {
        deduced_of *bound = static_cast<deduced_of *>(self);
        (*bound->kernel)(image<A>(static_cast<kept<i, A> *>(bound)->value).object()...);
    }
};
template <class C, class... A> using deduced = deduced_of<std::index_sequence_for<A...>, C, A...>;

/* Launches by a call of the kernel's name, with copies of the arguments. */
template <class... A, class C>
inline __attribute__((always_inline)) void launch_call(const simt_configuration &configuration, C &call,
                                                       A... arguments)
{
    deduced<C, A...> bound{{arguments}..., &call};
    simt_launch(&configuration, nullptr, 0, deduced<C, A...>::body, &bound, sizeof bound);
}

/* Whether the pointer is known and takes these arguments. */
template <class P, class... A> constexpr bool takes()
{
    if constexpr (std::is_invocable_v<P, tag>)
        return std::is_invocable_v<std::invoke_result_t<P, tag>, A...>;
    else
        return false;
}

/* The call also handles default arguments, and arguments that the kernel does not take: there g++ sees the kernel
 * and the arguments, and reports the error on the student's line. */
template <class P, class C, class... A>
inline __attribute__((always_inline)) void launch(const simt_configuration &configuration, P pointer, C call,
                                                  A &&...arguments)
{
    if constexpr (takes<P, A...>())
        launch_pointer(configuration, 0, pointer(tag{}), static_cast<A &&>(arguments)...);
    else if constexpr (std::is_invocable_v<P, tag>)
        launch_call<std::decay_t<A>...>(configuration, call, static_cast<A &&>(arguments)...);
    else
        launch_call<std::decay_t<decltype(plain(static_cast<A &&>(arguments)))>...>(
            configuration, call, plain(static_cast<A &&>(arguments))...);
}

/* extern __shared__ T name[] becomes T (&name)[] = simt::dynamic_shared. */
template <class T> using unbounded = T[];
struct dynamic_shared_memory {
    template <class T> SIMT_UNSEEN operator unbounded<T> &() const
    {
        return *reinterpret_cast<T(*)[]>(simt_dynamic_shared_base());
    }
};
static constexpr dynamic_shared_memory dynamic_shared{};

/* cudac declares one after each local array of a device function. It makes the device see all accesses to the
 * array, and lets it find reads before the first write. */
template <class T> struct local {
    simt_local_memory memory;
    uint64_t written[(sizeof(T) + 63) / 64]; /* one bit for each byte */

    static constexpr bool begins_as_junk =
        std::is_array_v<T> && std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>>;

    __attribute__((always_inline)) explicit local(T &variable, const char *name)
    {
        if constexpr (begins_as_junk)
            simt_local_begin(&memory, (void *)&variable, sizeof variable, sizeof(std::remove_extent_t<T>),
                             name);
    }
    __attribute__((always_inline)) ~local()
    {
        if constexpr (begins_as_junk)
            simt_local_end(&memory);
    }
};

} // namespace simt

/* ---- the module --------------------------------------------------------------------------------------------- */

extern "C" {
extern char __start_simt_device[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_device[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_constant[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_managed[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_fences[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_fences[] __attribute__((weak, visibility("hidden")));
}

static thread_local volatile char simt_tls_anchor;

SIMT_SPACE("__host__") static __attribute__((constructor, used)) SIMT_UNSEEN void simt_module_begin()
{
    simt_tls_anchor = 1;
    const simt_module_ranges ranges = {__start_simt_device,
                                       __stop_simt_device,
                                       __start_simt_constant,
                                       __stop_simt_constant,
                                       __start_simt_managed,
                                       __stop_simt_managed,
                                       (char *)&simt_tls_anchor,
                                       (const void *)simt_module_begin,
                                       &__start_simt_fences[0] != &__stop_simt_fences[0]};
    simt_register_module(&ranges);
}

static __attribute__((destructor, used)) SIMT_UNSEEN void simt_module_end()
{
    simt_unregister_module((const void *)simt_module_begin);
}

#endif
