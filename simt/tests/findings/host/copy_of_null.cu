int main()
{
    int host[32] = {0}, *data = NULL;
    return cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaErrorInvalidValue;
}
