/* Launches, and kernels that are called without one. */
//// call_without_launch
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k(nullptr);                                    // refused: k is a kernel, and is called like a function
}
//// call_without_launch_of_template
template <class T> __global__ void k(T *p) { p[0] = 1; }
int main()
{
    k((int *)nullptr);                             // refused: k<int> is a kernel, and is called like a function
    k<int>(nullptr);                               // refused: k<int> is a kernel, and is called like a function
}
//// call_without_launch_over_lines
__global__ void k(int *p, int n) { p[0] = n; }
int main()
{
    k(                                             // refused: k is a kernel, and is called like a function
        nullptr,
        3
    );
}
//// kernel_calls_kernel
__global__ void inner(int *p) { p[0] = 1; }
__global__ void outer(int *p)
{
    inner(p);                                      // refused: inner is a kernel, and is called like a function
}
//// kernel_launches_kernel
__global__ void inner(int *p) { p[0] = 1; }
__global__ void outer(int *p)
{
    inner<<<1, 1>>>(p);                            // refused: device code cannot launch a kernel: the CPU device has no dynamic parallelism
}
//// kernel_with_default_argument
__global__ void k(int *p, int n = 3) { p[0] = n; }
int main() { k<<<1, 1>>>(nullptr, 4); }
//// kernel_with_default_argument_left_out
__global__ void k(int *p, int n = 3) { p[0] = n; }
int main() { k<<<1, 1>>>(nullptr); }
//// launch_bounds_on_host
__launch_bounds__(256) void f(int *p) { p[0] = 1; } // refused: __launch_bounds__ is for kernels only
//// launch_in_template_of_a_host_template
template <class T> void f(T *) {}
template <class T> void run(T *p)
{
    f<T><<<1, 1>>>(p);                             // refused: f<int> is launched with <<<...>>>, and is no kernel
}
int main() { run((int *)nullptr); }
//// launch_of_const_pointer
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    const int *p = nullptr;
    k<<<1, 1>>>(p);                                // refused: invalid conversion from 'const int*' to 'int*'
}
//// launch_of_device_function
__device__ void f(int *p) { p[0] = 1; }
int main()
{
    f<<<1, 1>>>(nullptr);                          // refused: f is launched with <<<...>>>, and is no kernel
}
//// launch_of_functor
struct functor {
    __device__ void operator()(int *) const {}
};
int main()
{
    functor f;
    f<<<1, 1>>>(nullptr);                          // refused: functor::operator() is launched with <<<...>>>, and is no kernel
}
//// launch_of_host_function
void f(int *p) { p[0] = 1; }
int main()
{
    f<<<1, 1>>>(nullptr);                          // refused: f is launched with <<<...>>>, and is no kernel
}
//// launch_of_host_template
template <class T> void f(T *p) { p[0] = 1; }
int main()
{
    int *p = nullptr;
    f<<<1, 1>>>(p);                                // refused: f<int> is launched with <<<...>>>, and is no kernel
    f<int><<<1, 1>>>(p);                           // refused: f<int> is launched with <<<...>>>, and is no kernel
}
//// launch_of_lambda
int main()
{
    auto f = [](int *) {};
    f<<<1, 1>>>(nullptr);                          // refused: main<lambda(int*)>::operator() is launched with <<<...>>>, and is no kernel
}
//// launch_of_template_with_arguments_swapped
template <class T> __global__ void k(T *p, int n) { p[0] = n; }
int main()
{
    int *p = nullptr;
    k<<<1, 1>>>(3, p);                             // refused: no matching function for call to 'k(int&, int*&)'
}
//// launch_of_undeclared
int main()
{
    k<<<1, 1>>>(3);                                // refused: 'k' was not declared in this scope
}
//// launch_of_variable
int main()
{
    int f = 0;
    f<<<1, 1>>>(nullptr);                          // refused: expression cannot be used as a function
}
//// launch_of_wrong_pointer
__global__ void k(float *p) { p[0] = 1; }
int main()
{
    int *p = nullptr;
    k<<<1, 1>>>(p);                                // refused: cannot convert 'int*' to 'float*'
}
//// launch_result_used
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    int x = k<<<1, 1>>>(nullptr);                  // refused: void value not ignored as it ought to be
    return x;
}
//// launch_through_a_pointer
__global__ void k(int *) {}
int main()
{
    void (*pointer)(int *) = k;
    pointer<<<1, 1>>>(nullptr);
}
//// launch_with_arguments_swapped
__global__ void k(int *p, int n) { p[0] = n; }
int main()
{
    int *p = nullptr;
    k<<<1, 1>>>(3, p);                             // refused: invalid conversion from 'int*' to 'int'
}
//// launch_with_five
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k<<<1, 1, 0, 0, 0>>>(nullptr);                 // refused: more than 4 arguments between '<<<' and '>>>'
}
//// launch_with_spaces
__global__ void k() {}
int main()
{
    k <<< 1, 1 >>> ();
    (k<<<1, 1>>>());
}
//// launch_with_too_few_arguments
__global__ void k(int *p, int n) { p[0] = n; }
int main()
{
    k<<<1, 1>>>(nullptr);                          // refused: too few arguments to function 'void k(int*, int)'
}
//// launch_with_too_many_arguments
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k<<<1, 1>>>(nullptr, 3);                       // refused: too many arguments to function 'void k(int*)'
}
//// launch_within_template
__device__ void f(int *) {}
template <class T> void run(T *p)
{
    f<<<1, 1>>>(p);                                // refused: f is launched with <<<...>>>, and is no kernel
}
int main() { run((int *)nullptr); }
//// launch_without_configuration
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k<<<>>>(nullptr);                              // refused: this launch has nothing between '<<<' and '>>>'
}
