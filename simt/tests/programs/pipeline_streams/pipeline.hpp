#pragma once
#include <atomic>
#include <functional>
#include <vector>

struct Stage {
    int offset, count, index;
    std::atomic<int> *done;
};

class Pipeline
{
public:
    explicit Pipeline(int streams);
    ~Pipeline();
    int run(float *pinned, float *device, int n, const std::function<void(const Stage &)> &launched);

private:
    struct Impl;
    Impl *impl;
};
