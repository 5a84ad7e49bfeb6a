/* A host file with Thrust's host side, whose vector a .cu file fills. */
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <cstdio>

void count_down(thrust::device_vector<int> &values);
thrust::host_vector<int> fetched(const thrust::device_vector<int> &values);

int main()
{
    int on_stack[3] = {3, 1, 2};
    thrust::sort(on_stack, on_stack + 3);
    thrust::device_vector<int> values;
    count_down(values);
    thrust::host_vector<int> here = fetched(values);
    printf("%d %d\n", on_stack[0], here[2]);
}
