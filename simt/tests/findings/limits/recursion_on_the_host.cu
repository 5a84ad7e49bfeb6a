/* The function scans the sums by calling itself, even for one tile, so it never ends. A second one makes no CUDA call. work: 200000000 */
extern "C" bool simt_call(void (*body)(void *), void *context);

__global__ void sums_of_tiles(const int *in, int *sums)
{
    sums[blockIdx.x] = in[blockIdx.x];
}

static void scan(const int *in, int n)
{
    int *sums, tiles = (n + 31) / 32;
    cudaMalloc(&sums, tiles * sizeof(int));
    sums_of_tiles<<<tiles, 1>>>(in, sums);
    scan(sums, tiles);
    cudaFree(sums);
}

static int depth(int n)
{
    return n % 2 ? depth(n + 2) + 1 : 0;
}

static void call_scan(void *in)
{
    scan((int *)in, 40);
}

static void call_depth(void *out)
{
    *(int *)out = depth(1);
}

int main()
{
    int *in, out;
    cudaMalloc(&in, 40 * sizeof(int));
    cudaMemset(in, 0, 40 * sizeof(int));
    return simt_call(call_scan, in) || simt_call(call_depth, &out);
}

//= recursion_on_the_host.cu:14  scan: stack overflow: scan calls itself without end
//=     on the host more than 500 calls from here are open at once
//=     try: what ends the recursion? Each call must be for less than the one before, and the smallest for none
//= recursion_on_the_host.cu:20  depth: stack overflow: depth calls itself without end
//=     on the host more than 500 calls from here are open at once
//=     try: what ends the recursion? Each call must be for less than the one before, and the smallest for none
