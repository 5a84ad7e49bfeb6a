/* simt_device_api.h: the functions of the device that device code calls. The headers in this folder wrap them in
 * CUDA's names; simt/runtime/ defines them. The wrappers are always inlined, so that the return address of each of
 * these functions is in the code of the running kernel. */
#ifndef SIMT_DEVICE_API_H
#define SIMT_DEVICE_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the work meter: each call counts one combine ---------------------------------------------------------- */

void simt_count_combine(void);

/* Counts a combine that joined two parts of a result, neither of them empty. Different operands and results have
 * different values; an operand that is a single element of the input is SIMT_ONE_PART. */
#define SIMT_ONE_PART UINT64_MAX
void simt_count_join(uint64_t __left, uint64_t __right, uint64_t __made);

/* Records the operands and the result of the combine that was just counted, as the bits of values of `bytes` bytes.
 * Called in builds that define SIMT_TRACE. */
void simt_trace_combine(uint64_t __left, uint64_t __right, uint64_t __made, unsigned bytes);

/* ---- atomic operations, which return the old value ----------------------------------------------------------- */

enum simt_atomic {
    SIMT_ATOMIC_ADD,
    SIMT_ATOMIC_SUB,
    SIMT_ATOMIC_EXCHANGE,
    SIMT_ATOMIC_MIN,
    SIMT_ATOMIC_MAX,
    SIMT_ATOMIC_INC, /* wraps to 0 past the operand; INC and DEC are for unsigned only */
    SIMT_ATOMIC_DEC, /* wraps to the operand from 0, and from values above it */
    SIMT_ATOMIC_AND,
    SIMT_ATOMIC_OR,
    SIMT_ATOMIC_XOR
};

int32_t simt_atomic_i32(int32_t *address, int32_t __operand, enum simt_atomic __operation);
uint32_t simt_atomic_u32(uint32_t *address, uint32_t __operand, enum simt_atomic __operation);
int64_t simt_atomic_i64(int64_t *address, int64_t __operand, enum simt_atomic __operation);
uint64_t simt_atomic_u64(uint64_t *address, uint64_t __operand, enum simt_atomic __operation);
float simt_atomic_f32(float *address, float __operand,
                      enum simt_atomic __operation); /* ADD EXCHANGE MIN MAX */
double simt_atomic_f64(double *address, double __operand, enum simt_atomic __operation);

/* Returns 1 when the caller is a thread of a kernel, and 0 when it is host code. */
int simt_in_kernel(void);

/* Gives this thread's next atomic operation block scope. */
void simt_atomic_for_block(void);

/* Compare and swap of 1, 2, 4 or 8 bytes, or of 16: replaces the value by `desired` if it equals `expected` bit for
 * bit, and returns the old value. */
uint64_t simt_atomic_swap_if(void *address, uint64_t __expected, uint64_t __desired, size_t bytes);
unsigned __int128 simt_atomic_swap_if_16(void *address, unsigned __int128 __expected,
                                         unsigned __int128 __desired);

/* Exchange, load and store of 1 to 8 bytes, or of 16. None of them is a fence. */
uint64_t simt_atomic_exchange(void *address, uint64_t __desired, size_t bytes);
unsigned __int128 simt_atomic_exchange_16(void *address, unsigned __int128 __desired);
uint64_t simt_atomic_load(const void *address, size_t bytes);
void simt_atomic_store(void *address, uint64_t value, size_t bytes);

/* ---- blocks ------------------------------------------------------------------------------------------------ */

enum simt_barrier { SIMT_BARRIER_COUNT, SIMT_BARRIER_AND, SIMT_BARRIER_OR };

void simt_barrier(void);
int simt_barrier_vote(int __predicate, enum simt_barrier kind);
void simt_grid_barrier(void); /* for cooperative launches */

/* The translator adds this call to each `return;` of a kernel, so that the device can distinguish threads that
 * reach the kernel's end from threads that returned early. */
void simt_thread_returns(void);

/* The translator adds this call at the beginning of a kernel with __launch_bounds__, with its arguments. */
void simt_launch_bounds(unsigned __threads, ...);

int simt_grid_is_cooperative(void);

enum simt_scope { SIMT_SCOPE_BLOCK, SIMT_SCOPE_DEVICE, SIMT_SCOPE_SYSTEM };

/* The direction of a fence: no access before a release moves after the flag that follows it, and no access after an
 * acquire moves before the flag that precedes it. */
enum simt_fence_order { SIMT_FENCE_ACQUIRE = 1, SIMT_FENCE_RELEASE = 2, SIMT_FENCE_BOTH = 3 };

void simt_fence(enum simt_scope scope, enum simt_fence_order __order);

/* Comes before each call of simt_fence in a kernel, and records in the module that its code has fences. */
#define SIMT_MARK_FENCE() __asm__ volatile(".pushsection simt_fences,\"aw\"\n\t.byte 1\n\t.popsection")

/* ---- warps: every lane in the mask must call the operation --------------------------------------------------- */

enum simt_shuffle { SIMT_SHUFFLE_INDEX, SIMT_SHUFFLE_UP, SIMT_SHUFFLE_DOWN, SIMT_SHUFFLE_XOR };
enum simt_vote { SIMT_VOTE_ALL, SIMT_VOTE_ANY, SIMT_VOTE_BALLOT, SIMT_VOTE_UNIFORM };
enum simt_reduce {
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_SIGNED,
    SIMT_REDUCE_MAX_SIGNED
};

void simt_warp_sync(uint32_t mask);
uint64_t simt_warp_shuffle(uint32_t mask, uint64_t value, enum simt_shuffle kind, int __argument, int width);
uint32_t simt_warp_vote(uint32_t mask, int __predicate, enum simt_vote kind);
uint32_t simt_warp_match_any(uint32_t mask, uint64_t value);
uint32_t simt_warp_match_all(uint32_t mask, uint64_t value); /* the mask if all values are equal, else 0 */
uint32_t simt_warp_reduce(uint32_t mask, uint32_t value, enum simt_reduce kind);
uint32_t simt_warp_active(void); /* the lanes that are active together now */

/* ---- the rest ---------------------------------------------------------------------------------------------- */

long long simt_clock(void); /* cycles: a growing count that is the same in every run */
void simt_nanosleep(unsigned __nanoseconds);
void simt_trap(void);

enum simt_space { SIMT_SPACE_GLOBAL, SIMT_SPACE_SHARED, SIMT_SPACE_CONSTANT, SIMT_SPACE_LOCAL };
int simt_is_in_space(const void *address, enum simt_space __space);

/* malloc and free of translated code; in a kernel they use the device's heap. */
void *simt_malloc(size_t bytes);
void simt_free(void *pointer);

#ifdef __cplusplus
}
#endif

#endif
