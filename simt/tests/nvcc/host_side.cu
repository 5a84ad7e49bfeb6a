/* Device functions that host code calls. */
//// atomic_on_host
int main()
{
    int x = 0;
    atomicAdd(&x, 1);                              // refused: atomicAdd is a __device__ function, and main, a host function, calls it
    return x;
}
//// device_call_in_host_branch_of_arch
__device__ int d(int x) { return x; }
int h(int x) { return x; }
__host__ __device__ int f(int x)
{
#ifdef __CUDA_ARCH__
    return d(x);
#else
    return h(x);
#endif
}
__global__ void k(int *p) { p[0] = f(3); }
int main() { return f(4); }
//// device_constructor_on_host
struct pair { int a; __device__ pair(int x) : a(x) {} };
int main()
{
    pair p(3);                                     // refused: pair::pair is a __device__ function, and main, a host function, calls it
    return p.a;
}
//// device_function_in_host_template
__device__ int twice(int x) { return 2 * x; }
template <class T> int f(T x)
{
    return twice(x);
}
int main() { return f(3); }
//// device_function_in_initializer
__device__ int twice(int x) { return 2 * x; }
int six = twice(3);
//// device_function_on_host
__device__ int twice(int x) { return 2 * x; }
int main()
{
    return twice(3);                               // refused: twice is a __device__ function, and main, a host function, calls it
}
//// device_function_on_host_over_lines
__device__ int sum(int x, int y) { return x + y; }
int main()
{
    int r =
        sum(                                       // refused: sum is a __device__ function, and main, a host function, calls it
            1,
            2);
    return r;
}
//// device_method_on_host
struct pair { int a, b; __device__ int sum() const { return a + b; } };
int main()
{
    pair p = {1, 2};
    return p.sum();                                // refused: pair::sum is a __device__ function, and main, a host function, calls it
}
//// members_of_template
template <class T> struct view
{
    T *p;
    int host_length() const { return sizeof(*this) > 4 ? 1 : 2; }
    __device__ T &at(int i) const { return p[i]; }
};
template <> int view<char>::host_length() const { return 3; }
template <class T> __global__ void k(view<T> v) { v.at(0) = 1; }
int main()
{
    view<int> v{nullptr};
    view<char> w{nullptr};
    k<<<1, 1>>>(v);
    return v.host_length() + w.host_length();
}
//// device_member_of_template_on_host
template <class T> struct view
{
    T *p;
    int host_length() const { return 1; }
    __device__ T at(int i) const { return p[i]; }
};
int main()
{
    view<int> v{nullptr};
    return v.host_length() + v.at(0);              // refused: view<int>::at is a __device__ function, and main, a host function, calls it
}
//// new_at_an_address
struct pair { int a, b; pair(int x) : a(x), b(x) {} };
int main()
{
    alignas(pair) char room[sizeof(pair)];
    return (new (room) pair(3))->b;
}
//// device_template_on_host
template <class T> __device__ T twice(T x) { return 2 * x; }
int main()
{
    return twice(3);                               // refused: twice<int> is a __device__ function, and main, a host function, calls it
}
//// fence_on_host
int main()
{
    __threadfence();                               // refused: __threadfence is a __device__ function, and main, a host function, calls it
    __syncwarp();                                  // refused: __syncwarp is a __device__ function, and main, a host function, calls it
}
//// function_pointer_of_device_on_host
__device__ int f(int x) { return x; }
int main()
{
    int (*g)(int) = f;
    return g != nullptr;
}
//// host_function_in_host_device_function
int twice(int x) { return 2 * x; }
__host__ __device__ int f(int x)
{
    return twice(x);
}
__global__ void k(int *p) { p[0] = f(1); }
int main() { return f(2); }
//// host_function_in_host_device_function_of_host_only
int twice(int x) { return 2 * x; }
__host__ __device__ int f(int x)
{
    return twice(x);
}
int main() { return f(2); }
//// lambda_in_host_calls_device
__device__ int d(int x) { return x; }
int main()
{
    auto f = [](int x) {
        return d(x);                               // refused: d is a __device__ function, and a lambda, a host function, calls it
    };
    return f(3);
}
//// lambda_with_device_on_host
int main()
{
    auto twice = [] __device__(int x) { return 2 * x; };
    (void)twice;
}
//// lambda_with_device_called_on_host
int main()
{
    auto twice = [] __device__(int x) { return 2 * x; };
    return twice(1);                               // refused: is a __device__ function, and main, a host function, calls it
}
//// lambda_with_device_captures_a_reference
template <class F> __global__ void k(int *p, F f) { p[0] = f(p[1]); }
int main()
{
    int two = 2;
    k<<<1, 1>>>(nullptr, [&two] __device__(int x) { return two * x; }); // refused: a __device__ lambda cannot capture by reference
}
//// lambda_with_device_in_a_kernel
template <class F> __global__ void k(int *p, F f) { p[0] = f(p[1]); }
int main()
{
    int two = 2, *p = nullptr;
    k<<<1, 1>>>(p, [=] __device__(int x) { return two * x + p[0]; });
    auto both = [two] __host__ __device__(int x) { return two * x; };
    k<<<1, 1>>>(p, both);
    return both(1);
}
//// lambda_with_device_calls_host
int h(int x) { return x; }
template <class F> __global__ void k(int *p, F f) { p[0] = f(p[1]); }
int main()
{
    k<<<1, 1>>>(nullptr, [=] __device__(int x) {
        return h(x);                               // refused: h is a host function, and a lambda, a device function, calls it
    });
}
//// ldg_on_host
int main()
{
    int x = 3;
    return __ldg(&x);                              // refused: __ldg<int> is a __device__ function, and main, a host function, calls it
}
//// min_on_host
int main()
{
    return min(1, 2) + max(1, 2);
}
//// popc_on_host
int main()
{
    return __popc(7);                              // refused: __popc is a __device__ function, and main, a host function, calls it
}
//// shuffle_on_host
int main()
{
    return __shfl_sync(0xffffffff, 3, 0);          // refused: __shfl_sync is a __device__ function, and main, a host function, calls it
}
//// syncthreads_on_host
int main()
{
    __syncthreads();                               // refused: __syncthreads is a __device__ function, and main, a host function, calls it
}
//// thread_index_on_host
int main()
{
    return threadIdx.x;
}
//// warp_size_on_host
int main()
{
    return warpSize;
}
