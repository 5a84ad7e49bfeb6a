/* A kernel without a declaration, at line 8. */
__global__ void declared(int *out);

void start(int *out)
{
    declared<<<1,
        32>>>(out);
    undeclared<<<1, 32>>>(out);
}
