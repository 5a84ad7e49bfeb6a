#include "kernels.h"
#include <cstdio>
int main()
{
    const int n = 50;
    int data[n], sum = 0, wrong = 0, all = n / 2 + 7 * (n - n / 2);
    int status = scan_on_device(data, n);
    for (int i = 0; i < n; i++) {
        sum += i < n / 2 ? 1 : 7;
        wrong += data[i] != sum + 1000 * all;
    }
    printf("read by %s: status %d, last %d, %d wrong\n%s\n", KERNEL_FILE, status, data[n - 1], wrong,
           wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
