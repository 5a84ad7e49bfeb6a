#pragma once
#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1];
__constant__ float after[64]; /* comes after it, so no page is missing */
