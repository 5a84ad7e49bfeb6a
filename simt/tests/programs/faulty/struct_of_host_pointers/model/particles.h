#ifndef PARTICLES_H
#define PARTICLES_H

typedef struct {
    int count;
    double *mass, *speed;
} particles;

#endif
