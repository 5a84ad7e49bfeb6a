#include "patterns.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

extern const char *const corpus[];
extern const unsigned corpus_lines;

// 0 when equal; both sides are compared as lower-case letters
__device__ static int dev_strnicmp(const char *a, const char *b, unsigned n)
{
    while (n--) {
        int diff = (*a++ | CASE_INSENSITIVE) - (*b++ | CASE_INSENSITIVE);
        if (diff)
            return diff;
    }
    return 0;
}

// every thread tries one place
__global__ void search_naive(const char *text, unsigned n, unsigned which, unsigned *found, unsigned *places)
{
    const pattern &p = patterns[which];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + p.length <= n && dev_strnicmp(text + i, p.text, p.length) == 0)
        places[atomicInc(found, 0xffffffffu)] = i;
}

// every thread searches a piece with Horspool's jumps; pieces overlap by a pattern's length less 1
__global__ void search_horspool(const char *__restrict__ text, unsigned n, unsigned which, unsigned piece, unsigned *found, unsigned *places)
{
    __shared__ pattern p;
    for (unsigned k = threadIdx.x; k < sizeof(pattern) / 2; k += blockDim.x)
        reinterpret_cast<short *>(&p)[k] = reinterpret_cast<const short *>(&patterns[which])[k];
    __syncthreads();
    const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece, end = min(begin + piece + p.length - 1, n);
    for (unsigned i = begin; i + p.length <= end;) {
        if (!dev_strnicmp(text + i, p.text, p.length))
            places[atomicAdd(found, 1)] = i;
        int c = (text[i + p.length - 1] | CASE_INSENSITIVE) - 'a';
        i += c >= 0 && c < 26 ? p.shift[c] : 1;
    }
}

int main()
{
    std::string text;
    for (unsigned i = 0; i < corpus_lines; i++)
        text += corpus[i];
    const char *words[PATTERNS] = {"times", "it was the", "epoch of", "zebra"};
    pattern host[PATTERNS];
    memset(host, 0, sizeof host);
    for (int w = 0; w < PATTERNS; w++) {
        unsigned length = strlen(words[w]);
        strcpy(host[w].text, words[w]);
        host[w].length = length;
        for (auto &s : host[w].shift)
            s = length;
        for (unsigned k = 0; k + 1 < length; k++)
            if (isalpha(words[w][k]))
                host[w].shift[words[w][k] - 'a'] = length - 1 - k;
    }
    cudaMemcpyToSymbol(patterns, host, sizeof host);

    char *dtext;
    unsigned *dfound, *dplaces, n = text.size();
    cudaMalloc(&dtext, n);
    cudaMalloc(&dfound, sizeof(unsigned));
    cudaMalloc(&dplaces, n * sizeof(unsigned));
    cudaMemcpy(dtext, text.c_str(), n, cudaMemcpyHostToDevice);

    auto lower = [](char c) { return (char)tolower((unsigned char)c); };
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), lower);
    int wrong = 0;
    for (unsigned w = 0; w < PATTERNS; w++) {
        std::vector<unsigned> expected;
        for (size_t at = small.find(words[w]); at != std::string::npos; at = small.find(words[w], at + 1))
            expected.push_back(at);
        for (int way = 0; way < 2; way++) {
            unsigned found = 0;
            cudaMemset(dfound, 0, sizeof found);
            if (way == 0)
                search_naive<<<(n + 63) / 64, 64>>>(dtext, n, w, dfound, dplaces);
            else
                search_horspool<<<2, 32>>>(dtext, n, w, (n + 63) / 64, dfound, dplaces);
            cudaMemcpy(&found, dfound, sizeof found, cudaMemcpyDeviceToHost);
            std::vector<unsigned> places(found);
            if (found)
                cudaMemcpy(places.data(), dplaces, found * sizeof(unsigned), cudaMemcpyDeviceToHost);
            std::sort(places.begin(), places.end());
            printf("\"%s\" %s: %u times%s\n", words[w], way ? "jumping" : "everywhere", found, places == expected ? "" : " FAIL");
            wrong += places != expected;
        }
    }
    cudaFree(dtext);
    cudaFree(dfound);
    cudaFree(dplaces);
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
