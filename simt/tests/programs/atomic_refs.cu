/* <cuda/atomic>: cuda::atomic_ref and cuda::atomic on integers, floats and small structs; messages between
 * blocks through release and acquire; and the 16-byte atomicCAS of compute capability 9. */
#include "program.h"

#include <cuda/atomic>

template <typename T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void counters(int *sum, unsigned *most, long long *total, float *real)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    device_ref<int>(*sum).fetch_add(i, cuda::memory_order_relaxed);
    device_ref<unsigned>(*most).fetch_max((unsigned)(i * 37 % 1000), cuda::memory_order_relaxed);
    device_ref<long long> t(*total);
    t += i;
    t -= 1;
    t++;
    device_ref<float>(*real).fetch_add(0.5f);
}

struct range {
    int first, last;
};

/* Eight bytes are exchanged as one, which is the widest range of all. */
__global__ void widen(range *widest, const int *in, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    device_ref<range> all(*widest);
    range old = all.load(cuda::std::memory_order_relaxed), wanted;
    do {
        wanted.first = min(old.first, in[i]);
        wanted.last = max(old.last, in[i]);
    } while (!all.compare_exchange_weak(old, wanted, cuda::std::memory_order_relaxed));
}

/* Each block adds to the value that the block before it passes on. */
__global__ void relay(int *flags, int *messages)
{
    if (threadIdx.x == 0) {
        int got = 0;
        if (blockIdx.x > 0) {
            device_ref<int> flag(flags[blockIdx.x - 1]);
            while (flag.load(cuda::memory_order_acquire) == 0)
                ;
            got = messages[blockIdx.x - 1];
        }
        messages[blockIdx.x] = got + (int)blockIdx.x + 1;
        device_ref<int>(flags[blockIdx.x]).store(1, cuda::memory_order_release);
    }
}

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> tickets(0);

__global__ void take_tickets(unsigned *taken)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> in_block;
    if (threadIdx.x == 0)
        in_block.store(0);
    __syncthreads();
    in_block++;
    unsigned ticket = tickets.fetch_add(1);
    atomicAdd(&taken[ticket], 1u);
    __syncthreads();
    if (threadIdx.x == 0 && in_block.load() != (int)blockDim.x)
        taken[0] = 99;
}

/* Sum and count are updated together, 16 bytes at a time. */
struct __align__(16) tally {
    long long sum, count;
};

__global__ void tallies(tally *all, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    tally old = {0, 0}, seen;
    for (;;) {
        tally wanted = {old.sum + i, old.count + 1};
        seen = atomicCAS(all, old, wanted);
        if (seen.sum == old.sum && seen.count == old.count)
            break;
        old = seen;
    }
}

__global__ void short_and_scoped(unsigned short *s, unsigned *u)
{
    u[0] = atomicCAS(&s[1], (unsigned short)0xfffe, (unsigned short)7);
    u[1] = atomicCAS(&s[1], (unsigned short)5, (unsigned short)8);
    u[2] = s[0] * 65536u + s[1];
    u[3] = atomicAdd_block(&u[7], 3u) + atomicAdd_system(&u[7], 4u);
    u[4] = atomicExch_block(&u[6], 11u);
    u[5] = (unsigned)atomicMin((long long *)&u[8], -5ll) + atomicInc(&u[10], 2u) + atomicDec(&u[11], 9u);
}

int main()
{
    int *sum = to_device(std::vector<int>(1, 0));
    unsigned *most = to_device(std::vector<unsigned>(1, 0));
    long long *total = to_device(std::vector<long long>(1, 0));
    float *real = to_device(std::vector<float>(1, 0.0f));
    counters<<<10, 100>>>(sum, most, total, real);
    expect_number("sum", from_device(sum, 1)[0], 499500);
    expect_number("most", from_device(most, 1)[0], 999);
    expect_number("total", from_device(total, 1)[0], 499500);
    expect_float("real", from_device(real, 1)[0], 500.0f);

    const int n = 1000;
    std::vector<int> in = random_ints(n, 100000, 11);
    range want = {in[0], in[0]};
    for (int x : in)
        want = range{x < want.first ? x : want.first, x > want.last ? x : want.last};
    int *source = to_device(in);
    range *widest = to_device(std::vector<range>(1, range{2147483647, -2147483647}));
    widen<<<blocks_for(n, 64), 64>>>(widest, source, n);
    range got = from_device(widest, 1)[0];
    expect_number("first", got.first, want.first);
    expect_number("last", got.last, want.last);

    const int blocks = 40;
    int *flags = to_device(std::vector<int>(blocks, 0)), *messages = device_alloc<int>(blocks);
    relay<<<blocks, 32>>>(flags, messages);
    expect_number("relayed", from_device(messages, blocks)[blocks - 1], blocks * (blocks + 1) / 2);

    unsigned *taken = to_device(std::vector<unsigned>(256, 0));
    take_tickets<<<4, 64>>>(taken);
    expect_equal("tickets", from_device(taken, 256), std::vector<unsigned>(256, 1));

    tally *all = to_device(std::vector<tally>(1, tally{0, 0}));
    tallies<<<4, 64>>>(all, 200);
    expect_number("sum of the tally", from_device(all, 1)[0].sum, 19900);
    expect_number("its count", from_device(all, 1)[0].count, 200);

    unsigned short *shorts = to_device(std::vector<unsigned short>{0x1234, 0xfffe});
    unsigned *words = to_device(std::vector<unsigned>{0, 0, 0, 0, 0, 0, 5, 10, 3, 0, 2, 0});
    short_and_scoped<<<1, 1>>>(shorts, words);
    std::vector<unsigned> shown = from_device(words, 12);
    for (size_t i = 0; i < shown.size(); i++)
        printf("word %zu: %x\n", i, shown[i]);
    return program_end();
}
