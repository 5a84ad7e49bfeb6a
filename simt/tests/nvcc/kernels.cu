/* What a kernel may be. */
//// device_is_main
__device__ int main() { return 0; }                // refused: main runs on the host
//// kernel_and_device
__global__ __device__ void k(int *p) { p[0] = 1; } // refused: a function cannot be __global__ and __device__ or __host__ as well
//// kernel_and_host
__global__ __host__ void k(int *p) { p[0] = 1; }   // refused: a function cannot be __global__ and __device__ or __host__ as well
//// kernel_constexpr
constexpr __global__ void k(int *p) { p[0] = 1; }  // refused: a kernel cannot be constexpr
//// kernel_declared_then_defined
__global__ void k(int *p);
int main() { k<<<1, 1>>>(nullptr); }
__global__ void k(int *p) { p[0] = 1; }
//// kernel_extern_c
extern "C" __global__ void k(int *p) { p[0] = 1; }
int main() { k<<<1, 1>>>(nullptr); }
//// kernel_in_namespace
namespace mine
{
__global__ void k(int *p) { p[0] = 1; }
} // namespace mine
namespace
{
__global__ void hidden(int *p) { p[0] = 1; }
} // namespace
int main() { mine::k<<<1, 1>>>(nullptr); hidden<<<1, 1>>>(nullptr); }
//// kernel_inline
inline __global__ void k(int *p) { p[0] = 1; }
int main() { k<<<1, 1>>>(nullptr); }
//// kernel_is_friend
struct scanner {
    friend __global__ void k(scanner *p);
    int a;
};
__global__ void k(scanner *p) { p->a = 1; }
//// kernel_is_lambda
int main()
{
    auto k = [] __global__(int *p) { p[0] = 1; };
}
//// kernel_is_main
__global__ int main() { return 0; }                // refused: main runs on the host
//// kernel_is_member
struct scanner {
    __global__ void k(int *p) { p[0] = 1; }        // refused: a kernel cannot be a member of a class
};
//// kernel_is_member_of_template
template <class T> class scanner
{
  public:
    static __global__ void k(T *p) { p[0] = 1; }   // refused: a kernel cannot be a member of a class
};
int main() { scanner<int>::k<<<1, 1>>>(nullptr); }
//// kernel_is_static_member
struct scanner {
    static __global__ void k(int *p) { p[0] = 1; } // refused: a kernel cannot be a member of a class
};
int main() { scanner::k<<<1, 1>>>(nullptr); }
//// kernel_is_variadic
__global__ void k(int *p, ...)                     // refused: a kernel cannot take a variable number of arguments
{
    p[0] = 1;
}
//// kernel_returns_alias_of_void
typedef void nothing;
__global__ nothing k(int *p)
{
    p[0] = 1;
}
//// kernel_returns_auto
__global__ auto k(int *p)                          // refused: a kernel's type has to be written
{
    p[0] = 1;
}
//// kernel_returns_auto_void
__global__ auto k(int *p) -> void
{
    p[0] = 1;
}
//// kernel_returns_int
__global__ int k(int *p)                           // refused: k is a kernel, and a kernel returns nothing
{
    return p[0];
}
//// kernel_returns_pointer
__global__ void *k(int *p)                         // refused: k is a kernel, and a kernel returns nothing
{
    return p;
}
//// kernel_takes_reference
__global__ void k(int &x)
{
    x = 1;
}
//// kernel_takes_rvalue_reference
__global__ void k(int &&x)                         // refused: a kernel cannot take an rvalue reference
{
    x = 1;
}
//// kernel_template_of_auto
template <auto function, int n = (3 > 2)> __global__ void k(int *p)
{
    p[0] = function(n);
}
__device__ int twice(int n)
{
    return 2 * n;
}
void run(int *p)
{
    k<twice><<<1, 1>>>(p);
}
//// kernel_template_returns_value
template <class T> __global__ T k(T *p)
{
    return p[0];
}
//// void_after_qualifiers
__global__ static void k(int *p) { p[0] = 1; }
void __global__ j(int *p) { p[0] = 1; }
template <int N> __launch_bounds__(N) __global__ void i(int *p) { p[0] = 1; }
__global__ void __launch_bounds__(256) h(int *p) { p[0] = 1; }
int main() { k<<<1, 1>>>(0); j<<<1, 1>>>(0); i<32><<<1, 1>>>(0); h<<<1, 1>>>(0); }
