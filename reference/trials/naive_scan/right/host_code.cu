/* Host code around the kernel that does what C++ programs do: containers, exceptions, memory of C and of C++, recursion, texts,
 * the runtime about the device. None of it is anybody else's memory.
 *
 * parts: scan_quadratic */
#include "naive_scan.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct failure {
    int code;
    char text[32];
};
static std::vector<int> kept(100, 3);
struct counter {
    int value;
    counter() : value((int)kept.size())
    {
        kept[5] = value;
    }
    ~counter()
    {
        value = 0;
    }
};
static counter counted;
static double root = std::sqrt((double)counted.value);
static int table[4] = {1, 2, 3, 4};
static const char *const names[] = {"a", "b"};

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

static int depth(int n, int *at)
{
    int here = n;
    *at += here;
    return n > 0 ? depth(n - 1, &here) + here : *at;
}

static void may_fail(size_t n)
{
    if (n % 2)
        throw failure{(int)n, "odd"};
    if (n % 3 == 0)
        throw(int) n;
    std::string words = "n is " + std::to_string(n) + ": ";
    words.append(3, '!');
    if (words.find("is") != 2 || words.substr(0, 1) != "n")
        throw std::out_of_range("words");
    if (n % 4 == 0)
        throw std::runtime_error(words + cudaGetErrorString(cudaSuccess));
}

static std::ostream &operator<<(std::ostream &to, const failure &what)
{
    return to << what.code << ' ' << what.text;
}

static void print(size_t n)
{
    if (n == 3)
        std::cout << "n: " << n << std::setw(9) << std::setprecision(3) << std::fixed << root << std::hex
                  << 255u << '\n';
    if (n == 5)
        std::cerr << failure{5, "five"} << std::boolalpha << (n > 4) << static_cast<const void *>(table)
                  << std::endl;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    print(n);
    int caught = 0;
    try {
        may_fail(n);
    } catch (const failure &f) {
        caught = f.code + (int)strlen(f.text);
    } catch (int) {
        caught = 1;
    } catch (const std::runtime_error &) {
        caught = 2;
    }
    std::vector<int> numbers(n);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (int)(n - i);
    std::sort(numbers.begin(), numbers.end());
    kept.push_back(caught);
    char *text = (char *)calloc(4, 8);
    text = (char *)realloc(text, 100);
    snprintf(text, 100, "%s %d %s", names[n % 2], table[n % 4], cudaGetErrorString(cudaSuccess));
    if (text[0] == 0)
        fprintf(stderr, "%s\n", strerror(errno));
    free(text);
    int *more = new (std::nothrow) int[100000]();
    more[99999] = 1;
    delete[] more;
    int at = 0;
    volatile int sum = depth(20, &at) + (int)(std::sqrt((double)n) + root);
    (void)sum;
    int attribute = 0;
    cudaDeviceGetAttribute(&attribute, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    int *pinned;
    cudaMallocHost((void **)&pinned, 64);
    pinned[3] = properties.warpSize;
    cudaFreeHost(pinned);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
