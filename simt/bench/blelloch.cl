/* Exclusive scan of 512-element tiles by up-sweep and down-sweep: the kernel of blelloch.cu, in OpenCL C. */

#define THREADS 256
#define TILE (2 * THREADS)

__kernel void scan_blelloch(__global const int *in, __global int *out)
{
    __local int tree[TILE];
    const uint t = get_local_id(0);
    const size_t first = get_group_id(0) * TILE;

    tree[2 * t] = in[first + 2 * t];
    tree[2 * t + 1] = in[first + 2 * t + 1];

    for (uint stride = 1; stride < TILE; stride *= 2) {         /* up-sweep: leaves to root */
        barrier(CLK_LOCAL_MEM_FENCE);
        uint right = (t + 1) * stride * 2 - 1;
        if (right < TILE)
            tree[right] = tree[right - stride] + tree[right];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        tree[TILE - 1] = 0;
    for (uint stride = TILE / 2; stride > 0; stride /= 2) {     /* down-sweep: root to leaves */
        barrier(CLK_LOCAL_MEM_FENCE);
        uint right = (t + 1) * stride * 2 - 1;
        if (right < TILE) {
            int left_sum = tree[right - stride];
            tree[right - stride] = tree[right];
            tree[right] = tree[right] + left_sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + 2 * t] = tree[2 * t];
    out[first + 2 * t + 1] = tree[2 * t + 1];
}
