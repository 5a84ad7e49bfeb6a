int main()
{
    int host[32] = {0}, *data = NULL;
    return cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaErrorInvalidValue;
}

//= copy_of_null.cu:4  main: cudaMemcpy: dst is null
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: was the allocation checked for errors?
