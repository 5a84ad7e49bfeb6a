/* Generators without a library: classes for host and device, whose states stay in global memory between launches. */
#include "rng.hpp"
#include <cstdio>
#include <cstring>

template <class Engine> Estimate<Engine> Estimate<Engine>::onHost(unsigned seed, int threads, int samples)
{
    Estimate all = {};
    for (int id = 0; id < threads; id++) {
        Engine engine(seed, id);
        for (int i = 0; i < samples; i++) {
            float x = engine.uniform(), y = engine.uniform();
            all.hits += x * x + y * y <= 1.0f;
            all.dice[engine.below(6)]++;
        }
    }
    return all;
}

template <class Engine> static bool compare(const char *name)
{
    const int threads = 150, samples = 20;
    auto device = Estimate<Engine>::onDevice(2718, threads, samples), host = Estimate<Engine>::onHost(2718, threads, samples);
    std::printf("%s: pi is about %.3f, a six %llu times\n", name, 4.0 * device.hits / (threads * samples), device.dice[5]);
    return std::memcmp(&device, &host, sizeof host) == 0;
}

int main()
{
    bool ok = compare<rng::Lcg>("lcg") & compare<rng::Xorshift128>("xorshift");
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
