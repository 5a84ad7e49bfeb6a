/* options.cpp: see options.h. */
#include "options.h"
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

const char usage[] = "usage: bench [--lab NAME] [--part NAME] [--task NAME] [--shape NAME] [--from LOG2] "
                     "[--to LOG2] [--add N] "
                     "[--runs N] [--seconds S] [--json FILE] WHO=FOLDER ...\n";

bool read_options(int count, char **words, struct options *options)
{
    for (int i = 1; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        if (strncmp(words[i], "--", 2) == 0) {
            const char *value = i + 1 < count ? words[i + 1] : nullptr;
            if (!value)
                return false;
            if (strcmp(words[i], "--lab") == 0)
                options->lab = value;
            else if (strcmp(words[i], "--part") == 0)
                options->part = value;
            else if (strcmp(words[i], "--runs") == 0)
                options->runs = atoi(value);
            else if (strcmp(words[i], "--task") == 0)
                options->task = value;
            else if (strcmp(words[i], "--shape") == 0)
                options->shape = value;
            else if (strcmp(words[i], "--json") == 0)
                options->json = value;
            else if (strcmp(words[i], "--from") == 0)
                options->from = atoi(value);
            else if (strcmp(words[i], "--to") == 0)
                options->to = atoi(value);
            else if (strcmp(words[i], "--add") == 0)
                options->add = atoi(value);
            else if (strcmp(words[i], "--seconds") == 0)
                options->seconds = atof(value);
            else
                return false;
            i++;
        } else if (equals) {
            options->folders.push_back({std::string(words[i], (size_t)(equals - words[i])), equals + 1});
        } else {
            return false;
        }
    }
    if (options->shape && strcmp(options->shape, "all") != 0 && !is_shape(options->shape))
        return false;
    return options->from >= 1 && options->to >= options->from && options->to <= 31 && options->add >= 0 &&
           !options->folders.empty();
}
