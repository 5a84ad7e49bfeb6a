// The tiled n-body of a well-known chapter: a .cpp file with a host integrator, tolerances, and two shapes of block.
#include "bodies.h"
#include <cmath>
#include <cstdio>
#include <vector>

namespace {
const int n = 128;

void hostStep(std::vector<float> &pos, std::vector<float> &vel, float dt, float eps)
{
    const std::vector<float> old(pos);
    for (int i = 0; i < n; i++) {
        double a[3] = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            double d[3], sq = eps * eps;
            for (int k = 0; k < 3; k++) {
                d[k] = old[4 * i + k] - old[4 * j + k];
                sq += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                a[k] += d[k] * old[4 * i + 3] / (sq * std::sqrt(sq));
        }
        for (int k = 0; k < 3; k++) {
            vel[4 * i + k] += (float)a[k] * dt;
            pos[4 * i + k] += vel[4 * i + k] * dt;
        }
    }
}
}

int main()
{
    int bad = 0;
    for (int q = 1; q <= 2; q++) {
        std::vector<float> pos(4 * n), vel(4 * n, 0.0f), got(4 * n);
        for (int i = 0; i < 4 * n; i++)
            pos[i] = i % 4 == 3 ? 1.0f : (float)((i * 193 + 71) % 257) / 64.0f - 2.0f;
        BodyArrays device;
        allocateNBodyArrays(&device, n);
        setSoftening(0.5f);
        copyArrayToDevice(device.position, &pos[0], n);
        copyArrayToDevice(device.velocity, &vel[0], n);
        for (int step = 0; step < 2; step++) {
            integrateBodies(&device, 0.001f, 32, q);
            hostStep(pos, vel, 0.001f, 0.5f);
        }
        copyArrayFromDevice(&got[0], device.position, n);
        deleteNBodyArrays(&device);
        float worst = 0;
        for (int i = 0; i < 4 * n; i++)
            worst = std::fmax(worst, std::fabs(got[i] - pos[i]));
        std::printf("%d threads a body: %s\n", q, worst < 1e-4f ? "agrees" : "differs");
        bad += !(worst < 1e-4f);
    }
    std::puts(bad ? "FAIL" : "PASS");
    return bad;
}
