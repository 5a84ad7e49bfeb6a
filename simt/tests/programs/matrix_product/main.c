#include "matrix.h"
#include <stdio.h>
#include <stdlib.h>

static Matrix make(int width, int height)
{
    Matrix m = {width, height, width, malloc(width * height * sizeof(float))};
    for (int i = 0; i < width * height; i++)
        m.elements[i] = (float)(i * 7 % 13);
    return m;
}

int main(void)
{
    Matrix a = make(32, 48), b = make(64, 32), c = make(64, 48);
    int wrong = 0;
    MatMul(a, b, c);
    for (int row = 0; row < c.height; row++)
        for (int col = 0; col < c.width; col++) {
            float sum = 0;
            for (int k = 0; k < a.width; k++)
                sum += a.elements[row * a.width + k] * b.elements[k * b.width + col];
            wrong += c.elements[row * c.width + col] != sum;
        }
    printf("%d x %d, %d wrong, last %.0f\n", c.height, c.width, wrong, c.elements[c.height * c.width - 1]);
    puts(wrong == 0 ? "PASS" : "FAIL");
    return wrong != 0;
}
