__constant__ float table[16];

int main()
{
    float host[16] = {0};
    return cudaMemcpyToSymbol(&table, host, sizeof host) != cudaErrorInvalidSymbol;
}

//= symbol_by_its_address.cu:6  main: cudaMemcpyToSymbol: the symbol is no __device__ or __constant__ variable
//=     it returns cudaErrorInvalidSymbol (13) and does nothing
//=     try: pass the variable itself, without & or quotes; a pointer from cudaMalloc wants cudaMemcpy
