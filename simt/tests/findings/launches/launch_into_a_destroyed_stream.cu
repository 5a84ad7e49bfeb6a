__global__ void nothing()
{
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    nothing<<<1, 1, 0, stream>>>();
    cudaStreamDestroy(stream);
    nothing<<<1, 1, 0, stream>>>();
    return cudaGetLastError() != cudaErrorInvalidResourceHandle;
}

//= launch_into_a_destroyed_stream.cu:11  main: launch of nothing refused: its stream is already destroyed, or is no stream
//=     the kernel does not run, and later results are missing
//=     try: make it with cudaStreamCreate, and destroy it when the work is done
