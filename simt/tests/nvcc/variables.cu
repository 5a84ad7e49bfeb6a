/* Variables of host and device, and who may use them. */
//// address_of_host_variable_in_kernel
int factor = 3;
__global__ void k(int **p)
{
    p[0] = &factor;                                // refused: factor is a host variable, and the kernel k uses it
}
//// array_of_runtime_size_in_kernel
__global__ void k(int *p, int n)
{
    int buffer[n];                                 // refused: no matching function for call to '__local_array(int [n], const char [7])'
    buffer[0] = 1;
    p[0] = buffer[0];
}
//// array_of_runtime_size_on_host
int f(int n)
{
    int buffer[n];
    buffer[0] = 1;
    return buffer[0];
}
//// constant_array_in_kernel
const int table[3] = {1, 2, 3};
__global__ void k(int *p)
{
    p[0] = table[p[1]];                            // refused: table is a host variable, and the kernel k uses it
}
//// constant_bound_to_reference_in_kernel
const int n = 4;
__device__ int f(const int &x) { return x; }
__global__ void k(int *p)
{
    p[0] = f(n);                                   // refused: n is a host variable, and the kernel k uses it
}
//// constant_float_in_kernel
const float pi = 3.14f;
__global__ void k(float *p)
{
    p[0] = pi;
}
//// constant_in_function
__global__ void k(int *p)
{
    __constant__ int c = 3;                        // refused: a __device__ or __constant__ variable is declared within a function
    p[0] = c;
}
//// constant_in_host_function
int main()
{
    __constant__ int c = 3;                        // refused: a __device__ or __constant__ variable is declared within a function
    return c;
}
//// constant_integer_in_kernel
const int n = 4;
static const int m = 5;
constexpr int l = 6;
enum { width = 3 };
__global__ void k(int *p)
{
    p[0] = n + m + l + width;
}
//// constant_of_runtime_value_in_kernel
int f();
const int n = f();
__global__ void k(int *p)
{
    p[0] = n;                                      // refused: n is a host variable, and the kernel k uses it
}
//// constant_read_on_host
__constant__ int c = 3;
int main()
{
    return c;
}
//// constant_struct_in_kernel
struct pair { int a, b; };
const pair both = {1, 2};
__global__ void k(int *p)
{
    p[0] = both.a;
}
//// constant_with_runtime_initializer
int f() { return 3; }
__constant__ int c = f();                          // refused: c is in device memory, and begins with a constant or not at all
//// constant_written_in_kernel
__constant__ int c;
__global__ void k(int *p)
{
    c = p[0];                                      // refused: c is in constant memory, which device code can only read
}
//// constexpr_array_in_kernel
constexpr int table[3] = {1, 2, 3};
__global__ void k(int *p)
{
    p[0] = table[p[1]];                            // refused: table is a host variable, and the kernel k uses it
}
//// constexpr_array_local_in_kernel
__global__ void k(int *p)
{
    constexpr int table[3] = {1, 2, 3};
    p[0] = table[p[1]];
}
//// constexpr_float_in_kernel
constexpr float pi = 3.14f;
__global__ void k(float *p)
{
    p[0] = pi * p[1];
}
//// device_array_of_class_with_constructors
struct counter {
    counter() = default;
    constexpr counter(int first) : value(first) {}
    counter(const counter &) = delete;
    int value;
};
__device__ counter counters[2];
__global__ void k(int *p) { p[0] = counters[p[1]].value; }
//// device_array_of_class_with_runtime_initializer
int f() { return 3; }
struct counter {
    counter() : value(f()) {}
    int value;
};
__device__ counter counters[2];                    // refused: counters is in device memory, and begins with a constant or not at all
//// device_variable_address_on_host
__device__ int counters[4];
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k<<<1, 1>>>(counters);
}
//// device_variable_in_function
__global__ void k(int *p)
{
    __device__ int c;                              // refused: a __device__ or __constant__ variable is declared within a function
    c = 1;
    p[0] = c;
}
//// device_variable_in_host_function
int main()
{
    __device__ int c;                              // refused: a __device__ or __constant__ variable is declared within a function
    c = 1;
    return c;
}
//// device_variable_read_on_host
__device__ int counter;
int main()
{
    return counter;
}
//// device_variable_runtime_initializer
int f() { return 3; }
__device__ int c = f();                            // refused: c is in device memory, and begins with a constant or not at all
//// device_variable_to_symbol
__device__ int counter;
int main()
{
    int x = 0;
    cudaMemcpyToSymbol(counter, &x, 4);
    cudaMemcpyFromSymbol(&x, counter, 4);
    void *p;
    cudaGetSymbolAddress(&p, counter);
    return x;
}
//// device_variable_written_on_host
__device__ int counter;
int main()
{
    counter = 1;
}
//// host_array_in_kernel
int table[4];
__global__ void k(int *p)
{
    p[0] = table[p[1]];                            // refused: table is a host variable, and the kernel k uses it
}
//// host_variable_in_device_function
int factor = 3;
__device__ int f(int x)
{
    return factor * x;                             // refused: factor is a host variable, and f, a device function, uses it
}
__global__ void k(int *p) { p[0] = f(1); }
//// host_variable_in_host_device_function
int factor = 3;
__host__ __device__ int f(int x)
{
    return factor * x;                             // refused: factor is a host variable, and f, a device function, uses it
}
__global__ void k(int *p) { p[0] = f(1); }
int main() { return f(1); }
//// host_variable_in_host_device_function_of_host_only
int factor = 3;
__host__ __device__ int f(int x)
{
    return factor * x;                             // refused: factor is a host variable, and f, a device function, uses it
}
int main() { return f(1); }
//// host_variable_in_kernel
int factor = 3;
__global__ void k(int *p)
{
    p[0] = factor;                                 // refused: factor is a host variable, and the kernel k uses it
}
//// managed_everywhere
__managed__ int shared_by_both;
__global__ void k() { shared_by_both = 1; }
int main() { k<<<1, 1>>>(); return shared_by_both; }
//// pointer_to_host_function_in_kernel
int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    int (*f)(int) = twice;                         // refused: twice is a host function, and the kernel k takes its address
    p[0] = f(1);
}
//// static_host_variable_in_kernel
static int factor = 3;
__global__ void k(int *p)
{
    p[0] *= factor;                                // refused: factor is a host variable, and the kernel k uses it
}
//// static_inline_host_function_in_kernel
static inline int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(1);                               // refused: twice is a host function, and the kernel k calls it
}
//// static_local_in_host_device
__host__ __device__ int f()
{
    static int a = 3;
    return a++;
}
__global__ void k(int *p) { p[0] = f(); }
int main() { return f(); }
//// static_local_in_kernel
__global__ void k(int *p)
{
    static int a;
    a = 1;
    p[0] = a;
}
//// static_member_constant_in_kernel
struct config { static const int width = 4; static constexpr int height = 3; };
__global__ void k(int *p)
{
    p[0] = config::width + config::height;
}
//// string_literal_in_kernel
__global__ void k(const char **p)
{
    p[0] = "hello";
}
