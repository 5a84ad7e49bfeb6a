/* The functions on texts do on host memory what they do elsewhere; a device pointer among their arguments is found. */
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
