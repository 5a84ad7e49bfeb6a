#pragma once
/* Threads and elements a thread of an algorithm, as a type: what a tuned library hands from level to level. */
template <int nt_, int vt_> struct launch_box_t {
  enum { nt = nt_, vt = vt_, nv = nt_ * vt_ };
};

struct context_t {
  cudaStream_t stream = 0;
  virtual ~context_t() = default;
  virtual void *alloc(size_t size) {
    void *p = nullptr;
    if (size && cudaMalloc(&p, size) != cudaSuccess) throw "out of memory";
    return p;
  }
  virtual void free(void *p) { cudaFree(p); }
};

template <typename type_t> class mem_t {
  context_t *context; type_t *pointer; size_t count;
public:
  mem_t(size_t n, context_t &c) : context(&c), pointer((type_t *)c.alloc(n * sizeof(type_t))), count(n) {}
  mem_t(const mem_t &) = delete;
  ~mem_t() { context->free(pointer); }
  type_t *data() { return pointer; }
  size_t size() const { return count; }
};

template <typename func_t, typename... args_t> __global__ void cta_kernel(func_t f, int n, args_t... args) {
  extern __shared__ double cta_storage[];
  f(threadIdx.x, blockIdx.x, (char *)cta_storage, n, args...);
}

template <typename launch_arg_t = launch_box_t<64, 3>, typename func_t, typename... args_t>
void cta_launch(func_t f, int n, size_t storage, context_t &context, args_t... args) {
  int ctas = (n + launch_arg_t::nv - 1) / launch_arg_t::nv;
  if (ctas) cta_kernel<<<ctas, launch_arg_t::nt, storage, context.stream>>>(f, n, args...);
}
