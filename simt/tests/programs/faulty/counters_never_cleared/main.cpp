void report(const int *values, int n, unsigned *bins);

int main()
{
    static int values[64];
    static unsigned bins[8];
    report(values, 64, bins);
    return 0;
}
