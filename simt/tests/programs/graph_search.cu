/* Breadth-first search: the frontier's degrees are scanned to give each vertex its place in the next queue, as
 * Merrill, Garland and Grimshaw do; and ranks of a linked list by pointer jumping. */
#include "program.h"

#include <queue>

__global__ void degrees(const int *frontier, int size, const int *offsets, int *counts)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        counts[i] = offsets[frontier[i] + 1] - offsets[frontier[i]];
}

__global__ void exclusive_scan(int *data, int n, int *total)
{
    __shared__ int lasts[256];
    const int t = threadIdx.x, chunk = (n + 255) / 256, first = t * chunk, last = min(first + chunk, n);
    int sum = 0;

    for (int i = first; i < last; i++)
        sum += data[i];
    lasts[t] = sum;
    for (int stride = 1; stride < 256; stride <<= 1) {
        __syncthreads();
        int left = t >= stride ? lasts[t - stride] : 0;
        __syncthreads();
        lasts[t] += left;
    }
    __syncthreads();
    int running = t > 0 ? lasts[t - 1] : 0;
    for (int i = first; i < last; i++) {
        int own = data[i];
        data[i] = running;
        running += own;
    }
    if (t == 255)
        *total = lasts[255];
}

/* Claims unseen neighbours; a thread that does not get one writes -1 into its place. */
__global__ void expand(const int *frontier, int size, const int *offsets, const int *neighbours, const int *places,
                       int *distance, int level, int *next)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        int vertex = frontier[i], place = places[i];
        for (int e = offsets[vertex]; e < offsets[vertex + 1]; e++) {
            int neighbour = neighbours[e];
            bool won = atomicCAS(&distance[neighbour], -1, level) == -1;
            next[place++] = won ? neighbour : -1;
        }
    }
}

__global__ void flag_claimed(const int *candidates, int n, int *flags)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        flags[i] = candidates[i] >= 0;
}

__global__ void pack(const int *candidates, int n, const int *places, int *frontier)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (candidates[i] >= 0)
            frontier[places[i]] = candidates[i];
}

/* Each node's pointer reaches twice as far in every round. */
__global__ void jump(const int *successor, const int *rank, int *next_successor, int *next_rank, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int s = successor[i];
        next_rank[i] = rank[i] + (s == i ? 0 : rank[s]);
        next_successor[i] = successor[s];
    }
}

int main()
{
    const int n = 2000;
    std::vector<unsigned> dice = random_keys(8 * n, n, 15);
    std::vector<int> offsets(1, 0), neighbours;
    for (int v = 0, d = 0; v < n; v++) {
        for (int k = 0; k < v % 4 + (v % 100 == 0 ? 20 : 0); k++)
            neighbours.push_back((int)dice[d++ % dice.size()]);
        offsets.push_back((int)neighbours.size());
    }
    const int edges = (int)neighbours.size();
    int *d_offsets = to_device(offsets), *d_neighbours = to_device(neighbours), *frontier = device_alloc<int>(n);
    int *counts = device_alloc<int>(edges), *candidates = device_alloc<int>(edges), *total = device_alloc<int>(1);

    for (int source : {3, 100, 1}) {
        std::vector<int> want(n, -1);
        std::queue<int> queue;
        want[source] = 0;
        queue.push(source);
        while (!queue.empty()) {
            int v = queue.front();
            queue.pop();
            for (int e = offsets[v]; e < offsets[v + 1]; e++)
                if (want[neighbours[e]] < 0) {
                    want[neighbours[e]] = want[v] + 1;
                    queue.push(neighbours[e]);
                }
        }
        std::vector<int> start(n, -1);
        start[source] = 0;
        int *distance = to_device(start), size = 1, level = 0;
        CUDA_CHECK(cudaMemcpy(frontier, &source, sizeof source, cudaMemcpyHostToDevice));
        while (size > 0) {
            level++;
            degrees<<<4, 64>>>(frontier, size, d_offsets, counts);
            exclusive_scan<<<1, 256>>>(counts, size, total);
            const int reached = from_device(total, 1)[0];
            expand<<<4, 64>>>(frontier, size, d_offsets, d_neighbours, counts, distance, level, candidates);
            flag_claimed<<<4, 64>>>(candidates, reached, counts);
            exclusive_scan<<<1, 256>>>(counts, reached, total);
            pack<<<4, 64>>>(candidates, reached, counts, frontier);
            CUDA_CHECK(cudaGetLastError());
            size = from_device(total, 1)[0];
            printf("level %d: %d vertices\n", level, size);
        }
        expect_equal("distances", from_device(distance, n), want);
        CUDA_CHECK(cudaFree(distance));
    }

    for (int nodes : {1, 33, 1500}) {
        std::vector<int> order(nodes), successor(nodes), rank(nodes), want(nodes);
        for (int i = 0; i < nodes; i++)
            order[i] = i;
        for (int i = nodes - 1; i > 0; i--)
            std::swap(order[i], order[dice[i] % (unsigned)(i + 1)]);
        for (int i = 0; i < nodes; i++) {
            successor[order[i]] = i + 1 < nodes ? order[i + 1] : order[i];
            rank[order[i]] = i + 1 < nodes;
            want[order[i]] = nodes - 1 - i;
        }
        int *s[2] = {to_device(successor), device_alloc<int>(nodes)}, *r[2] = {to_device(rank), device_alloc<int>(nodes)};
        int now = 0;
        for (int reach = 1; reach < nodes; reach *= 2, now ^= 1)
            jump<<<blocks_for(nodes, 128), 128>>>(s[now], r[now], s[now ^ 1], r[now ^ 1], nodes);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("ranks of a list", from_device(r[now], nodes), want);
        for (int k = 0; k < 2; k++) {
            CUDA_CHECK(cudaFree(s[k]));
            CUDA_CHECK(cudaFree(r[k]));
        }
    }
    return program_end();
}
