#include <stdio.h>

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    printf("%d\n", data[5]);
    return 0;
}
