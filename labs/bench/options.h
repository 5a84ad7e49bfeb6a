/* options.h: the command-line options of bench. */
#ifndef LABS_OPTIONS_H
#define LABS_OPTIONS_H

#include <string>
#include <utility>
#include <vector>

struct options {
    const char *lab = nullptr, *part = nullptr, *task = nullptr, *json = nullptr, *shape = nullptr;
    int from = 10, to = 28, add = 0;                          /* 2^from to 2^to elements, plus `add` more */
    int runs = 7;                                             /* at least, for each contender and length */
    double seconds = 0.25;                                    /* for each contender and length */
    std::vector<std::pair<std::string, std::string>> folders; /* name and path */
};

extern const char usage[];

/* Returns false if the words are not a valid call of bench; then the usage should be printed. */
bool read_options(int count, char **words, struct options *options);

#endif
