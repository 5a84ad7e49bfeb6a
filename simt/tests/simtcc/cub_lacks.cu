#include <cub/device/device_select.cuh>

int main()
{
    size_t bytes = 0;
    int *all = nullptr;
    cub::DeviceSelect::UniqueByKey(nullptr, bytes, all, all, all, all, all, 10);
}
