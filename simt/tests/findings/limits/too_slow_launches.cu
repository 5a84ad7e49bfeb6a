/* The stride of the loop of launches stays at 1; each launch ends. */
extern "C" bool simt_call(void (*body)(void *), void *context);

__global__ void add(int *data, int stride)
{
    for (int i = 0; i < 400; i++) data[threadIdx.x] += stride;
}

static void sweep(void *data)
{
    for (int stride = 1; stride < 64; stride += stride / 2)
        add<<<1, 64>>>((int *)data, stride);
}

int main()
{
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    return simt_call(sweep, data);
}

//= too_slow_launches.cu:12  sweep: host code is too slow
//=     after SOME executed instructions (the budget: 10,000,000) it is at launch SOME, of add, and 0 of 1 blocks of that are done
//=     try: how many launches does it take, and does each turn of their loop bring its end nearer?
