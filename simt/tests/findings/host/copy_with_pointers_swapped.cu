int main()
{
    int host[32] = {0}, *data;
    cudaMalloc(&data, sizeof host);
    cudaError_t error = cudaMemcpy(host, data, sizeof host, cudaMemcpyHostToDevice);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}

//= copy_with_pointers_swapped.cu:5  main: cudaMemcpy: dst is host memory, and cudaMemcpyHostToDevice wants device memory there
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: are the two pointers, or the direction, the wrong way round?
