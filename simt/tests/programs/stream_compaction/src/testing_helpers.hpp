#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

template <typename T> int cmpArrays(int n, T *a, T *b)
{
    for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            printf("    a[%d] = %d, b[%d] = %d\n", i, a[i], i, b[i]);
            return 1;
        }
    }
    return 0;
}

inline void printDesc(const char *desc)
{
    printf("==== %s ====\n", desc);
}

inline int failures = 0;

template <typename T> void printCmpResult(int n, T *a, T *b)
{
    const int differ = cmpArrays(n, a, b);
    failures += differ;
    printf("    %s \n", differ ? "FAIL VALUE" : "passed");
}

template <typename T> void printCmpLenResult(int n, int expN, T *a, T *b)
{
    if (n != expN)
        printf("    expected %d elements, got %d\n", expN, n);
    const bool wrong_length = n == -1 || n != expN;
    const int differ = wrong_length || cmpArrays(n, a, b);
    failures += differ;
    printf("    %s \n", wrong_length ? "FAIL COUNT" : differ ? "FAIL VALUE" : "passed");
}

inline void zeroArray(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

/* The C library's rand() differs between systems. */
inline void genArray(int n, int *a, int maxval)
{
    static unsigned state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = static_cast<int>((state >> 8) % maxval);
    }
}

inline void printArray(int n, int *a, bool abridged = false)
{
    printf("    [ ");
    for (int i = 0; i < n; i++) {
        if (abridged && i + 2 == 15 && n > 16) {
            i = n - 2;
            printf("... ");
        }
        printf("%3d ", a[i]);
    }
    printf("]\n");
}

/* Times differ from run to run, so they are printed only when asked for. */
inline bool showTimes = false;

template <typename T> void printElapsedTime(T time, std::string note = "")
{
    if (showTimes)
        std::cout << "   elapsed time: " << time << "ms    " << note << std::endl;
    else if (!(time >= 0 && time < 1e6f))
        printf("   a time that cannot be: %f\n", static_cast<double>(time));
}
