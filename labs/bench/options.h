/* options.h: what bench is asked to do. */
#ifndef LABS_OPTIONS_H
#define LABS_OPTIONS_H

#include <string>
#include <utility>
#include <vector>

struct options {
    const char *lab = nullptr, *part = nullptr, *task = nullptr, *json = nullptr, *shape = nullptr;
    int from = 10, to = 28, add = 0;                          /* 2^from to 2^to elements, and some more */
    int runs = 7;                                             /* of each contender and length, at least */
    double seconds = 0.25;                                    /* for each contender and length */
    std::vector<std::pair<std::string, std::string>> folders; /* who, where */
};

extern const char usage[];

/* False: the words are no call of bench, and its usage is what to print. */
bool read_options(int count, char **words, struct options *options);

#endif
