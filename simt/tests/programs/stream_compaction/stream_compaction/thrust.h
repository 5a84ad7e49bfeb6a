#pragma once

#include "common.h"

namespace StreamCompaction
{
namespace Thrust
{

StreamCompaction::Common::PerformanceTimer &timer();

void scan(int n, int *odata, const int *idata);

int compact(int n, int *odata, const int *idata);

void sort(int n, int *odata, const int *idata);

} // namespace Thrust
} // namespace StreamCompaction
