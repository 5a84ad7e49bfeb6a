/* One call takes a few thousand times as long as another: the remainder has a turn for each bit. */
#include <cmath>

__global__ void divide(float *out)
{
    double sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += std::fmod(1e308, 1e-308 * (i + 1));
    *out = (float)sum;
}

int main()
{
    float *out;
    cudaMalloc(&out, sizeof *out);
    divide<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}

//= long_division.cu:8  divide: divide does not end
//=     after SOME executed instructions (the budget: 10,000,000) thread 0 of block 0 is still at work here; no thread has returned in the second half of them
//=     try: check that every loop's condition changes on each pass, and that a stride is never 0
