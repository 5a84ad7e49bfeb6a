/* The text, in a file that nvcc does not compile. */
extern const char *const corpus[];
extern const unsigned corpus_lines;
const char *const corpus[] = {
    "It was the best of times, it was the worst of times, ",
    "it was the age of wisdom, it was the age of foolishness, ",
    "it was the epoch of belief, it was the epoch of incredulity, ",
    "it was the season of Light, it was the season of Darkness, ",
    "it was the spring of hope, it was the winter of despair",
};
const unsigned corpus_lines = sizeof(corpus) / sizeof(*corpus);
