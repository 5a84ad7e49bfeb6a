/* What _FORTIFY_SOURCE makes of memset is no call that the hooks see. */
#include <cstring>

int main()
{
    char *data, host[16] = "text";
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    memset(data, 0, sizeof host);
    return 0;
}
