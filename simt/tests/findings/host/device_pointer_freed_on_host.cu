int main()
{
    int *data;
    cudaMalloc(&data, 128);
    free(data);
    return 0;
}

//= device_pointer_freed_on_host.cu:5  main: free of device memory in host code
//=     try: free it with cudaFree
