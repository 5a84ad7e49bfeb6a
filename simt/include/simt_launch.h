/* simt_launch.h: the C++17 code that a translated kernel launch calls, and the module's registration. Internal to
 * cuda_runtime.h, which includes it last.
 *
 *     kernel<<<grid, block, bytes, stream>>>(a, b)
 *
 * becomes simt::__launch(simt::config(grid, block, bytes, stream), pointer, taken, call, a, b). If the kernel's name
 * means one function, `pointer` returns its address, and the arguments are converted to its parameter types once, in
 * host code, as CUDA does. If template arguments must still be deduced, `pointer` is not callable, and `call` deduces
 * them from copies of the arguments. An argument of a class whose parameter has another type, as when an array's owner
 * is passed for a pointer, is converted first; `taken`, which is never called, says to what. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <type_traits>
#include <utility>

extern "C" {
struct simt_configuration {
    uint3 __grid, __of_block;
    size_t __dynamic_bytes;
    void *stream;
};
void simt_launch(const struct simt_configuration *__configuration, const void *kernel, int cooperative,
                 void (*__body)(void *), void *__arguments, size_t bytes);
void __tsan_read_range(void *address, size_t bytes);
void simt_narrow_argument(const void *kernel, unsigned long long value, unsigned __bits);
void *simt_dynamic_shared_base(void);

/* A local array of a kernel's thread. One bit for each byte of the array follows this struct in memory. */
struct simt_local_memory {
    char *begin;
    size_t bytes, __element_size;
    const char *name;
    struct simt_local_memory *__outer; /* the array declared before this one */
};
void simt_local_begin(struct simt_local_memory *__memory, void *__variable, size_t bytes,
                      size_t __element_size, const char *name);
void simt_local_end(struct simt_local_memory *__memory);

struct simt_module_ranges {
    char *__device_begin, *__device_end;
    char *__constant_begin, *__constant_end;
    char *__managed_begin, *__managed_end;
    char *__anchor;
    const void *code;
    int __fences;
};
void simt_register_module(const struct simt_module_ranges *__ranges);
void simt_unregister_module(const void *code);
}

namespace simt
{

/* Marks code that runs in a thread but is not the student's: its accesses are not checked. */
#define SIMT_UNSEEN __attribute__((__no_sanitize__("thread"), __no_sanitize__("bounds"), __noinline__))

/* A literal 0 or NULL as a launch argument, which converts to the parameter's type. */
struct __zero {
    template <class __T> operator __T() const
    {
        return __T();
    }
};
template <class __T> SIMT_UNSEEN inline __T &&__plain(__T &&__argument)
{
    return static_cast<__T &&>(__argument);
}
SIMT_UNSEEN inline int __plain(__zero)
{
    return 0;
}

/* An argument {a, b}: `make` returns it as the parameter's type, whatever that is. */
template <class __T> struct __made {
    typedef __T type;
};
template <class __F> struct __braced {
    __F __make;

    explicit __braced(__F __by) : __make(__by)
    {
    }
    template <class __T> operator __T() const
    {
        return __make(__made<__T>{});
    }
};

struct __tag {
};
template <class... __P> auto __kernel_pointer(__tag, void (*kernel)(__P...))
{
    return kernel;
}

inline uint3 extent(dim3 d)
{
    return uint3{d.x, d.y, d.z};
}
inline simt_configuration config(dim3 __grid, dim3 __of_block = 1, size_t bytes = 0, cudaStream_t stream = 0)
{
    return simt_configuration{extent(__grid), extent(__of_block), bytes, (void *)stream};
}

/* One argument of a launch: the parameter, made once in host code for all threads. */
template <size_t __i, class __T> struct __kept {
    __T value;

    template <class __A> SIMT_UNSEEN __kept(__A &&__argument) : value(__implicitly<__A>(__argument))
    {
    }
    /* Allows only implicit conversions, as in a call. */
    template <class __A> static decltype(auto) __implicitly(std::remove_reference_t<__A> &__argument)
    {
        if constexpr (std::is_same_v<std::decay_t<__A>, __T>)
            return static_cast<__A &&>(__argument);
        else
            return [&]() -> __T { return static_cast<__A &&>(__argument); }();
    }
};

/* What a launch keeps of an argument for a parameter: the address for a reference, as on a GPU, and else a copy. */
template <class __P>
using __keeps =
    std::conditional_t<std::is_lvalue_reference_v<__P>, std::remove_reference_t<__P> *, std::decay_t<__P>>;
template <class __P, class __A> SIMT_UNSEEN constexpr decltype(auto) __to_keep(__A &&__argument)
{
    if constexpr (std::is_lvalue_reference_v<__P>) {
        __P __bound = static_cast<__A &&>(__argument);
        return __builtin_addressof(__bound);
    } else {
        return static_cast<__A &&>(__argument);
    }
}

/* Whether a parameter is passed as its bytes. For other classes a function gets the address of an object, as in the
 * Itanium C++ ABI. */
template <class __T>
constexpr bool __is_passed_by_value = !std::is_class_v<__T> || (std::is_trivially_copy_constructible_v<__T> &&
                                                                std::is_trivially_move_constructible_v<__T> &&
                                                                std::is_trivially_destructible_v<__T>);

/* A thread's copy of an argument: its bytes, as on a GPU, where no constructor runs for a thread. */
template <class __T, bool = __is_passed_by_value<__T>> struct __image {
    typedef __T __parameter;
    __T value;

    SIMT_UNSEEN __image(const __T &__kept) : value(__kept)
    {
    }
    SIMT_UNSEEN __T __passed() const
    {
        return value;
    }
    SIMT_UNSEEN __T &object()
    {
        return value;
    }
};
template <class __T> struct __image<__T, false> {
    typedef __T *__parameter;
    struct __attribute__((__may_alias__)) __contents {
        alignas(__T) unsigned char byte[sizeof(__T)];
    } bytes;

    SIMT_UNSEEN __image(const __T &__kept) : bytes((const __contents &)__kept)
    {
    }
    SIMT_UNSEEN __T *__passed()
    {
        return (__T *)&bytes;
    }
    SIMT_UNSEEN __T &object()
    {
        return (__T &)bytes;
    }
};

/* Each thread begins with `body`, which calls only the kernel. */
template <class __S, class... __P> struct __bound_of;
template <size_t... __i, class... __P>
struct __bound_of<std::index_sequence<__i...>, __P...> : __kept<__i, __keeps<__P>>... {
    void (*kernel)(__P...);

    SIMT_UNSEEN static void __body(void *__self)
    {
        __bound_of *__bound = static_cast<__bound_of *>(__self);
        auto kernel = (void (*)(typename __image<__keeps<__P>>::__parameter...))__bound->kernel;
        kernel(__image<__keeps<__P>>(static_cast<__kept<__i, __keeps<__P>> *>(__bound)->value).__passed()...);
    }
};
template <class... __P> using __bound = __bound_of<std::index_sequence_for<__P...>, __P...>;

/* Reports an integer that the parameter cannot hold to the device. */
template <class __P, class __A>
inline __attribute__((__always_inline__)) void __note_narrowing(const void *kernel, const __A &__argument)
{
    if constexpr (std::is_integral_v<__P> && std::is_integral_v<__A> && !std::is_same_v<__P, bool> &&
                  sizeof(__P) < sizeof(__A))
        if (static_cast<__A>(static_cast<__P>(__argument)) != __argument)
            simt_narrow_argument(kernel, (unsigned long long)__argument, 8 * sizeof(__P));
}

/* Reports the read of a struct to the device, because the copy that a call makes of its argument has no hook. */
template <class __P, class __A>
inline __attribute__((__always_inline__)) void __note_read(const __A &__argument)
{
    if constexpr (std::is_class_v<__A> && !std::is_empty_v<__A> && !std::is_lvalue_reference_v<__P>)
        __tsan_read_range((void *)&__argument, sizeof __argument);
}

/* Launches a plain function, whose address and parameter types are known. */
template <class... __P, class... __A>
inline __attribute__((__always_inline__)) void __launch_pointer(const simt_configuration &__configuration,
                                                                int cooperative, void (*kernel)(__P...),
                                                                __A &&...__arguments)
{
    static_assert(sizeof...(__P) == sizeof...(__A),
                  "the launch passes another number of arguments than the kernel takes");
    (__note_narrowing<std::decay_t<__P>>((const void *)kernel, __arguments), ...);
    (__note_read<__P>(__arguments), ...);
    __bound<__P...> __call{{__to_keep<__P>(static_cast<__A &&>(__arguments))}..., kernel};
    simt_launch(&__configuration, (const void *)kernel, cooperative, __bound<__P...>::__body, &__call,
                sizeof __call);
}

/* A launch whose <<<...>>> is a macro is `kernel ->* __configured{...}(a, b)`. */
template <class __L> struct __prepared {
    __L __launches;
};
struct __configured {
    simt_configuration __configuration;

    template <class... __A>
    inline __attribute__((__always_inline__)) auto operator()(__A &&...__arguments) const
    {
        auto __launches = [&](auto *kernel) __attribute__((__always_inline__))
        {
            __launch_pointer(__configuration, 0, kernel, static_cast<__A &&>(__arguments)...);
        };
        return __prepared<decltype(__launches)>{__launches};
    }
};
template <class... __P, class __L>
inline __attribute__((__always_inline__)) void operator->*(void (*kernel)(__P...),
                                                           const __prepared<__L> &__launch)
{
    __launch.__launches(kernel);
}

template <class __S, class __C, class... __A> struct __deduced_of;
template <size_t... __i, class __C, class... __A>
struct __deduced_of<std::index_sequence<__i...>, __C, __A...> : __kept<__i, __A>... {
    __C *kernel;

    SIMT_UNSEEN static void __body(void *__self)
    {
        __deduced_of *__bound = static_cast<__deduced_of *>(__self);
        (*__bound->kernel)(__image<__A>(static_cast<__kept<__i, __A> *>(__bound)->value).object()...);
    }
};
template <class __C, class... __A>
using __deduced = __deduced_of<std::index_sequence_for<__A...>, __C, __A...>;

/* Launches by a call of the kernel's name, with copies of the arguments. */
template <class... __A, class __C>
inline __attribute__((__always_inline__)) void __launch_call(const simt_configuration &__configuration,
                                                             __C &__call, __A... __arguments)
{
    __deduced<__C, __A...> __bound{{__arguments}..., &__call};
    simt_launch(&__configuration, nullptr, 0, __deduced<__C, __A...>::__body, &__bound, sizeof __bound);
}

/* Whether the pointer is known and takes these arguments. */
template <class __P, class... __A> constexpr bool __takes()
{
    if constexpr (std::is_invocable_v<__P, __tag>)
        return std::is_invocable_v<std::invoke_result_t<__P, __tag>, __A...>;
    else
        return false;
}

/* Finds the type that a parameter of a deduced call has, without being told: the argument is replaced by a __stand_in,
 * which converts to any type that the argument converts to. When the compiler chooses a conversion, it defines the
 * function __answer of this argument of this launch, whose result has the type. A parameter whose type is deduced from the
 * argument takes the __stand_in itself, and chooses none. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#pragma GCC diagnostic ignored "-Wunused-function"
template <class __F, size_t __i> struct __question {
    friend auto __answer(__question);
};
template <class __Q, class __T> struct __answered {
    friend auto __answer(__Q)
    {
        return __made<__T>{};
    }
};
#pragma GCC diagnostic pop
template <class __Q, class __A> struct __stand_in {
    template <class __T, class = std::enable_if_t<std::is_convertible_v<__A, __T>>,
              size_t = sizeof(__answered<__Q, __T>)>
    operator __T() const;
};
template <class __Q, class __A, class = void> struct __answer_of {
    typedef std::decay_t<__A> type; /* its parameter's type is deduced from it */
};
template <class __Q, class __A>
struct __answer_of<__Q, __A, std::void_t<decltype(__answer(__Q()))>> : decltype(__answer(__Q())) {
};
template <class...> struct __list {
};
/* The type of what a deduced launch keeps of argument i, which has type __A. */
template <class __F, size_t __i, class __A, class... __all, size_t... __j>
constexpr auto __kept_type(__list<__all...>, std::index_sequence<__j...>)
{
    typedef __question<__F, __i> __q;
    if constexpr (!std::is_class_v<std::remove_reference_t<__A>>)
        return __made<std::decay_t<__A>>{};
    else if constexpr (std::is_invocable_v<__F,
                                           std::conditional_t<__i == __j, __stand_in<__q, __A>, __all>...>)
        return __made<typename __answer_of<__q, __A>::type>{};
    else
        return __made<std::decay_t<__A>>{};
}
template <class __F, class __C, size_t... __i, class... __A>
inline __attribute__((__always_inline__)) void
__launch_deduced(const simt_configuration &__configuration, __C &__call, std::index_sequence<__i...> __all,
                 __A &&...__arguments)
{
    __launch_call<typename decltype(__kept_type<__F, __i, __A>(__list<__A...>{}, __all))::type...>(
        __configuration, __call, static_cast<__A &&>(__arguments)...);
}

/* The call also handles default arguments, and arguments that the kernel does not take: there g++ sees the kernel
 * and the arguments, and reports the error on the student's line. */
template <class __P, class __F, class __C, class... __A>
inline __attribute__((__always_inline__)) void __launch(const simt_configuration &__configuration,
                                                        __P pointer, __F, __C __call, __A &&...__arguments)
{
    if constexpr (__takes<__P, __A...>())
        __launch_pointer(__configuration, 0, pointer(__tag{}), static_cast<__A &&>(__arguments)...);
    else if constexpr (std::is_invocable_v<__P, __tag>)
        __launch_call<std::decay_t<__A>...>(__configuration, __call, static_cast<__A &&>(__arguments)...);
    else
        __launch_deduced<__F>(__configuration, __call, std::index_sequence_for<__A...>{},
                              __plain(static_cast<__A &&>(__arguments))...);
}

/* extern __shared__ T name[] becomes T (&name)[] = simt::__dynamic_shared. */
template <class __T> using __unbounded = __T[];
struct __dynamic_shared_memory {
    template <class __T> SIMT_UNSEEN operator __unbounded<__T> &() const
    {
        return *reinterpret_cast<__T(*)[]>(simt_dynamic_shared_base());
    }
};
static constexpr __dynamic_shared_memory __dynamic_shared{};

/* cudac declares one after each local array of a device function. It makes the device see all accesses to the
 * array, and lets it find reads before the first write. */
template <class __T> struct __local_array {
    simt_local_memory __memory;
    uint64_t __written[(sizeof(__T) + 63) / 64]; /* one bit for each byte */

    static constexpr bool __begins_as_junk =
        std::is_array_v<__T> && std::is_trivially_default_constructible_v<std::remove_all_extents_t<__T>>;

    __attribute__((__always_inline__)) explicit __local_array(__T &__variable, const char *name)
    {
        if constexpr (__begins_as_junk)
            simt_local_begin(&__memory, (void *)&__variable, sizeof __variable,
                             sizeof(std::remove_extent_t<__T>), name);
    }
    __attribute__((__always_inline__)) ~__local_array()
    {
        if constexpr (__begins_as_junk)
            simt_local_end(&__memory);
    }
};

} // namespace simt

/* ---- the module --------------------------------------------------------------------------------------------- */

extern "C" {
extern char __start_simt_device[] __attribute__((__weak__, __visibility__("hidden")));
extern char __stop_simt_device[] __attribute__((__weak__, __visibility__("hidden")));
extern char __start_simt_constant[] __attribute__((__weak__, __visibility__("hidden")));
extern char __stop_simt_constant[] __attribute__((__weak__, __visibility__("hidden")));
extern char __start_simt_managed[] __attribute__((__weak__, __visibility__("hidden")));
extern char __stop_simt_managed[] __attribute__((__weak__, __visibility__("hidden")));
extern char __start_simt_fences[] __attribute__((__weak__, __visibility__("hidden")));
extern char __stop_simt_fences[] __attribute__((__weak__, __visibility__("hidden")));
}

static thread_local volatile char simt_tls_anchor;

SIMT_SPACE("__host__") static __attribute__((__constructor__, __used__)) SIMT_UNSEEN void simt_module_begin()
{
    simt_tls_anchor = 1;
    const simt_module_ranges __ranges = {__start_simt_device,
                                         __stop_simt_device,
                                         __start_simt_constant,
                                         __stop_simt_constant,
                                         __start_simt_managed,
                                         __stop_simt_managed,
                                         (char *)&simt_tls_anchor,
                                         (const void *)simt_module_begin,
                                         &__start_simt_fences[0] != &__stop_simt_fences[0]};
    simt_register_module(&__ranges);
}

static __attribute__((__destructor__, __used__)) SIMT_UNSEEN void simt_module_end()
{
    simt_unregister_module((const void *)simt_module_begin);
}

#endif
