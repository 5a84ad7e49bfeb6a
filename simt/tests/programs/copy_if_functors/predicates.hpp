#pragma once
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

struct record {
    int key;
    float weight;
    char tag[4];
};

struct is_even   { HD bool operator()(int x) const { return !(x & 1); } };
struct in_range  { int lo, hi; HD bool operator()(int x) const { return x >= lo && x < hi; } };
struct tagged    { char what; HD bool operator()(const record &r) const { return r.tag[0] == what; } };

template <class A, class B> struct both_of { A a; B b; template <class T> HD bool operator()(const T &x) const { return a(x) && b(x); } };
template <class A, class B> both_of<A, B> both(A a, B b) { return {a, b}; }
template <class P> struct negated { P p; template <class T> HD bool operator()(const T &x) const { return !p(x); } };
