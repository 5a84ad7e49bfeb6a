#include "support/device_vector.hpp"

int main()
{
    const std::vector<int> host(101, 7);
    device_vector<int> device(100);
    device.assign(host);
    return 0;
}
