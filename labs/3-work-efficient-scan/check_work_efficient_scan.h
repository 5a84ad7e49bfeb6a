/* check_work_efficient_scan.h: what lab 3's grading suite uses of the public suite. */
#ifndef CHECK_WORK_EFFICIENT_SCAN_H
#define CHECK_WORK_EFFICIENT_SCAN_H

#include "suite.h"

enum { COARSE_TILES = 4 /* the most that scan_coarsened takes */ };

/* Powers of two, for parts that take no other length. */
extern const size_t power_lengths[];

/* Lengths for the part that takes up to COARSE_TILES tiles. */
extern const size_t coarse_lengths[];

#endif
