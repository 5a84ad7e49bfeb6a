/* simt_cuda_std.h: cuda::std, where NVIDIA's is not fetched: the host's library, and what C++17 does not have of it. C++.
 * If simt_cuda_std() is there, simt/spaces/ lets device code call constexpr functions and pairs, tuples, arrays and optionals of
 * the library, unless they are spelled std::. */
#ifndef SIMT_CUDA_STD_H
#define SIMT_CUDA_STD_H

#ifdef SIMT_SPACES
__attribute__((__used__)) static inline void simt_cuda_std()
{
}
#endif

#include <type_traits>

namespace cuda
{
namespace std
{
using namespace ::std;
template <class __T> using remove_cvref_t = remove_cv_t<remove_reference_t<__T>>;
} // namespace std
} // namespace cuda

#endif
