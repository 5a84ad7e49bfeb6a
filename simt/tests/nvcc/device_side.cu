/* Host functions that device code calls, and what the language lacks there. */
//// constexpr_function_in_kernel
constexpr int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(p[1]);                            // refused: twice is a host function, and the kernel k calls it
}
//// constexpr_function_of_constants_in_kernel
constexpr int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(3);                               // refused: twice is a host function, and the kernel k calls it
}
//// constexpr_function_of_template_argument
constexpr int twice(int x) { return 2 * x; }
template <int N> __global__ void k(int *p) { p[0] = N; }
int main() { k<twice(3)><<<1, 1>>>(nullptr); }
//// decltype_of_host_function_in_kernel
int twice(int x);
__global__ void k(int *p)
{
    decltype(twice(3)) x = 3;
    p[0] = x + (int)sizeof(twice(3));
}
//// defaulted_constructor_in_kernel
struct pair {
    int a = 1;
    pair() = default;
    pair(const pair &) = default;
};
__global__ void k(int *p)
{
    pair q;
    pair r(q);
    p[0] = r.a;
}
//// device_declared_defined_without
__device__ int f(int x);
int f(int x) { return x; }
__global__ void k(int *p) { p[0] = f(1); }
//// device_new_of_host_constructor
struct pair { int a; pair() : a(1) {} };
__global__ void k(pair **p)
{
    p[0] = new pair;                               // refused: pair::pair is a host function, and the kernel k calls it
}
//// dynamic_cast_in_kernel
struct a { __device__ virtual ~a() {} };
struct b : a {};
__global__ void k(a *p, b **q)
{
    q[0] = dynamic_cast<b *>(p);                   // refused: there is no dynamic_cast in device code
}
//// explicit_host_function_in_kernel
__host__ int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(p[1]);                            // refused: twice is a host function, and the kernel k calls it
}
//// forceinline_device_calls_host
int h(int x) { return x; }
__device__ __forceinline__ int f(int x)
{
    return h(x);                                   // refused: h is a host function, and f, a device function, calls it
}
__global__ void k(int *p) { p[0] = f(1); }
//// functor_passed_to_device_template
struct twice { __device__ int operator()(int x) const { return 2 * x; } };
template <class F> __global__ void k(int *p, F f)
{
    p[0] = f(p[1]);
}
int main() { k<<<1, 1>>>(nullptr, twice{}); }
//// host_constructor_in_kernel
struct pair { int a, b; pair(int x) : a(x), b(x) {} };
__global__ void k(int *p)
{
    pair q(3);                                     // refused: pair::pair is a host function, and the kernel k calls it
    p[0] = q.a;
}
//// host_declared_defined_device
int f(int x);
__device__ int f(int x) { return x; }
__global__ void k(int *p) { p[0] = f(1); }
//// host_destructor_in_kernel
struct guard { int *p; ~guard() { p[0] = 1; } };
__global__ void k(int *p)
{
    guard g{p};                                    // refused: guard::~guard is a host function, and the kernel k calls it
}
//// host_device_everywhere
__host__ __device__ inline int twice(int x) { return 2 * x; }
__global__ void k(int *p) { p[0] = twice(p[1]); }
int main() { k<<<1, 1>>>(nullptr); return twice(3); }
//// host_function_in_device_function
int twice(int x) { return 2 * x; }
__device__ int f(int x)
{
    return twice(x);                               // refused: twice is a host function, and f, a device function, calls it
}
__global__ void k(int *p) { p[0] = f(1); }
//// host_function_in_instantiated_template
int twice(int x) { return 2 * x; }
template <class T> __global__ void k(T *p)
{
    p[0] = twice(p[1]);                            // refused: twice is a host function, and the kernel k<int> calls it
}
int main() { k<<<1, 1>>>((int *)nullptr); }
//// host_function_in_kernel
int twice(int x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(p[1]);                            // refused: twice is a host function, and the kernel k calls it
}
//// host_function_in_kernel_over_lines
int sum(int x, int y) { return x + y; }
__global__ void k(int *p)
{
    p[0] = 1 +
        sum(                                       // refused: sum is a host function, and the kernel k calls it
            p[1],
            p[2]);
}
//// host_function_in_unused_device_function
int twice(int x) { return 2 * x; }
static __device__ int f(int x)
{
    return twice(x);
}
//// host_lambda_passed_to_device_template
template <class F> __global__ void k(int *p, F f)
{
    p[0] = f(p[1]);                                // refused: main<lambda(int)>::operator() is a host function, and the kernel k<main<lambda(int)> > cal
}
int main()
{
    auto twice = [](int x) { return 2 * x; };
    k<<<1, 1>>>(nullptr, twice);                   // refused: a lambda of host code cannot go to a kernel: write __device__
}
//// host_method_in_kernel
struct pair { int a, b; int sum() const { return a + b; } };
__global__ void k(pair *p)
{
    p[0].a = p[1].sum();                           // refused: pair::sum is a host function, and the kernel k calls it
}
//// host_operator_in_kernel
struct pair { int a, b; };
pair operator+(pair x, pair y) { return pair{x.a + y.a, x.b + y.b}; }
__global__ void k(pair *p)
{
    p[0] = p[1] + p[2];                            // refused: operator+ is a host function, and the kernel k calls it
}
//// host_template_in_kernel
template <class T> T twice(T x) { return 2 * x; }
__global__ void k(int *p)
{
    p[0] = twice(p[1]);                            // refused: twice<int> is a host function, and the kernel k calls it
}
//// if_constexpr_discards
int h(int x) { return x; }
template <int N> __global__ void k(int *p)
{
    if constexpr (N > 3)
        p[0] = h(1);
    else
        p[0] = N;
}
int main() { k<2><<<1, 1>>>(nullptr); }
//// implicit_constructor_in_kernel
struct pair { int a = 1, b = 2; };
struct two { pair p, q; };
__global__ void k(int *p)
{
    two t;
    two u = t;
    p[0] = u.p.a;
}
//// lambda_in_kernel
__global__ void k(int *p)
{
    auto twice = [](int x) { return 2 * x; };
    p[0] = twice(p[1]);
}
//// lambda_in_kernel_calls_host
int h(int x) { return x; }
__global__ void k(int *p)
{
    auto twice = [](int x) {
        return h(x);                               // refused: h is a host function, and a lambda, a device function, calls it
    };
    p[0] = twice(p[1]);
}
//// lambda_with_device
__global__ void k(int *p)
{
    int two = 2;
    auto twice = [&] __device__(int x) { return two * x; };
    p[0] = twice(p[1]);
}
//// local_struct_in_kernel
__global__ void k(int *p)
{
    struct local {
        int a;
        int get() const { return a; }
    } l = {3};
    p[0] = l.get();                                // refused: klocal::get is a host function, and the kernel k calls it
}
//// local_struct_in_kernel_with_device
__global__ void k(int *p)
{
    struct local {
        int a;
        __device__ int get() const { return a; }
    } l = {3};
    p[0] = l.get();
}
//// macro_hides_call
int h(int x) { return x; }
#define CALL(x) h(x)
__global__ void k(int *p)
{
    p[0] = CALL(3);                                // refused: h is a host function, and the kernel k calls it
}
//// overload_by_space
__device__ int f(int x) { return x; }
int f(float x) { return (int)x; }
__global__ void k(int *p) { p[0] = f(3); }
int main() { return f(3.0f); }
//// overload_picked_wrongly
__device__ int f(int x) { return x; }
int f(float x) { return (int)x; }
__global__ void k(int *p)
{
    p[0] = f(3.0f);                                // refused: f is a host function, and the kernel k calls it
}
//// range_for_of_array_in_kernel
__global__ void k(int *p)
{
    int a[3] = {1, 2, 3};
    for (int x : a)
        p[x] = x;
}
//// recursion_in_device
__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
__global__ void k(int *p) { p[0] = f(5); }
//// specialization_without_device
template <class T> __device__ int f(T x) { return 1; }
template <> int f<float>(float x) { return 2; }
__global__ void k(int *p)
{
    p[0] = f(3.0f);
}
//// throw_in_kernel
__global__ void k(int *p)
{
    if (!p)
        throw 3;                                   // refused: there are no exceptions in device code
}
//// try_in_kernel
__global__ void k(int *p)
{
    try {                                          // refused: there are no exceptions in device code
        p[0] = 1;
    } catch (...) {
    }
}
//// two_faults
int h(int x) { return x; }
int v;
__global__ void k(int *p)
{
    p[0] = h(1);                                   // refused: h is a host function, and the kernel k calls it
    p[1] = v;                                      // refused: v is a host variable, and the kernel k uses it
}
//// virtual_in_kernel
struct a { __device__ virtual int f() { return 1; } };
struct b : a { __device__ int f() override { return 2; } };
__global__ void k(int *p)
{
    b x;
    a *y = &x;
    p[0] = y->f();
}
//// inherited_constructor_in_kernel
struct base {
    int n;
    __host__ __device__ base(int n) : n(n) {}
    base(const char *) : n(0) {}
};
struct derived : base {
    using base::base;
};
__global__ void k(int *p)
{
    derived d(p[1]);
    p[0] = d.n;
}
//// placement_new_in_kernel
#include <new>
struct counted {
    int n;
    __device__ counted(int n) : n(n) {}
    __device__ virtual int twice() { return 2 * n; }
};
__global__ void k(int *p)
{
    __shared__ char memory[sizeof(counted)];
    counted *c = new (memory) counted(3);
    p[0] = c->twice();
    c->~counted();
}
