/* Tables in constant memory, defined in a header: each file that includes it has its own. */
#ifndef PATTERNS_H
#define PATTERNS_H

#define MAX_PATTERN 16
#define PATTERNS    4

struct pattern {
    char text[MAX_PATTERN];
    unsigned char length;
    short shift[26]; /* how far a search may jump by the last letter */
};

#ifdef __CUDACC__
static __constant__ struct pattern patterns[PATTERNS];
#define CASE_INSENSITIVE 0x20
#endif

#endif
