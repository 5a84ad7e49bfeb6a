__constant__ float table[16];

int main()
{
    float host[16] = {0};
    return cudaMemcpyToSymbol(&table, host, sizeof host) != cudaErrorInvalidSymbol;
}
