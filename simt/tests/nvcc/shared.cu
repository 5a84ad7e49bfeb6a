/* Shared memory. */
//// device_and_shared
__global__ void k(int *p)
{
    __device__ __shared__ int a;
    a = 1;
    p[0] = a;
}
//// extern_shared_of_known_size
extern __shared__ float of_file[16];
__global__ void k(int *p)
{
    extern __shared__ int a[32];
    extern __shared__ int b[4][8], c;
    a[threadIdx.x] = b[1][0] = c = 3;
    of_file[0] = 1;
    p[0] = a[0] + sizeof b;
}
//// extern_shared_of_known_size_in_template
template <class T> __global__ void k(T *p)
{
    extern __shared__ T a[32];
    a[threadIdx.x] = p[0];
    p[1] = a[0];
}
int main() { k<int><<<1, 1, 128>>>(0); }
//// extern_shared_of_unknown_size
__global__ void k(int *p)
{
    extern __shared__ int a[], b[][4];
    a[threadIdx.x] = b[1][0];
    p[0] = a[0];
}
//// extern_shared_with_initializer
__global__ void k(int *p)
{
    extern __shared__ int a[2] = {1, 2};           // refused: a __shared__ variable cannot have an initializer
    p[0] = a[0];
}
//// shared_array_with_initializer
__global__ void k(int *p)
{
    __shared__ int buffer[4] = {1, 2, 3, 4};       // refused: a __shared__ variable cannot have an initializer
    p[0] = buffer[0];
}
//// shared_at_file_scope
__shared__ int buffer[4];
__global__ void k(int *p)
{
    buffer[0] = 1;
    p[0] = buffer[0];
}
//// shared_const
__global__ void k(int *p)
{
    __shared__ const int x = 3;                    // refused: a __shared__ variable cannot have an initializer
    p[0] = x;
}
//// shared_in_device_function
__device__ int f(int x)
{
    __shared__ int y;
    y = x;
    return y;
}
__global__ void k(int *p) { p[0] = f(1); }
//// shared_in_host_device_function
__host__ __device__ int f(int x)
{
    __shared__ int y;                              // refused: a __shared__ variable stands in a function that runs on the host
    y = x;
    return y;
}
//// shared_in_lambda_with_device
template <class F> __global__ void k(int *p, F f) { p[0] = f(p[1]); }
int main()
{
    k<<<1, 32>>>(nullptr, [=] __device__(int x) {
        __shared__ int y;
        auto store = [&](int z) { y = z; };
        store(x);
        return y;
    });
}
//// shared_in_lambda_with_host_and_device
template <class F> __global__ void k(int *p, F f) { p[0] = f(p[1]); }
int main()
{
    k<<<1, 32>>>(nullptr, [=] __host__ __device__(int x) {
        __shared__ int y;                          // refused: a __shared__ variable stands in a function that runs on the host
        return y = x;
    });
}
//// shared_of_runtime_size
__global__ void k(int *p, int n)
{
    __shared__ int buffer[n];                      // refused: storage size of 'buffer' isn't constant
    p[0] = buffer[0];
}
//// shared_on_host
int main()
{
    __shared__ int buffer[4];                      // refused: a __shared__ variable stands in a function that runs on the host
    buffer[0] = 1;
    return buffer[0];
}
//// shared_second_with_initializer
__global__ void k(int *p)
{
    __shared__ int a, b = 3;                       // refused: a __shared__ variable cannot have an initializer
    p[0] = a + b;
}
//// shared_with_constructor
struct pair { int a; __device__ pair() : a(1) {} };
__global__ void k(int *p)
{
    __shared__ pair q;
    p[0] = q.a;
}
//// shared_with_initializer
__global__ void k(int *p)
{
    __shared__ int total = 0;                      // refused: a __shared__ variable cannot have an initializer
    p[0] = total;
}
//// shared_with_member_initializer
struct pair { int a = 1; };
__global__ void k(int *p)
{
    __shared__ pair q;
    p[0] = q.a;
}
//// shared_with_trivial_constructor
struct pair { int a, b; __device__ pair(int x) : a(x), b(x) {} pair() = default; };
__global__ void k(int *p)
{
    __shared__ pair q[4];
    q[0] = pair(3);
    p[0] = q[0].a;
}
//// shared_without_size
__global__ void k(int *p)
{
    __shared__ int buffer[];                       // refused: storage size of 'buffer' isn't known
    p[0] = buffer[0];
}
//// static_shared
__global__ void k(int *p)
{
    static __shared__ int a;
    a = 1;
    p[0] = a;
}
