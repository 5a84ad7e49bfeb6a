/* On host memory, string functions work as usual; a device pointer among their arguments is found. */
#include <cstdio>
#include <cstring>

int main()
{
    char text[32] = "", *data;
    strcpy(text, "abc");
    char *end = stpcpy(text + 3, "def");
    strncat(end, "ghijkl", 3);
    strcat(text, "x");
    strncpy(end + 4, "yz!", 2);
    if (strcmp(text, "abcdefghixyz") != 0 || strncmp(text, "abcX", 3) != 0 || memcmp(text, "abd", 3) >= 0)
        puts("wrong");
    cudaMalloc(&data, sizeof text);
    cudaMemcpy(data, text, sizeof text, cudaMemcpyHostToDevice);
    return strcmp(text, data);
}

//= device_text_read_on_host.cu:17  main: host code reads device memory: data[0]
//=     it comes from cudaMalloc, and only kernels can reach it
//=     try: copy it to a host array with cudaMemcpy first, or do the work in a kernel
