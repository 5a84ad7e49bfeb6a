int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    return cudaStreamSynchronize(stream) != cudaErrorInvalidResourceHandle;
}

//= stream_used_after_its_end.cu:6  main: cudaStreamSynchronize: the stream is already destroyed
//=     it returns cudaErrorInvalidResourceHandle (400) and does nothing
//=     try: make it with cudaStreamCreate, and destroy it when the work is done
