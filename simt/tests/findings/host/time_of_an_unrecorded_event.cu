int main()
{
    cudaEvent_t begin, end;
    float milliseconds;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    return cudaEventElapsedTime(&milliseconds, begin, end) != cudaErrorInvalidResourceHandle;
}

//= time_of_an_unrecorded_event.cu:8  main: cudaEventElapsedTime: end was never recorded
//=     it returns cudaErrorInvalidResourceHandle (400) and does nothing
//=     try: call cudaEventRecord on both first
