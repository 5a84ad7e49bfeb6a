#include "kernels.h"
#include <stdio.h>

int main(int count, char **words)
{
    printf("%d %s\n", doubled(21), count > 1 ? words[1] : "alone");
    return 0;
}
