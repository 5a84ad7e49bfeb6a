// The cheapest way down, computed row by row, which the pyramid of blocks with shrinking borders must find.
#include "pyramid.h"
#include <vector>

int compare_rows(const int *wall, const int *result, int rows, int cols)
{
    std::vector<int> best(wall, wall + cols);
    for (int r = 1; r < rows; r++) {
        std::vector<int> above(best);
        for (int c = 0; c < cols; c++) {
            int w = c - 1, e = c + 1;
            CLAMP_RANGE(w, 0, cols - 1);
            CLAMP_RANGE(e, 0, cols - 1);
            best[c] = wall[r * cols + c] + MIN(above[c], MIN(above[w], above[e]));
        }
    }
    for (int c = 0; c < cols; c++)
        if (best[c] != result[c])
            return 1;
    return 0;
}
