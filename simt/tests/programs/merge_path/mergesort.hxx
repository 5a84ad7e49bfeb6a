#pragma once
#include "launch_box.hxx"

template <typename type_t> struct less_t { __host__ __device__ bool operator()(type_t a, type_t b) const { return a < b; } };

// Where the diagonal of the merge of a and b is cut: how many of a stand before it.
template <typename keys_t, typename comp_t>
__host__ __device__ int merge_path(keys_t a, int a_count, keys_t b, int b_count, int diag, comp_t comp) {
  int begin = max(0, diag - b_count), end = min(diag, a_count);
  while (begin < end) {
    int mid = (begin + end) / 2;
    if (!comp(b[diag - 1 - mid], a[mid])) begin = mid + 1;
    else end = mid;
  }
  return begin;
}

// A block sorts its own tile: each thread by exchange, then merges in shared memory.
template <typename launch_t, typename key_t, typename comp_t> struct blocksort_t {
  comp_t comp;
  __device__ void operator()(int tid, int cta, char *storage, int n, key_t *keys) const {
    enum { nt = launch_t::nt, vt = launch_t::vt, nv = launch_t::nv };
    key_t *shared = reinterpret_cast<key_t *>(storage);
    const int base = cta * nv, count = min((int)nv, n - base);
    for (int i = tid; i < count; i += nt) shared[i] = keys[base + i];
    __syncthreads();
    key_t x[vt];
    const int first = min(tid * vt, count), mine = min(first + vt, count) - first;
#pragma unroll
    for (int i = 0; i < vt; ++i)
      if (i < mine) x[i] = shared[first + i];
    for (int i = 0; i < mine; ++i)
      for (int j = i & 1; j + 1 < mine; j += 2)
        if (comp(x[j + 1], x[j])) { key_t t = x[j]; x[j] = x[j + 1]; x[j + 1] = t; }
    for (int coop = 2; coop <= nt; coop *= 2) {
      __syncthreads();
      for (int i = 0; i < mine; ++i) shared[first + i] = x[i];
      __syncthreads();
      const int start = min(coop * vt * (tid / coop), count), middle = min(start + coop * vt / 2, count), stop = min(start + coop * vt, count);
      const int diag = first - start;
      key_t *a = shared + start, *b = shared + middle;
      int ai = merge_path(a, middle - start, b, stop - middle, diag, comp), bi = diag - ai;
      for (int i = 0; i < mine; ++i) {
        bool p = bi >= stop - middle || (ai < middle - start && !comp(b[bi], a[ai]));
        x[i] = p ? a[ai++] : b[bi++];
      }
    }
    for (int i = 0; i < mine; ++i) keys[base + first + i] = x[i];
  }
};

// A pass over the whole: pairs of runs of `width` become runs of twice that; each thread makes vt of the result.
template <typename launch_t, typename key_t, typename comp_t> struct mergepass_t {
  comp_t comp;
  __device__ void operator()(int tid, int cta, char *, int n, const key_t *from, key_t *to, int width) const {
    enum { vt = launch_t::vt };
    const int first = cta * launch_t::nv + tid * vt;
    if (first >= n) return;
    const int start = first / (2 * width) * 2 * width, middle = min(start + width, n), stop = min(start + 2 * width, n);
    const key_t *a = from + start, *b = from + middle;
    int ai = merge_path(a, middle - start, b, stop - middle, first - start, comp), bi = first - start - ai;
    for (int i = first; i < min(first + vt, n); ++i) {
      bool p = bi >= stop - middle || (ai < middle - start && !comp(b[bi], a[ai]));
      to[i] = p ? a[ai++] : b[bi++];
    }
  }
};

template <typename launch_arg_t = launch_box_t<32, 4>, typename key_t, typename comp_t>
void mergesort(key_t *keys, int count, comp_t comp, context_t &context) {
  typedef launch_arg_t launch_t;
  mem_t<key_t> temp(count, context);
  cta_launch<launch_t>(blocksort_t<launch_t, key_t, comp_t>{comp}, count, launch_t::nv * sizeof(key_t), context, keys);
  key_t *from = keys, *to = temp.data();
  for (int width = launch_t::nv; width < count; width *= 2) {
    cta_launch<launch_t>(mergepass_t<launch_t, key_t, comp_t>{comp}, count, 0, context, (const key_t *)from, to, width);
    key_t *t = from; from = to; to = t;
  }
  if (from != keys) cudaMemcpyAsync(keys, from, count * sizeof(key_t), cudaMemcpyDeviceToDevice, context.stream);
}
