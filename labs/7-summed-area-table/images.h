/* images.h: images for the suites of lab 7: the choices that a seed makes, windows and their means, and
 * explanations of wrong values. */
#ifndef IMAGES_H
#define IMAGES_H

#include "npy.h"
#include "random.h"
#include "suite.h"
#include "suite_marks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PIXEL UINT32_MAX

/* The image and the sums of the most recently arranged call. */
struct image {
    size_t rows, columns;
    const unsigned *pixels;
    const uint64_t *table;
};

static struct image image;

/* ---- choices: made by the seed, because a replay line has only a seed and a shape ------------------------------- */

enum radius_choice { NONE, ONE, TWO, THREE, FIVE, HALF, WIDTH, HEIGHT, ENDLESS, ANY, RADII };
enum lens_choice { NEAR, FULL, SHARP, WIDE, WHOLE, LENSES };

/* The choice depends on the shape too, so that a few seeds try all of them. */
static unsigned choice_of(const struct suite_case *is, unsigned choices)
{
    return (unsigned)((is->seed + suite_rows(is->n) + suite_columns(is->n)) % choices);
}

/* Returns a seed near `seed` that makes the given choice for a shape. */
static uint64_t seed_of_choice(uint64_t seed, size_t n, unsigned choice, unsigned choices)
{
    struct suite_case is = {.n = n, .seed = seed - seed % choices};
    return is.seed + (choice + choices - choice_of(&is, choices)) % choices;
}

enum { PICTURE_RADIUS = 8, PICTURE_FOCUS = 30, PICTURE_STRENGTH = 14, PICTURE_MOST = 12 };

static size_t radius_of(const struct suite_case *is)
{
    size_t rows = suite_rows(is->n), columns = suite_columns(is->n);
    struct random random = random_stream(is->seed, 11);
    const size_t marked[] = {0,
                             1,
                             rows - 1,
                             columns - 1,
                             columns,
                             (size_t)1 << 16,
                             INT_MAX,
                             1 + (size_t)INT_MAX,
                             UINT32_MAX - columns,
                             UINT32_MAX - 1,
                             UINT32_MAX};
    if (is->input == INPUT_SERIES)
        return PICTURE_RADIUS;
    if (is->input == INPUT_MARKED)
        return marked[is->seed % (sizeof marked / sizeof *marked)];
    switch ((enum radius_choice)choice_of(is, RADII)) {
    case THREE: /* the choice of make trace for its 4x8 pixels, where such windows would all meet the borders */
        return is->input == INPUT_EXAMPLE ? 2 : 3;
    case FIVE:
        return 5;
    case HALF:
        return columns / 2;
    case WIDTH:
        return columns;
    case HEIGHT:
        return rows;
    case ENDLESS:
        return UINT32_MAX;
    case ANY:
        return (size_t)random_below(&random, rows + columns + 1);
    default:
        return choice_of(is, RADII);
    }
}

struct lens {
    unsigned focus, strength, most;
};

static struct lens lens_of(const struct suite_case *is)
{
    struct random random = random_stream(is->seed, 12);
    struct lens lens = {PICTURE_FOCUS, PICTURE_STRENGTH, PICTURE_MOST};
    /* The counts have no common factor, so that the seeds of a test combine any two of the values. */
    static const unsigned foci[7] = {0, 1, 1 << 16, INT_MAX, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
    static const unsigned strengths[5] = {UINT32_MAX, 0, 1, 1 << 16, 1u << 31};
    static const unsigned mosts[9] = {0, 1, 2, 3, 1 << 16, INT_MAX, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
    if (is->input == INPUT_SERIES)
        return lens;
    if (is->input == INPUT_MARKED)
        return (struct lens){foci[is->seed % 7], strengths[is->seed % 5], mosts[is->seed % 9]};
    lens.focus = 1 + (unsigned)random_below(&random, 40);
    switch ((enum lens_choice)choice_of(is, LENSES)) {
    case NEAR:
        lens.strength = (unsigned)random_below(&random, 8);
        lens.most = (unsigned)random_below(&random, 10);
        break;
    case FULL:
        lens.focus = (unsigned)random_bits(&random);
        lens.strength = (unsigned)random_below(&random, suite_rows(is->n) + suite_columns(is->n) + 1);
        lens.most = (unsigned)random_bits(&random);
        break;
    case SHARP:
        lens.strength = 1 + (unsigned)random_below(&random, 3);
        break;
    case WHOLE: /* every quotient is a whole number, which a product with 1 / d may miss */
        lens = (struct lens){0, 1 + (unsigned)random_below(&random, 3), UINT32_MAX};
        break;
    default: /* the choice of make trace for its 4x8 pixels, where a window of the whole image hides mistakes */
        if (is->input == INPUT_EXAMPLE)
            return (struct lens){20, 4, 3};
        lens.strength = UINT32_MAX;
        lens.most = UINT32_MAX;
        break;
    }
    return lens;
}

/* Returns the depth map of the photograph. */
static const int *photograph_depths(size_t *count)
{
    static struct npy depths;
    char path[4096], why[4352];
    snprintf(path, sizeof path, "%s/camera_depth.npy", suite_datasets());
    if (!depths.data && !npy_read(path, &depths, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    *count = depths.rows * depths.columns;
    return depths.data;
}

static const unsigned *make_depths(const struct suite_case *is, struct lens lens)
{
    size_t count = suite_elements(is->n), known;
    unsigned *depths = suite_memory(count * sizeof *depths);
    struct random random = random_stream(is->seed, 13);
    const unsigned marked[] = {1,
                               2,
                               1 << 16,
                               (1 << 24) + 1,
                               INT_MAX,
                               1u << 31,
                               UINT32_MAX - 1,
                               UINT32_MAX,
                               lens.focus > 0 ? lens.focus : 3};
    for (size_t i = 0; i < count; i++)
        if (is->input == INPUT_MARKED)
            depths[i] = marked[(i + is->seed) % (sizeof marked / sizeof *marked)];
        else if (is->input == INPUT_SERIES)
            depths[i] = (unsigned)photograph_depths(&known)[i % known];
        else if (choice_of(is, LENSES) == FULL)
            depths[i] = 1 + (unsigned)random_below(&random, MOST_PIXEL);
        else if (choice_of(is, LENSES) == SHARP) /* in focus, with a few exceptions */
            depths[i] = random_below(&random, 4) ? lens.focus : 1 + (unsigned)random_below(&random, 40);
        else if (choice_of(is, LENSES) == WHOLE)
            depths[i] = 1 + (unsigned)random_below(&random, 4000);
        else
            depths[i] = 1 + (unsigned)random_below(&random, 40);
    return depths;
}

static uint64_t radius_at(struct lens lens, uint64_t depth)
{
    uint64_t off = depth > lens.focus ? depth - lens.focus : lens.focus - depth;
    uint64_t radius = lens.strength * off / depth;
    return radius < lens.most ? radius : lens.most;
}

/* ---- windows ----------------------------------------------------------------------------------------------- */

/* The rows and columns of a window, including those at its ends. */
struct window {
    size_t top, bottom, left, right;
};

static size_t last_within(size_t at, uint64_t radius, size_t count)
{
    return radius < count - 1 - at ? at + (size_t)radius : count - 1;
}

static struct window window_of(size_t slot, uint64_t radius)
{
    size_t row = slot / image.columns, column = slot % image.columns;
    return (struct window){
        .top = radius < row ? row - (size_t)radius : 0,
        .bottom = last_within(row, radius, image.rows),
        .left = radius < column ? column - (size_t)radius : 0,
        .right = last_within(column, radius, image.columns),
    };
}

static uint64_t window_count(struct window window)
{
    return (uint64_t)(window.bottom - window.top + 1) * (window.right - window.left + 1);
}

/* Sums small windows by the definition and the others by the table, so that each method checks the other. */
static uint64_t window_sum(struct window window)
{
    enum { SMALL = 400 };
    uint64_t sum = 0;
    if (image.rows * image.columns <= SMALL) {
        for (size_t r = window.top; r <= window.bottom; r++)
            for (size_t c = window.left; c <= window.right; c++)
                sum += image.pixels[r * image.columns + c];
        return sum;
    }
    for (int above = 0; above < 2; above++)
        for (int before = 0; before < 2; before++)
            if ((!above || window.top > 0) && (!before || window.left > 0)) {
                size_t row = above ? window.top - 1 : window.bottom;
                size_t column = before ? window.left - 1 : window.right;
                uint64_t corner = image.table[row * image.columns + column];
                sum += above == before ? corner : -corner;
            }
    return sum;
}

/* Returns the nearest whole number; a half is rounded up. */
static unsigned mean_of(uint64_t sum, uint64_t count)
{
    uint64_t rest = sum % count;
    return (unsigned)(sum / count + (rest >= count - rest));
}

static unsigned window_mean(struct window window)
{
    return mean_of(window_sum(window), window_count(window));
}

/* Fills in `image`. */
static void make_image(const struct suite_case *is)
{
    size_t rows = suite_rows(is->n), columns = suite_columns(is->n);
    const unsigned *pixels = suite_values(is, rows * columns, 0);
    uint64_t *table = suite_memory(rows * columns * sizeof *table);
    for (size_t r = 0; r < rows; r++) {
        uint64_t row = 0;
        for (size_t c = 0; c < columns; c++) {
            row += pixels[r * columns + c];
            table[r * columns + c] = r > 0 ? row + table[(r - 1) * columns + c] : row;
        }
    }
    image = (struct image){rows, columns, pixels, table};
}

/* ---- explanations of wrong values -------------------------------------------------------------------------------- */

static void add_window(struct suite_text *text, struct window window)
{
    suite_add(text, "row%s %zu", window.top < window.bottom ? "s" : "", window.top);
    if (window.top < window.bottom)
        suite_add(text, " to %zu", window.bottom);
    suite_add(text, ", column%s %zu", window.left < window.right ? "s" : "", window.left);
    if (window.left < window.right)
        suite_add(text, " to %zu", window.right);
}

/* Finds a rectangle of a small image whose value, its sum or its mean, is `got`. Returns false if there is none. */
static bool find_window(uint64_t got, uint64_t (*value)(struct window), struct window *window)
{
    enum { MOST_SEARCHED = 150 };
    struct window at;
    if (image.rows * image.columns > MOST_SEARCHED)
        return false;
    for (at.top = 0; at.top < image.rows; at.top++)
        for (at.left = 0; at.left < image.columns; at.left++)
            for (at.bottom = at.top; at.bottom < image.rows; at.bottom++)
                for (at.right = at.left; at.right < image.columns; at.right++)
                    if (value(at) == got) {
                        *window = at;
                        return true;
                    }
    return false;
}

static uint64_t mean_as_value(struct window window)
{
    return window_mean(window);
}

/* Returns the sum of the pixels that are both above a window and to the left of it. */
static uint64_t before_both(struct window window)
{
    return image.table[(window.top - 1) * image.columns + window.left - 1];
}

/* Explains which mistake gives `got` for the pixel at `slot`, whose window is known. */
static void explain_mean(struct suite_text *text, size_t slot, unsigned got, uint64_t radius)
{
    struct window window = window_of(slot, radius), other;
    uint64_t sum = window_sum(window), count = window_count(window);
    uint64_t full = radius < 1000 ? (2 * radius + 1) * (2 * radius + 1) : 0;

    suite_add(text, "its window is ");
    add_window(text, window);
    suite_add(text, ": %llu pixel%s, the sum is %llu\n", (unsigned long long)count, count == 1 ? "" : "s",
              (unsigned long long)sum);
    if (got == (unsigned)(sum / count))
        suite_add(text, "this is sum / count, rounded down; the mean is (sum + count / 2) / count\n");
    else if (full > count && (got == mean_of(sum, full) || got == (unsigned)(sum / full)))
        suite_add(text, "this is divided by %llu; at a border a window holds fewer pixels\n",
                  (unsigned long long)full);
    else if (got == mean_of((unsigned)sum, count) || got == (unsigned)sum / count)
        suite_add(text, "here the sum has lost its upper 32 bits\n");
    else if (window.top > 0 && window.left > 0 && got == mean_of(sum - before_both(window), count))
        suite_add(text, "what is both above and before it is subtracted twice: add it once\n");
    else if (window.top > 0 && window.left > 0 && got == mean_of(sum - 2 * before_both(window), count))
        suite_add(text,
                  "what is both above and before it is subtracted three times: it has to be added once\n");
    else if (got == (unsigned)sum)
        suite_add(text, "this is the sum, not the mean\n");
    else if (got == image.pixels[slot])
        suite_add(text, "this is the pixel itself\n");
    else if (got == (unsigned)image.table[slot])
        suite_add(text, "this is the element of the table\n");
    else if (find_window(got, mean_as_value, &other)) {
        suite_add(text, "this is the mean of ");
        add_window(text, other);
        suite_add(text, "\n");
        if (other.bottom == window.bottom && other.right == window.right &&
            (other.top == window.top + 1 || other.left == window.left + 1))
            suite_add(text,
                      "try: take away the sum up to the row above the window, and the column before it\n");
    }
}

/* Names a radius whose window has the value, if there is one. */
static bool explain_radius(struct suite_text *text, size_t slot, unsigned got)
{
    for (uint64_t radius = 0; radius < image.rows + image.columns; radius++)
        if (window_mean(window_of(slot, radius)) == got) {
            suite_add(text, "this is the mean of a window with radius %llu\n", (unsigned long long)radius);
            return true;
        }
    return false;
}

#endif
