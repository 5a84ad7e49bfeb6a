for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) {
        buffer[t] += buffer[t + s];
        __syncthreads();
    }
}
