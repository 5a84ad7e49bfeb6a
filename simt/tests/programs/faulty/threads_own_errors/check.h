/* Prints the last error of the calling host thread, and clears it. */
inline void show_last_error(const char *who)
{
    printf("%s: %s\n", who, cudaGetErrorName(cudaGetLastError()));
}

inline void copy_too_much(int *device)
{
    static int host[8];
    cudaMemcpy(device, host, 9 * sizeof(int), cudaMemcpyHostToDevice);
}
