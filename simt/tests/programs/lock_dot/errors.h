#ifndef ERRORS_H
#define ERRORS_H
#include <stdio.h>
#include <stdlib.h>
#define HANDLE_ERROR(err)                                                                                    \
    do {                                                                                                     \
        if ((err) != cudaSuccess)                                                                            \
            fprintf(stderr, "line %d of %s\n", __LINE__, __FILE__), exit(1);                                 \
    } while (0)
#endif
