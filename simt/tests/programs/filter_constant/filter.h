#pragma once
#define RADIUS 3
#define TAPS   (2 * RADIUS + 1)
void setFilter(const int *taps, bool mirrored);
void runFilter(int *d_out, const int *d_in, int width, int height);
