#include <math.h>
#include <string.h>

/* Local arrays of all kinds, and declarations that the translator must not take for one. */
struct pair {
    int key;
    float value[2];
};
struct named {
    int number;
    __device__ named() : number(3)
    {
    }
};
struct padded {
    double weight;
    int count;
};

__device__ int fill(int *items, int n)
{
    for (int i = 0; i < n; i++)
        items[i] = i;
    return n;
}

__device__ int choose(int way)
{
    switch (way) {
    case 0:
        int few[2];
        few[0] = few[1] = 1;
        return few[way];
    case 1: {
        int more[3];
        fill(more, 3);
        return more[2];
    }
    default:
        break;
    }
    int all[4];
    if (way > 5)
        goto end;
    fill(all, 4);
    return all[3];
end:
    return 0;
}

__device__ int depth(int n)
{
    int own[4];
    own[n % 4] = n;
    return n == 0 ? own[0] : own[n % 4] + depth(n - 1);
}

template <class T, unsigned N> __device__ T last(const T (&from)[N])
{
    T copy[N], *pointer = copy;
    for (unsigned i = 0; i < N; i++)
        pointer[i] = from[i];
    return copy[N - 1];
}

__global__ void work(int *out, float *angles)
{
    __shared__ int shared[32];
    const int table[] = {1, 2, 3};
    int zeros[4] = {}, plain[2][3], *pointers[2], unused[8];
    pair pairs[2];
    named objects[2];
    unsigned char bytes[5];
    unsigned t = threadIdx.x;
    shared[t] = (int)t;
    for (int i = 0; i < 2; i++) {
        int each[2];
        for (int k = 0; k < 3; k++)
            plain[i][k] = each[k % 2] = k;
        pointers[i] = plain[i];
        pairs[i].key = each[1];
        pairs[i].value[0] = pairs[i].value[1] = 1;
        pair copy = pairs[i];
        pairs[i] = copy;
    }
    memset(bytes, 1, sizeof bytes);
    auto sum = [&](int n) {
        int parts[2];
        parts[0] = n;
        parts[1] = pointers[1][2];
        return parts[0] + parts[1];
    };
    __syncthreads();
    float both[2];
    sincosf((float)t, &both[0], &both[1]);
    padded one = {1, 2};
    int words[4];
    memcpy(words, &one, sizeof one);
    int word_sum = 0;
    for (int i = 0; i < 4; i++)
        word_sum |= words[i];
    union {
        int whole[2];
        short half[4];
    } either;
    either.half[0] = either.half[1] = 1;
    angles[t] = both[0] + both[1];
    out[t] = table[t % 3] + zeros[t % 4] + sum(3) + objects[1].number + bytes[4] + choose(0) + choose(1) +
             choose(2) + last(table) + pairs[1].key + shared[31 - t] + (word_sum & 1) + either.whole[0] +
             (int)sizeof unused + depth(40);
    int first[3], filled = fill(first, 3);
    out[t] += first[filled - 1];
    if (t > 31)
        return;
    int late[1];
    late[0] = 1;
    out[t] += late[0];
}

int main()
{
    int *out;
    float *angles;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMalloc(&angles, 32 * sizeof *angles);
    work<<<1, 32>>>(out, angles);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(angles);
    return error != cudaSuccess;
}

//= (nothing)
