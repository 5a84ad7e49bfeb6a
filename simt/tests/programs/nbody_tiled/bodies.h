/* The simulation's interface, which a .cpp file without any CUDA header may call. */
#ifndef BODIES_H
#define BODIES_H

#ifdef __cplusplus
extern "C" {
#endif

struct BodyArrays {
    float *position; /* x, y, z, mass of each */
    float *velocity; /* x, y, z, unused */
    int count;
};

void allocateNBodyArrays(struct BodyArrays *device, int count);
void deleteNBodyArrays(struct BodyArrays *device);
void setSoftening(float softening);
void copyArrayToDevice(float *device, const float *host, int count);
void copyArrayFromDevice(float *host, const float *device, int count);
void integrateBodies(struct BodyArrays *device, float dt, int p, int q);

#ifdef __cplusplus
}
#endif

#endif
