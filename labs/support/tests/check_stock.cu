/* check_stock.cu: the scans, the reduction and the sort that the harness gives to labs are right at every length,
 * in separate arrays and in place, in every order of threads, within the work that they promise, and without
 * findings. Prints one line for each property, and `stock scans: N passed, N failed`. */
#include "closing.h"
#include "simt.h"
#include "monoid.h"
#include "parts.h"
#include "random.h"
#include "stock_cpu.h"
#include "stock_monoid.h"
#include "stock_scan.h"
#include <algorithm>
#include <stdio.h>
#include <string.h>
#include <string_view>
#include <vector>

/* One run with it proves a scan right: see monoid.h. */
struct interval {
    typedef interval_t value;
    static __host__ __device__ value identity() { return INTERVAL_IDENTITY; }
    static __host__ __device__ value combine(value left, value right) { return interval_combine(left, right); }
};

/* Three words, which is no power of two: the later of two values that exist, and how many existed. */
struct latest {
    struct value {
        unsigned there, what, count;
    };
    static __host__ __device__ value identity() { return value{0, 0, 0}; }
    static __host__ __device__ value combine(value left, value right)
    {
        return value{left.there | right.there, right.there ? right.what : left.what, left.count + right.count};
    }
};

static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 1023, 4097};

enum { GUARD = 3 /* elements on each side of an array */ };

static int passed, failed;
static const char *property; /* the property being tested */
static bool good;

static void expect(bool holds, const char *what, size_t n)
{
    if (!holds && good)
        printf("not ok: %s: %s, n = %zu\n", property, what, n);
    good = good && holds;
}

static uint64_t meter(const char *name)
{
    for (size_t i = 0; i < simt_meter_count(); i++)
        if (std::string_view(simt_meter_at(i).name) == name)
            return simt_meter_at(i).value;
    return ~0ull;
}

/* An array on the device with guards on both sides. */
template <class T> struct guarded {
    T *all, *begin;
    size_t n;
    explicit guarded(const std::vector<T> &values) : n(values.size())
    {
        cudaMalloc(&all, (n + 2 * GUARD) * sizeof(T));
        cudaMemset(all, 0x5A, (n + 2 * GUARD) * sizeof(T));
        begin = all + GUARD;
        cudaMemcpy(begin, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> fetch(size_t length)
    {
        std::vector<T> values(n + 2 * GUARD);
        cudaMemcpy(values.data(), all, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
        const unsigned char *bytes = (const unsigned char *)values.data();
        for (size_t i = 0; i < values.size() * sizeof(T); i++)
            if (i < GUARD * sizeof(T) || i >= (GUARD + n) * sizeof(T))
                expect(bytes[i] == 0x5A, "something beside the array was written", length);
        return std::vector<T>(values.begin() + GUARD, values.end() - GUARD);
    }
    ~guarded() { cudaFree(all); }
};

template <class T> static bool same(const std::vector<T> &a, const std::vector<T> &b)
{
    return a.size() == b.size() && (a.empty() || memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/* Calls `run(in, out, n)`, also in place, and compares the results. */
template <class T, class Run>
static void expect_array(const std::vector<T> &in, const std::vector<T> &want, uint64_t most, Run run)
{
    size_t n = in.size();
    for (int in_place = 0; in_place < 2; in_place++) {
        guarded<T> from(in), to(std::vector<T>(n, T()));
        simt_begin_run();
        uint64_t mark = simt_heap_mark();
        run(from.begin, in_place ? from.begin : to.begin, n);
        expect(cudaDeviceSynchronize() == cudaSuccess, "an error", n);
        expect(meter("combines") <= most, "more combines than promised", n);
        expect(simt_finding_count() == 0, "a finding", n);
        expect(simt_heap_release(mark) == 0, "memory not freed", n);
        expect(same((in_place ? from : to).fetch(n), want), in_place ? "wrong in place" : "wrong", n);
        expect(in_place || same(from.fetch(n), in), "the input changed", n);
    }
}

template <class M>
static void expect_scans(const std::vector<typename M::value> &in)
{
    typedef typename M::value value;
    size_t n = in.size();
    std::vector<value> inclusive(n), exclusive(n);
    value sum = M::identity();
    for (size_t i = 0; i < n; i++) {
        exclusive[i] = sum;
        inclusive[i] = sum = M::combine(sum, in[i]);
    }
    expect_array(in, inclusive, 2 * n, stock_scan_inclusive<M>);
    expect_array(in, exclusive, 2 * n, stock_scan_exclusive<M>);
    guarded<value> from(in);
    simt_begin_run();
    value got = stock_reduce<M>(from.begin, n);
    expect(memcmp(&got, &sum, sizeof sum) == 0, "wrong sum", n);
    expect(meter("combines") <= n, "more combines than promised", n);
    expect(simt_finding_count() == 0, "a finding", n);
}

static void scans_of_intervals_are_right()
{
    for (size_t n : lengths) {
        std::vector<interval_t> in(n);
        for (size_t i = 0; i < n; i++)
            in[i] = interval_t{(int)i + INTERVAL_BASE, (int)i + INTERVAL_BASE};
        expect_scans<interval>(in);
    }
}

static void scans_of_values_of_three_words_are_right()
{
    struct random random = {7};
    for (size_t n : lengths) {
        std::vector<latest::value> in(n);
        for (size_t i = 0; i < n; i++) {
            unsigned there = random_below(&random, 3) == 0;
            in[i] = latest::value{there, there ? (unsigned)random_bits(&random) : 0, 1};
        }
        expect_scans<latest>(in);
    }
}

template <class T> static std::vector<T> random_values(size_t n, struct random *random, uint64_t different)
{
    std::vector<T> values(n);
    for (T &value : values)
        value = (T)(different > 0 ? random_below(random, different) : random_bits(random));
    return values;
}

template <class T, class Inclusive, class Exclusive>
static void expect_sums(size_t n, struct random *random, Inclusive inclusive, Exclusive exclusive)
{
    std::vector<T> in = random_values<T>(n, random, 0), after(n), before(n);
    T sum = 0;
    for (size_t i = 0; i < n; i++) {
        before[i] = sum;
        after[i] = sum += in[i];
    }
    expect_array(in, after, 2 * n, inclusive);
    expect_array(in, before, 2 * n, exclusive);
}

static void sums_wrap_around()
{
    struct random random = {8};
    for (size_t n : lengths) {
        expect_sums<unsigned>(n, &random, (void (*)(const unsigned *, unsigned *, size_t))stock_scan_inclusive,
                              (void (*)(const unsigned *, unsigned *, size_t))stock_scan_exclusive);
        expect_sums<size_t>(n, &random, stock_scan_inclusive_long, stock_scan_exclusive_long);
    }
}

static void keys_are_sorted()
{
    struct random random = {9};
    for (size_t n : lengths)
        for (uint64_t different : {0, 1, 5}) {
            std::vector<unsigned> in = random_values<unsigned>(n, &random, different), want = in;
            std::sort(want.begin(), want.end());
            expect_array(in, want, 0, stock_sort);
            expect_array(want, want, 0, stock_sort);
            std::vector<unsigned> down(want.rbegin(), want.rend());
            expect_array(down, want, 0, stock_sort);
        }
}

/* Shows that the tests above can fail: with exchanged operands it is not a scan. */
struct exchanged : interval {
    static __host__ __device__ value combine(value left, value right) { return interval_combine(right, left); }
};

static void operands_that_are_exchanged_show()
{
    std::vector<interval_t> in = {{1000, 1000}, {1001, 1001}, {1002, 1002}}, got(3);
    guarded<interval_t> from(in);
    stock_scan_inclusive<exchanged>(from.begin, from.begin, 3);
    expect(interval_is_poisoned(from.fetch(3)[2]), "not poisoned", 3);
}

/* out[t] is the sum of the numbers below t, and all[t] that of the block. Scans twice, with values that only the
 * barriers between the scans keep apart. */
__global__ void scan_block(unsigned *out, unsigned *all)
{
    unsigned total, again, t = threadIdx.x;
    out[t] = stock_block_scan(t, &total);
    all[t] = total + stock_block_scan(1, &again);
}

static void blocks_are_scanned()
{
    for (unsigned n : {1u, 2u, 3u, 31u, 32u, 33u, 64u, 100u, 511u, 512u, 1000u, 1024u}) {
        guarded<unsigned> out(std::vector<unsigned>(n, 0)), all(std::vector<unsigned>(n, 0));
        unsigned steps = 0;
        while (1u << steps < n)
            steps++;
        simt_begin_run();
        scan_block<<<1, n>>>(out.begin, all.begin);
        expect(simt_finding_count() == 0, "a finding", n);
        expect(meter("barriers") == 2 * (2 * steps + 2), "not the barriers that are promised", n);
        std::vector<unsigned> got = out.fetch(n), totals = all.fetch(n);
        for (unsigned t = 0; t < n; t++) {
            expect(got[t] == t * (t - 1) / 2, "wrong", n);
            expect(totals[t] == n * (n - 1) / 2 + t, "wrong total", n);
        }
    }
}

static bool says(size_t finding, simt_finding_kind kind, const char *words)
{
    struct simt_finding_words text;
    if (finding >= simt_finding_count() || simt_finding_at(finding)->kind != kind)
        return false;
    simt_finding_words(simt_finding_at(finding), &text);
    return strstr(text.title, words) || strstr(text.notes, words);
}

/* A wrong array is reported at the call, as in a kernel, and a later call still works. */
static void wrong_arrays_are_found()
{
    unsigned *written, *junk;
    cudaMalloc(&written, 40 * sizeof *written);
    cudaMemset(written, 1, 40 * sizeof *written);
    cudaMalloc(&junk, 40 * sizeof *junk);
    simt_begin_run();
    stock_scan_exclusive(junk, written, 40);
    expect(simt_finding_count() == 1 && says(0, SIMT_UNINITIALIZED, "read of"), "no read of junk is told", 40);
    expect(simt_finding_at(0)->where.line == __LINE__ - 2, "it is told elsewhere", 40);
    simt_begin_run();
    stock_sort(written, junk, 41);
    expect(simt_finding_count() == 1 && says(0, SIMT_OUT_OF_BOUNDS, "read out of bounds") &&
               says(0, SIMT_OUT_OF_BOUNDS, "stock_sort reads 4 bytes"),
           "no end is told", 41);
    simt_begin_run();
    stock_scan_inclusive<interval>((interval_t *)written, (interval_t *)(written + 2), 10);
    expect(simt_finding_count() == 1 && says(0, SIMT_API, "share 72 bytes"), "no overlap is told", 10);
    simt_begin_run();
    stock_scan_inclusive(written, written, 40);
    expect(simt_finding_count() == 0 && cudaDeviceSynchronize() == cudaSuccess, "an error stays", 40);
    cudaFree(written);
    cudaFree(junk);
}

/* Sums from a start, one step at a time: two steps together are not the sum of both. */
struct step {
    unsigned sum, add, kind; /* 0: a sum; 1: a step; 2: the identity */
};
struct takes_single_steps {
    typedef step value;
    static __host__ __device__ value identity() { return value{0, 0, 2}; }
    static __host__ __device__ value combine(value left, value right)
    {
        return left.kind == 2 ? right : right.kind == 2 ? left : value{left.sum + right.add, 0, 0};
    }
};

/* Also if the operator meets no two steps near the beginning. */
static void an_operator_that_takes_single_steps_shows()
{
    enum { IDENTITIES = 300, N = 600 };
    std::vector<step> in(N, step{0, 0, 2});
    in[0].kind = 0;
    for (size_t i = IDENTITIES; i < N; i++)
        in[i] = step{0, 1, 1};
    guarded<step> array(in), out(in);
    expect(stock_reduce<takes_single_steps>(array.begin, N).sum != N - IDENTITIES, "the sum is right", N);
    stock_scan_inclusive<takes_single_steps>(array.begin, out.begin, N);
    expect(out.fetch(N)[N - 1].sum != N - IDENTITIES, "the last sum is right", N);
}

/* A call of an operator works for as many steps as its right operand says. */
struct works_long {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 0; }
    static __host__ __device__ value combine(value left, value right)
    {
        unsigned x = left;
        for (unsigned i = 0; i < (right & 0xffff); i++)
            x = (x ^ x >> 3) * 5;
        return (x << 16) + right;
    }
};

/* The longest call counts: they could all run at the same time. */
static void a_call_of_an_operator_counts_as_a_thread()
{
    enum { LONG = 5000 };
    const std::vector<unsigned> values[] = {{1, LONG}, {1, LONG, LONG, LONG, LONG}};
    uint64_t counts[2];
    simt_measure_sharing(true);
    for (int i = 0; i < 2; i++) {
        guarded<unsigned> array(values[i]);
        simt_begin_run();
        stock_scan_inclusive<works_long>(array.begin, array.begin, values[i].size());
        counts[i] = meter("instructions by one thread");
    }
    simt_measure_sharing(false);
    expect(counts[0] > LONG, "a long call does not count", 2);
    expect(counts[1] < 2 * counts[0], "calls add up", 5);
}

static void sort_some(void *array)
{
    stock_sort((unsigned *)array, (unsigned *)array, 4);
}

static void scan_some(void *array)
{
    stock_scan_inclusive((unsigned *)array, (unsigned *)array, 4);
    scan_block<<<1, 4>>>((unsigned *)array, (unsigned *)array + 4);
}

static void what_the_contract_does_not_allow_is_refused()
{
    std::vector<unsigned> in = {3, 2, 1, 0, 0, 0, 0, 0};
    guarded<unsigned> array(in);
    stock_allow("radix_sort", STOCK_SCAN);
    simt_begin_run();
    expect(!simt_call(sort_some, array.begin), "the call came back", 4);
    expect(says(0, SIMT_NOT_ALLOWED, "radix_sort calls stock_sort, and its contract allows only stock scans"), "not told", 4);
    simt_begin_run();
    expect(same(array.fetch(4), in), "it was sorted", 4);
    expect(simt_call(scan_some, array.begin), "the call did not come back", 4);
    expect(says(0, SIMT_NOT_ALLOWED, "radix_sort calls stock_block_scan"), "not told of a kernel", 4);
    stock_allow("scan", 0);
    simt_begin_run();
    expect(!simt_call(scan_some, array.begin), "the call came back", 4);
    expect(says(0, SIMT_NOT_ALLOWED, "scan calls stock_scan_inclusive, and its contract allows no stock function"), "not told",
           4);
    stock_allow("test", ~0u);
    simt_begin_run();
}

static void test(const char *name, void (*body)())
{
    static const struct simt_schedule schedules[] = {
        {SIMT_FORWARD, 1, 16, 0}, {SIMT_REVERSE, 1, 16, 0}, {SIMT_RANDOM, 1, 2, 0}, {SIMT_RANDOM, 2, 16, 0}};
    property = name;
    good = true;
    for (const struct simt_schedule &schedule : schedules) {
        simt_set_schedule(&schedule);
        body();
    }
    if (good)
        printf("ok: %s\n", name);
    passed += good;
    failed += !good;
}

static void no_sink(const struct simt_finding *, void *)
{
}

int main()
{
    simt_set_finding_sink(no_sink, nullptr); /* the tests check the findings themselves */
    stock_allow("test", ~0u);
    test("scans of intervals are right", scans_of_intervals_are_right);
    test("scans of values of three words are right", scans_of_values_of_three_words_are_right);
    test("sums wrap around", sums_wrap_around);
    test("keys are sorted", keys_are_sorted);
    test("operands that are exchanged show", operands_that_are_exchanged_show);
    test("blocks are scanned", blocks_are_scanned);
    test("an operator that takes single steps shows", an_operator_that_takes_single_steps_shows);
    test("a call of an operator counts as a thread", a_call_of_an_operator_counts_as_a_thread);
    test("wrong arrays are found", wrong_arrays_are_found);
    test("what the contract does not allow is refused", what_the_contract_does_not_allow_is_refused);
    return closing_line("stock scans", passed, failed);
}
