/* check_bench.cpp: which command lines bench accepts, tested without a GPU. */
#include "closing.h"
#include "options.h"

#include <sstream>

static const struct {
    const char *words;
    bool is_call;
} calls[] = {
    {"fast=build/cuda/fast", true},
    {"--shape all fast=build/cuda/fast", true},
    {"--shape runs fast=build/cuda/fast", true}, /* a pattern of compaction */
    {"--shape 99_%_one_value fast=build/cuda/fast", true},
    {"--shape sorted --task sort_u64 --from 16 --to 16 --add 7 fast=build/cuda/fast", true},
    {"--shape 99_%_of_one fast=build/cuda/fast", false}, /* no shape has that name */
    {"--shape fast=build/cuda/fast", false},
    {"--shape all", false}, /* nothing to time */
    {"--shapes all fast=build/cuda/fast", false},
    {"--from 20 --to 10 fast=build/cuda/fast", false},
    {"--to 32 fast=build/cuda/fast", false},
    {"build/cuda/fast", false},
};

/* Spaces separate words; an underscore stands for a space within a word. */
static bool is_taken(const char *line)
{
    std::istringstream stream(line);
    std::vector<std::string> words = {"bench"};
    for (std::string word; stream >> word;) {
        for (char &c : word)
            c = c == '_' ? ' ' : c;
        words.push_back(word);
    }
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    struct options options;
    return read_options((int)pointers.size(), pointers.data(), &options);
}

int main()
{
    int passed = 0, failed = 0;
    for (const auto &call : calls) {
        const bool is_right = is_taken(call.words) == call.is_call;
        if (!is_right)
            printf("not ok: bench %s: %s\n", call.words,
                   call.is_call ? "is refused" : "is no call, and is taken");
        (is_right ? passed : failed)++;
    }
    return closing_line("calls of bench", passed, failed);
}
