/* A library of templates in .hxx headers: launch parameters as types, a context with virtual functions, kernels that
 * run any functor of a block, and dynamic shared memory of any type. */
#include "mergesort.hxx"
#include <algorithm>
#include <cstdio>
#include <vector>

struct tracking_context : context_t {
  int live = 0, made = 0;
  void *alloc(size_t size) override { live++, made++; return context_t::alloc(size); }
  void free(void *p) override { live -= p != nullptr || made > 0; context_t::free(p); }
};

struct point { short key; short place; };
struct by_key { __host__ __device__ bool operator()(const point &a, const point &b) const { return a.key < b.key; } };

int main()
{
  tracking_context context;
  int failed = 0;
  for (int count : {1, 5, 100, 128, 1000, 3333}) {
    std::vector<int> host(count);
    for (int i = 0; i < count; i++) host[i] = i * 7919 % 1009 - 300;
    mem_t<int> keys(count, context);
    cudaMemcpy(keys.data(), host.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    if (count % 2) mergesort(keys.data(), count, less_t<int>(), context);
    else mergesort<launch_box_t<64, 3>>(keys.data(), count, less_t<int>(), context);
    std::vector<int> got(count);
    cudaMemcpy(got.data(), keys.data(), count * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(host.begin(), host.end());
    printf("%d ints: %s\n", count, got == host ? "sorted" : "FAIL");
    failed += got != host;
  }
  {
    const int count = 700;
    std::vector<point> host(count), got(count);
    for (int i = 0; i < count; i++) host[i] = {short(i * 31 % 17), short(i)};
    mem_t<point> points(count, context);
    cudaMemcpy(points.data(), host.data(), count * sizeof(point), cudaMemcpyHostToDevice);
    mergesort<launch_box_t<32, 5>>(points.data(), count, by_key(), context);
    cudaMemcpy(got.data(), points.data(), count * sizeof(point), cudaMemcpyDeviceToHost);
    std::stable_sort(host.begin(), host.end(), by_key());
    bool stable = true;
    for (int i = 0; i < count; i++) stable &= got[i].key == host[i].key && got[i].place == host[i].place;
    printf("points: %s\n", stable ? "stable" : "FAIL");
    failed += !stable;
  }
  printf("%d allocations, %d live\n", context.made, context.live);
  failed += context.live != 0;
  puts(failed ? "FAIL" : "PASS");
  return failed;
}
