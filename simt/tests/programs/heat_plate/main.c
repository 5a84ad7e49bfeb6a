/* A C program that uses a library with an opaque handle: goto on errors, pitched rows, a stream of its own. */
#include "heat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 37, NY = 22, STEPS = 12 };

int main(void)
{
    static double plate[NY][NX], other[NY][NX], got[NY][NX];

    for (int x = 0; x < NX; x++)
        plate[0][x] = 100.0, plate[NY - 1][x] = x;
    memcpy(other, plate, sizeof plate);

    struct plate *p = plate_create(NX, NY, &plate[0][0]);
    if (!p || plate_advance(p, STEPS, 0.125) != 0 || plate_read(p, &got[0][0]) != 0) {
        fprintf(stderr, "heat: %s\n", plate_error());
        return EXIT_FAILURE;
    }
    plate_destroy(p);

    for (int s = 0; s < STEPS; s++) {
        for (int y = 1; y < NY - 1; y++)
            for (int x = 1; x < NX - 1; x++)
                other[y][x] = plate[y][x] + 0.125 * (plate[y][x - 1] + plate[y][x + 1] + plate[y - 1][x] +
                                                     plate[y + 1][x] - 4.0 * plate[y][x]);
        memcpy(plate, other, sizeof plate);
    }
    int wrong = memcmp(plate, got, sizeof got) != 0;
    printf("centre %.6f, corner %.6f\n%s\n", got[NY / 2][NX / 2], got[1][1], wrong ? "FAIL" : "PASS");
    return wrong;
}
