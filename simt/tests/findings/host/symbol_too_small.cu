__constant__ float table[16];
__device__ int counter;

int main()
{
    float host[20] = {0};
    int value[2];
    return cudaMemcpyToSymbol(table, host, sizeof host) != cudaErrorInvalidValue ||
           cudaMemcpyFromSymbol(value, counter, sizeof(int), 2) != cudaErrorInvalidValue;
}

//= symbol_too_small.cu:8  main: cudaMemcpyToSymbol: the symbol has 64 bytes; 80 from offset 0 are asked for
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: count and offset are both in bytes
//= symbol_too_small.cu:9  main: cudaMemcpyFromSymbol: the symbol has 4 bytes; 4 from offset 2 are asked for
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: count and offset are both in bytes
