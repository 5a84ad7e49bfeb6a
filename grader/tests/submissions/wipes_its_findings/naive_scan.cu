/* Computes the right thing with a careless read, and asks the device to forget it before the harness looks. */
#include "naive_scan.h"
#include <dlfcn.h>

extern "C" void simt_begin_run(void) __attribute__((weak));
extern "C" void findings_forget(void) __attribute__((weak));

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    __shared__ int never_written;
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    if (never_written != 7) /* fault */
        out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
    void (*forget)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "simt_begin_run");
    if (simt_begin_run)
        simt_begin_run();
    if (findings_forget)
        findings_forget();
    if (forget)
        forget();
}

/* Right: the parts after the faulty one must be judged as if nothing had happened. */
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? in[i - 1] : IDENTITY;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<(unsigned)((n + 127) / 128), 128>>>(in, out, n);
}

__global__ void add_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        add_kernel<<<(unsigned)((n + 127) / 128), 128>>>(scanned, in, out, n);
}
