/* _FORTIFY_SOURCE turns memset into a call that the hooks do not see. */
#include <cstring>

int main()
{
    char *data, host[16] = "text";
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    memset(data, 0, sizeof host);
    return 0;
}
