/* parts.cpp: the table of a lab's functions (see parts.h), made from the lab's parts.def.
 *
 * It is compiled once for each lab and build, after the lab's contract, so that the compiler rejects a row of
 * parts.def that differs from the contract. The way to call a function is derived from its type. This is the only
 * reason for C++: the file uses nothing of the C++ library and is linked into C or CUDA programs. */
#include "parts.h"
#include <type_traits>
#include <utility>

/* A function that the student's file does not define is null. */
#define PART(returns, function, arguments, stock) extern "C" returns function arguments __attribute__((weak));
#include "parts.def"
#undef PART

#ifdef __SIMT__
/* The compiler's hooks. The function that makes these calls counts as the student's outermost one. Its frame
 * contains the arguments that are passed in memory, which the part may read and change. */
#define ENTERED __tsan_func_entry
#define LEFT __tsan_func_exit
extern "C" void ENTERED(void *caller);
extern "C" void LEFT();
#else
#define ENTERED(caller) (void)(caller)
#define LEFT()
#endif

/* Hidden, so that a submission cannot replace any of it by its own definitions. */
namespace
{

template <class T> T argument(const part_value &value)
{
    if constexpr (std::is_pointer_v<T>)
        return static_cast<T>(value.pointer);
    else
        return static_cast<T>(value.integer);
}

template <auto function> struct caller;
template <class Result, class... Arguments, Result (*function)(Arguments...)> struct caller<function> {
    enum { count = sizeof...(Arguments) };

    template <std::size_t... i> static Result spread(const part_value values[], std::index_sequence<i...>)
    {
        return function(argument<Arguments>(values[i])...);
    }

    static uint64_t call(const part_value values[])
    {
        uint64_t result = 0;
        ENTERED(__builtin_return_address(0));
        if constexpr (std::is_void_v<Result>)
            spread(values, std::index_sequence_for<Arguments...>());
        else
            result = spread(values, std::index_sequence_for<Arguments...>());
        LEFT();
        return result;
    }
};

} // namespace

extern "C" const struct part lab_parts[] __attribute__((visibility("default")));
const struct part lab_parts[] = {
#define PART(returns, function, arguments, stock)                                                            \
    {#function, (void (*)())function, caller<function>::call, caller<function>::count, stock},
#include "parts.def"
#undef PART
    {nullptr, nullptr, nullptr, 0, 0},
};
