/* In lockstep, all blocks make the same progress: when the last one looks back, all blocks before it have set their
 * flag to 1, and only the first has set it to 2. In forward order, each block finds the block before it done. */
extern "C" void simt_set_schedule(const void *schedule);

enum { BLOCKS = 64 };
struct schedule {
    int order;
    unsigned long long seed;
    unsigned resident_blocks;
    double seconds;
};

__global__ void look_back(volatile int *state, int *seen)
{
    __shared__ int steps;
    if (threadIdx.x == 0) {
        state[blockIdx.x] = blockIdx.x == 0 ? 2 : 1;
        int b = (int)blockIdx.x, met = 0;
        while (b > 0 && met != 2) {
            b--;
            do
                met = state[b];
            while (met == 0);
        }
        steps             = (int)blockIdx.x - b;
        state[blockIdx.x] = 2;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        seen[blockIdx.x] = steps;
}

static int steps_of_the_last(int order)
{
    const schedule wanted = {order, 1, BLOCKS, 0};
    int *state, *seen, steps;
    simt_set_schedule(&wanted);
    cudaMalloc(&state, BLOCKS * sizeof *state);
    cudaMalloc(&seen, BLOCKS * sizeof *seen);
    cudaMemset(state, 0, BLOCKS * sizeof *state);
    look_back<<<BLOCKS, 32>>>(state, seen);
    cudaMemcpy(&steps, seen + BLOCKS - 1, sizeof steps, cudaMemcpyDeviceToHost);
    cudaFree(state);
    cudaFree(seen);
    return steps;
}

int main()
{
    const int forward = steps_of_the_last(0), lockstep = steps_of_the_last(3);
    return forward != 1 || lockstep < BLOCKS - 4;
}

//= (nothing)
