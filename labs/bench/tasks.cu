/* tasks.cu: see tasks.h. */
#include "tasks.h"
#include "peers.h"

#include <algorithm>
#include <dlfcn.h>
#include <string.h>

/* ---- inputs and results --------------------------------------------------------------------------------------- */

__host__ __device__ static uint64_t random_of(uint64_t i)
{
    uint64_t x = i * 0x9E3779B97F4A7C15u; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Key i of n, with `bits` bits. */
__device__ static uint64_t key_of(int kind, uint64_t i, uint64_t n, uint64_t seed, int bits)
{
    enum { WORDS = 5 }; /* number of random words for a key */
    const uint64_t all = ~(uint64_t)0 >> (64 - bits), step = all / n, at = WORDS * (i + seed);
    const auto word = [=](int k) { return random_of(at + (uint64_t)k) & all; };
    const double part = (double)(word(0) >> (bits - 32)) / 4294967296.0; /* random number from 0 to 1 */
    switch (kind) {
    case KEYS_ASCEND:
        return i * step;
    case AND_OF_2:
        return word(0) & word(1);
    case AND_OF_3:
        return word(0) & word(1) & word(2);
    case AND_OF_5:
        return word(0) & word(1) & word(2) & word(3) & word(4);
    case HIGH_BYTE:
        return word(0) >> (bits - 8) << (bits - 8);
    case LOW_BITS:
        return (all / 3 & ~(uint64_t)15) | (word(0) & 15);
    case DESCENDING:
        return (n - 1 - i) * step;
    case NEARLY_SORTED: /* one key in 64 is random */
        return word(1) % 64 == 0 ? word(0) : i * step;
    case POWER_LAW:
        return (uint64_t)(pow(part, 8.0) * (double)(all >> 1)) * 2;
    case ZIPF: /* rank k of 2^20 has a share of about 1 / k */
        return random_of((uint64_t)exp2(20 * part)) & all;
    case ONE_VALUE_99:
        return word(1) % 100 == 0 ? word(0) : all / 3;
    case TWO_VALUES:
        return word(0) % 2 == 0 ? all / 3 : all / 5;
    case ONE_BUCKET: /* all have the same highest 16 bits, as if they were in one of 2^16 buckets */
        return (all / 3 & ~(all >> 16)) | word(0) >> 16;
    case SEGMENTS:
        return i % 4096 * (all / 4096) + (word(0) >> 16);
    case THREE_TOPS:
        return word(1) % 3 << (bits - 2) | word(0) >> 2;
    case BELL:
        return (word(0) >> 2) + (word(1) >> 2) + (word(2) >> 2) + (word(3) >> 2);
    case SAWTOOTH:
        return i % 1021 * (all / 1021);
    case BITS_REVERSED:
        return __brevll(i) >> (64 - bits);
    case CLUSTERS: /* cluster k has 2^-k of the keys, and 2^12 values */
        return (random_of((uint64_t)__clzll((long long)word(1) << (64 - bits))) & all & ~(uint64_t)4095) |
               (word(0) & 4095);
    case HALF_EQUAL:
        return i % 2 == 0 ? all / 3 : word(0);
    case BLOCKS_SHUFFLED: /* sorted blocks of 4096 */
        return (random_of(i / 4096) % (n / 4096 + 1) * 4096 + i % 4096) * step;
    case SIGN_BIT:
        return (all >> 1) - 2048 + (word(0) & 4095);
    case RANDOM_RUNS: /* of equal keys, 1 to 2048 long */
        return random_of(i >> random_of(i >> 12) % 12) & all;
    case DENORMALS: { /* floats of the least and of the greatest exponent */
        const uint64_t exponent = (all >> 1) & ~(all >> 9);
        return (word(0) & ~exponent) | (word(1) % 2 == 0 ? exponent : 0);
    }
    case EQUAL_AT_END:
        return i < n / 2 ? word(0) : all / 3;
    default:
        return kind == 0 ? 0 : word(0) & (kind == 32 ? all : all >> (bits - kind));
    }
}

/* Is element i of n kept? */
__device__ static bool is_kept(int kind, uint64_t i, uint64_t n, uint64_t random)
{
    switch (kind) {
    case ALTERNATE:
        return i % 2 == 0;
    case FIRST_HALF:
        return i < n / 2;
    case RUNS: /* 1 to 2048 long */
        return random_of(i >> random_of(i >> 12) % 12) % 2 == 0;
    default:
        return (int)(random % 100) < kind;
    }
}

__global__ void fill_kernel(unsigned *in, size_t n, size_t words, uint64_t seed, enum task task, int kind)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x) {
        const uint64_t x = random_of(i + seed);
        if (task == COMPACT)
            in[i] = is_kept(kind, i, n, x) ? (unsigned)(x >> 32 | 1) : 0;
        else if (task == SORT_LONG)
            ((uint64_t *)in)[i] = key_of(kind, i, n, seed, 64);
        else if (task >= SORT && task <= SORT_PAIRS && i < n)
            in[i] = (unsigned)key_of(kind, i, n, seed, 32) | (task == SORT_FLOAT /* no zero */);
        else
            in[i] = (unsigned)x;
    }
}

void fill(enum task task, int kind, void *in, size_t n, uint64_t seed)
{
    fill_kernel<<<1024, 256>>>((unsigned *)in, n, task == SORT_LONG ? n : n * in_bytes(task) / 4, seed, task,
                               kind);
}

__global__ void compare_kernel(const int *a, const int *b, size_t n, unsigned long long *unequal)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(unequal, 1ull);
}

size_t count_unequal(const void *a, const void *b, size_t bytes)
{
    static unsigned long long *count;
    unsigned long long result = 0;
    if (!count)
        CHECK(cudaMalloc(&count, sizeof *count));
    CHECK(cudaMemset(count, 0, sizeof *count));
    compare_kernel<<<1024, 256>>>((const int *)a, (const int *)b, bytes / 4, count);
    CHECK(cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost));
    return result;
}

/* ---- contenders
 * ------------------------------------------------------------------------------------------------------ */

static uint64_t call_cub(enum task task, const void *in, void *out, size_t n)
{
    const size_t height = is_image(task) ? rows_of(n) : 1, width = n / height;
    switch (task) {
    case REDUCE:
        peer_reduce((const int *)in, (int *)out, n);
        break;
    case SCAN:
        peer_scan((const int *)in, (int *)out, n);
        break;
    case COMPACT:
        return peer_compact((const int *)in, (int *)out, n);
    case SORT:
        peer_sort((const unsigned *)in, (unsigned *)out, n);
        break;
    case SORT_INT:
        peer_sort_int((const int *)in, (int *)out, n);
        break;
    case SORT_FLOAT:
        peer_sort_float((const float *)in, (float *)out, n);
        break;
    case SORT_PAIRS:
        peer_sort_pairs((const unsigned *)in, (const unsigned *)in + n, (unsigned *)out, (unsigned *)out + n,
                        n);
        break;
    case SORT_LONG:
        peer_sort_long((const uint64_t *)in, (uint64_t *)out, n);
        break;
    case SCAN_ROWS:
        peer_scan_rows((const int *)in, (int *)out, height, width);
        break;
    case SCAN_COLUMNS:
        peer_scan_columns((const int *)in, (int *)out, height, width);
        break;
    case TABLE:
        peer_table((const unsigned *)in, (uint64_t *)out, height, width);
        break;
    case TASKS:
        break;
    }
    return 0;
}

static uint64_t call_thrust(enum task task, const void *in, void *out, size_t n)
{
    if (task == REDUCE)
        thrust_reduce((const int *)in, (int *)out, n);
    else if (task == SCAN)
        thrust_scan((const int *)in, (int *)out, n);
    else if (task == SORT)
        thrust_sort((const unsigned *)in, (unsigned *)out, n);
    else
        return thrust_compact((const int *)in, (int *)out, n);
    return 0;
}

uint64_t call_contender(const struct contender &contender, enum task task, const void *in, void *out,
                        size_t n)
{
    union part_value values[6] = {};
    if (contender.library == CUB)
        return call_cub(task, in, out, n);
    if (contender.library == THRUST)
        return call_thrust(task, in, out, n);
    if (contender.library == NO_WORK) {
        call_floor((enum floor)contender.third, in, out);
        return 0;
    }
    values[0].pointer = (void *)in;
    values[1].pointer = out;
    values[2].integer = n;
    values[3].integer = (uint64_t)contender.third;
    if (task == SORT_PAIRS) {
        values[1].pointer = (unsigned *)in + n;
        values[2].pointer = out;
        values[3].pointer = (unsigned *)out + n;
        values[4].integer = n;
    } else if (is_image(task)) {
        values[2].integer = rows_of(n);
        values[3].integer = n / rows_of(n);
    }
    return contender.call(values);
}

enum { SHORT = 12 /* log2 of a length up to which calls without work are timed, too */ };

/* Null when the folder does not have the function. */
static const struct part *find_part(const std::string &folder, const char *lab, const char *name)
{
    void *library = dlopen((folder + "/" + lab + ".sum.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    for (const char *table : {PARTS_SYMBOL, "more_parts" /* functions beyond the lab's contract */})
        for (const struct part *part = library ? (const struct part *)dlsym(library, table) : nullptr;
             part && part->name; part++)
            if (strcmp(part->name, name) == 0)
                return part->function ? part : nullptr;
    return nullptr;
}

/* Calls without work: one launch for each task, and all of them for the first. */
static void add_floors(enum task task, std::vector<struct contender> *all)
{
    static const char *const names[FLOORS] = {"launch", "5 launches", "graph of 5 launches",
                                              "pool and launch", "cudaMalloc and launch"};
    for (int floor = 0; floor < (task == REDUCE ? FLOORS : LAUNCHES); floor++)
        all->push_back({"empty", names[floor], NO_WORK, nullptr, floor, false, false, {}});
}

std::vector<struct contender> contenders_of(enum task task, int length, const char *lab, const char *part,
                                            const std::vector<std::pair<std::string, std::string>> &folders)
{
    std::vector<struct contender> all = {{"CUB", "", CUB, nullptr, -1, false, false, {}}};
    if (task <= SORT)
        all.push_back({"Thrust", "", THRUST, nullptr, -1, false, false, {}});
    const size_t libraries = all.size();
    for (const struct row *at = rows; at->lab; at++) {
        const struct row &row = *at;
        if (row.task != task || length > row.most || (lab && strcmp(lab, row.lab) != 0) ||
            (part && strcmp(part, row.part) != 0))
            continue;
        for (const auto &[who, folder] : folders)
            if (const struct part *found = find_part(folder, row.lab, row.part))
                all.push_back({who, row.part, LABS, found->call, row.third, row.exclusive, false, {}});
    }
    if (all.size() == libraries)
        all.clear();
    else if (length <= SHORT)
        add_floors(task, &all);
    return all;
}

/* ---- a plain loop ---------------------------------------------------------------------------------------------------- */

template <class T> static std::vector<T> fetched(const void *from, size_t bytes)
{
    std::vector<T> to(bytes / sizeof(T));
    CHECK(cudaMemcpy(to.data(), from, bytes, cudaMemcpyDeviceToHost));
    return to;
}

template <class Key> static bool is_sorted_copy(const void *in, const void *out, size_t n)
{
    std::vector<Key> want = fetched<Key>(in, n * sizeof(Key));
    std::sort(want.begin(), want.end());
    return want == fetched<Key>(out, n * sizeof(Key));
}

static bool pairs_are_right(const void *in, const void *out, size_t n)
{
    const std::vector<unsigned> from = fetched<unsigned>(in, 8 * n), got = fetched<unsigned>(out, 8 * n);
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return from[a] < from[b]; });
    for (size_t i = 0; i < n; i++)
        if (got[i] != from[order[i]] || got[n + i] != from[n + order[i]])
            return false;
    return true;
}

template <class Sum> static bool image_is_right(enum task task, const void *in, const void *out, size_t n)
{
    const std::vector<unsigned> from = fetched<unsigned>(in, 4 * n);
    std::vector<Sum> want(from.begin(), from.end());
    const size_t columns = n / rows_of(n);
    for (size_t i = 0; i < n && task != SCAN_COLUMNS; i++)
        want[i] += i % columns > 0 ? want[i - 1] : 0;
    for (size_t i = columns; i < n && task != SCAN_ROWS; i++)
        want[i] += want[i - columns];
    return want == fetched<Sum>(out, n * sizeof(Sum));
}

bool peer_is_right(enum task task, const void *in, const void *out, size_t n, uint64_t kept)
{
    if (task == SORT_INT)
        return is_sorted_copy<int>(in, out, n);
    if (task == SORT_FLOAT)
        return true; /* CUB orders NaNs, which a comparison does not */
    if (task == SORT_LONG)
        return is_sorted_copy<uint64_t>(in, out, n);
    if (task == SORT)
        return is_sorted_copy<unsigned>(in, out, n);
    if (task == SORT_PAIRS)
        return pairs_are_right(in, out, n);
    if (is_image(task))
        return task == TABLE ? image_is_right<uint64_t>(task, in, out, n)
                             : image_is_right<unsigned>(task, in, out, n);

    std::vector<unsigned> want;
    unsigned sum = 0;
    for (unsigned x : fetched<unsigned>(in, 4 * n)) {
        sum += x;
        if (task == SCAN)
            want.push_back(sum);
        if (task == COMPACT && x != 0)
            want.push_back(x);
    }
    if (task == REDUCE)
        want.push_back(sum);
    return want == fetched<unsigned>(out, result_bytes(task, n, kept));
}
