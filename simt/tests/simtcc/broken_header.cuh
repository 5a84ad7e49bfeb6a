__global__ void kernel();

inline void start()
{
    kernel<<<>>>();
}
