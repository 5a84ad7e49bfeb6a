/* A small matrix of similarities, in C. */
int blosum(int a, int b);

static const signed char blosum62[6][6] = {{4, -1, -2, -2, 0, -1}, {-1, 5, 0, -2, -3, 1},
                                           {-2, 0, 6, 1, -3, 0},   {-2, -2, 1, 6, -3, 0},
                                           {0, -3, -3, -3, 9, -3}, {-1, 1, 0, 0, -3, 5}};

int blosum(int a, int b)
{
    return blosum62[a][b];
}
