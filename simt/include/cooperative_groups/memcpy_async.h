/* cooperative_groups/memcpy_async.h: copies by the threads of a group, which are done at once; wait() waits for all of them. C++. */
#ifndef SIMT_CG_MEMCPY_ASYNC_H
#define SIMT_CG_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda/barrier"

namespace cooperative_groups
{

template <class Group>
__attribute__((__always_inline__)) static inline void memcpy_async(const Group &group, void *to,
                                                                   const void *from, size_t bytes)
{
    cuda::simt_copy_by(group, to, from, bytes);
}
template <class Group> __attribute__((__always_inline__)) static inline void wait(const Group &group)
{
    group.sync();
}
template <unsigned __Before, class Group>
__attribute__((__always_inline__)) static inline void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
