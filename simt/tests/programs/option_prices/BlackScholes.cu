/* An array for each quantity, read as pairs; a .cuh file without a guard; fast functions, so a norm is compared. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "BlackScholes_kernel.cuh"

extern "C" void BlackScholesCPU(
    float *h_CallResult, float *h_PutResult, float *h_StockPrice, float *h_OptionStrike, float *h_OptionYears,
    float Riskfree, float Volatility, int optN);

float RandFloat(float low, float high)
{
    static unsigned seed = 5347;
    seed = seed * 1103515245u + 12345u;
    float t = (float)(seed >> 16 & 0x7fff) / (float)0x7fff;
    return (1.0f - t) * low + t * high;
}

const int OPT_N = 1000;
const int OPT_SZ = OPT_N * sizeof(float);
const float RISKFREE = 0.02f;
const float VOLATILITY = 0.30f;

#define DIV_UP(a, b) ( ((a) + (b) - 1) / (b) )

int main(int argc, char **argv)
{
    enum { CALL, PUT, PRICE, STRIKE, YEARS, ARRAYS };
    float *h[ARRAYS], *d[ARRAYS], *gpu[2];
    for (int k = 0; k < ARRAYS; k++)
    {
        h[k] = (float *)malloc(OPT_SZ);
        if (k < 2) gpu[k] = (float *)malloc(OPT_SZ);
        cudaMalloc((void **)&d[k], OPT_SZ);
    }
    for (int i = 0; i < OPT_N; i++)
    {
        h[PRICE][i]  = RandFloat(5.0f, 30.0f);
        h[STRIKE][i] = RandFloat(1.0f, 100.0f);
        h[YEARS][i]  = RandFloat(0.25f, 10.0f);
    }
    for (int k = PRICE; k < ARRAYS; k++)
        cudaMemcpy(d[k], h[k], OPT_SZ, cudaMemcpyHostToDevice);
    BlackScholesGPU<<<DIV_UP((OPT_N/2), 128), 128/*480*/>>>((float2 *)d[CALL], (float2 *)d[PUT], (float2 *)d[PRICE], (float2 *)d[STRIKE], (float2 *)d[YEARS], RISKFREE, VOLATILITY, OPT_N);
    BlackScholesCPU(h[CALL], h[PUT], h[PRICE], h[STRIKE], h[YEARS], RISKFREE, VOLATILITY, OPT_N);
    int bad = 0;
    for (int k = CALL; k <= PUT; k++)
    {
        cudaMemcpy(gpu[k], d[k], OPT_SZ, cudaMemcpyDeviceToHost);
        double sum_delta = 0, sum_ref = 0;
        for (int i = 0; i < OPT_N; i++)
        {
            sum_delta += fabs(h[k][i] - gpu[k][i]);
            sum_ref   += fabs(h[k][i]);
        }
        printf("%s: L1 norm %s\n", k == CALL ? "call" : "put", sum_delta / sum_ref < 1e-5 ? "small" : "LARGE");
        bad |= !(sum_delta / sum_ref < 1e-5);
    }
    for (int k = 0; k < ARRAYS; k++)
    {
        free(h[k]);
        if (k < 2) free(gpu[k]);
        cudaFree(d[k]);
    }
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
