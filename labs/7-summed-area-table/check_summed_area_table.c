/* check_summed_area_table.c: the parts of lab 7 and their tests, for both suites: the public one, whose main
 * function is in suite_public.c, and the grading one. */
#include "image_explain.h"
#include "suite_parts.h"
#include "suite_sharing.h"
#include "suite_tests.h"

#define SHAPE(rows, columns) ((size_t)(rows) << 32 | (columns)) /* suite_shape as a constant */

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t row_tiles(size_t n)
{
    return (uint64_t)suite_rows(n) * ((suite_columns(n) + suite_tile() - 1) / suite_tile());
}

static uint64_t rows_work(size_t n)
{
    return (6 * (uint64_t)suite_tile() + 512) * row_tiles(n);
}

static uint64_t columns_work(size_t n)
{
    return 3 * (uint64_t)suite_elements(n) + 128 * (uint64_t)suite_columns(n);
}

static uint64_t sat_work(size_t n)
{
    return rows_work(n) + columns_work(n);
}

static uint64_t row_warps(size_t n)
{
    return (uint64_t)suite_rows(n) * ((suite_columns(n) + 31) / 32);
}

static uint64_t column_warps(size_t n)
{
    return (uint64_t)suite_columns(n) * ((suite_rows(n) + 31) / 32);
}

static uint64_t scan_sectors(size_t n)
{
    return suite_elements(n) + 4 * row_warps(n);
}

static uint64_t written_once(size_t n)
{
    return suite_elements(n) + suite_elements(n) / 4 + suite_rows(n) + suite_columns(n) + 64;
}

static uint64_t sat_sectors(size_t n)
{
    return 2 * (uint64_t)suite_elements(n) + 4 * (row_warps(n) + column_warps(n));
}

static uint64_t box_sectors(size_t n)
{
    return 2 * (uint64_t)suite_elements(n) + 8 * row_warps(n);
}

static uint64_t depth_sectors(size_t n)
{
    return 5 * (uint64_t)suite_elements(n) + 8 * row_warps(n);
}

/* Each output but the first of a row, a column or the table needs a combine of its own. */
static uint64_t least_rows(size_t n)
{
    return suite_elements(n) - (suite_columns(n) > 0 ? suite_rows(n) : 0);
}

static uint64_t least_columns(size_t n)
{
    return suite_elements(n) - (suite_rows(n) > 0 ? suite_columns(n) : 0);
}

static uint64_t least_sat(size_t n)
{
    return suite_elements(n) > 0 ? suite_elements(n) - 1 : 0;
}

/* A thread may walk down a column, or a block along a row. */
static uint64_t scan_span(size_t n)
{
    return 16 * (uint64_t)(suite_rows(n) + suite_columns(n)) + 1024;
}

/* A thread may take a whole row or column here, too. */
static uint64_t map_span(size_t n)
{
    return suite_elements(n) / 32 + 16 * (uint64_t)(suite_rows(n) + suite_columns(n)) + 512;
}

#define NO_MORE                                                                                              \
    {                                                                                                        \
        NULL, NULL, NULL                                                                                     \
    }
#define SECTORS_OF_SCAN                                                                                      \
    {                                                                                                        \
        "global sectors", "rows * columns, and 4 for each warp of each row", scan_sectors                    \
    }

#define WRITTEN_ONCE                                                                                         \
    {                                                                                                        \
        "written elements", "5/4 rows * columns + rows + columns + 64: each output once, and a few sums",    \
            written_once                                                                                     \
    }

/* A thread may take a whole row or column, which in a narrow image is a large share of it. */
static uint64_t image_executed(size_t n)
{
    return 2 * suite_elements(n) + 128 * (uint64_t)(suite_rows(n) + suite_columns(n));
}

#define EXECUTED_OF_IMAGE                                                                                    \
    {                                                                                                        \
        EXECUTED, "2n + 128 (rows + columns), for n pixels", image_executed                                  \
    }

static const struct suite_bound scan_shared[] = {
    {"span", "16 (rows + columns) + 1024", scan_span}, EXECUTED_OF_IMAGE, HOST_SUMS, NO_MORE};
static const struct suite_bound map_shared[] = {
    {"span", "rows * columns / 32 + 16 (rows + columns) + 512", map_span}, EXECUTED_OF_IMAGE, NO_MORE};

static const struct suite_bound rows_bounds[] = {
    {"combines", "6 * TILE + 512 for each tile of each row", rows_work},
    SECTORS_OF_SCAN,
    WRITTEN_ONCE,
    NO_MORE};
static const struct suite_bound columns_bounds[] = {
    {"combines", "3 * rows * columns, and 128 for each column", columns_work},
    SECTORS_OF_SCAN,
    WRITTEN_ONCE,
    NO_MORE};
static const struct suite_bound sat_bounds[] = {
    {"combines", "those of scan_rows and of scan_columns", sat_work},
    {"global sectors", "2 * rows * columns, and 4 for each warp of each row and column", sat_sectors},
    NO_MORE};
static const struct suite_bound box_bounds[] = {
    {"global sectors", "2 * rows * columns, and 8 for each warp of each row", box_sectors}, NO_MORE};
static const struct suite_bound depth_bounds[] = {
    {"global sectors", "5 * rows * columns, and 8 for each warp of each row", depth_sectors}, NO_MORE};

/* ---- arguments ----------------------------------------------------------------------------------------- */

static void add_shape(struct suite_call *call)
{
    suite_scalar(call, suite_rows(call->is.n));
    suite_scalar(call, suite_columns(call->is.n));
}

/* Returns the inclusive scan of every row, or of every column, of an image by itself. */
static void *scan_each(int monoid, const unsigned char *in, size_t n, bool down)
{
    size_t size = element_size(monoids[monoid].element), count = suite_elements(n),
           columns = suite_columns(n);
    unsigned char *out = suite_memory(count * size);
    for (size_t i = 0; i < count; i++) {
        bool first = down ? i < columns : i % columns == 0;
        if (first)
            memcpy(out + i * size, in + i * size, size);
        else
            monoids[monoid].combine(out + i * size, out + (i - (down ? columns : 1)) * size, in + i * size);
    }
    return out;
}

/* Returns the consecutive elements of `in` placed down the columns of an image. */
static void *down_columns(const unsigned char *in, size_t rows, size_t columns, size_t size)
{
    unsigned char *out = suite_memory(rows * columns * size);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(out + (r * columns + c) * size, in + (c * rows + r) * size, size);
    return out;
}

static void arrange_scan(struct suite_call *call, const void *in, const void *expected)
{
    enum element element = monoids[call->is.monoid].element;
    size_t count = suite_elements(call->is.n);
    unsigned input = suite_in(call, element, count, in);
    if (call->is.in_place)
        suite_same(call, input, expected, NULL);
    else
        suite_out(call, element, count, expected, NULL);
    add_shape(call);
}

/* Intervals are numbered along the rows. */
static void arrange_scan_rows(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const void *in = suite_values(is, suite_elements(is->n), 0);
    arrange_scan(call, in, scan_each(is->monoid, in, is->n, false));
}

/* Intervals are numbered down the columns. */
static void arrange_scan_columns(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const void *in = suite_values(is, suite_elements(is->n), 0);
    if (is->monoid == MONOID_INTERVAL)
        in = down_columns(in, suite_rows(is->n), suite_columns(is->n), sizeof(interval_t));
    arrange_scan(call, in, scan_each(is->monoid, in, is->n, true));
}

static void arrange_sat(struct suite_call *call)
{
    size_t count = suite_elements(call->is.n);
    make_image(&call->is);
    suite_in(call, ELEMENT_UNSIGNED, count, image.pixels);
    suite_out(call, ELEMENT_LONG, count, image.table, NULL);
    add_shape(call);
}

static void arrange_box_filter(struct suite_call *call)
{
    size_t count = suite_elements(call->is.n), radius = radius_of(&call->is);
    make_image(&call->is);
    unsigned *out = suite_memory(count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = window_mean(window_of(i, radius));
    suite_in(call, ELEMENT_LONG, count, image.table);
    suite_out(call, ELEMENT_UNSIGNED, count, out, NULL);
    add_shape(call);
    suite_shown_scalar(call, radius);
}

static void arrange_depth_of_field(struct suite_call *call)
{
    size_t count = suite_elements(call->is.n);
    struct lens lens = lens_of(&call->is);
    const unsigned *depths = make_depths(&call->is, lens);
    make_image(&call->is);
    unsigned *out = suite_memory(count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = window_mean(window_of(i, radius_at(lens, depths[i])));
    suite_in(call, ELEMENT_LONG, count, image.table);
    suite_in(call, ELEMENT_UNSIGNED, count, depths);
    suite_out(call, ELEMENT_UNSIGNED, count, out, NULL);
    add_shape(call);
    suite_shown_scalar(call, lens.focus);
    suite_shown_scalar(call, lens.strength);
    suite_shown_scalar(call, lens.most);
}

/* ---- tests of this lab's own --------------------------------------------------------------------------- */

/* Makes calls with every choice for some shapes, with the small ones first, because a person can read them. */
static void every_choice(const struct suite_part *part, unsigned choices)
{
    size_t n;
    for (size_t i = 0; suite_length(&part->proofs, i, &n); i++)
        for (unsigned choice = 0; choice < choices; choice++) {
            struct suite_case is = suite_case(part, MONOID_SUM, n);
            is.seed = seed_of_choice(is.seed, n, choice, choices);
            suite_correct(&is);
        }
}

static void test_every_radius(const struct suite_part *part)
{
    every_choice(part, RADII);
    /* A side that does not fit into 16 bits. */
    struct suite_case is = suite_case(part, MONOID_SUM, SHAPE(2, 65537));
    is.seed = seed_of_choice(is.seed, is.n, WIDTH, RADII);
    suite_correct(&is);
    is.n = SHAPE(65537, 2);
    is.seed = seed_of_choice(is.seed, is.n, HEIGHT, RADII);
    suite_correct(&is);
}

static void test_every_lens(const struct suite_part *part)
{
    every_choice(part, LENSES);
    /* Several blocks, because a lens that blurs nothing or everything hides which depth a thread has read. */
    static const size_t shapes_of_blocks[] = {SHAPE(1, 1100), SHAPE(137, 5)};
    for (size_t i = 0; i < sizeof shapes_of_blocks / sizeof *shapes_of_blocks; i++)
        for (unsigned choice = 0; choice < LENSES; choice++) {
            struct suite_case is = suite_case(part, MONOID_SUM, shapes_of_blocks[i]);
            is.seed = seed_of_choice(is.seed, is.n, choice, LENSES);
            suite_correct(&is);
        }
}

/* More rows or columns than a grid's y dimension allows, and then as much as a GPU has time for. */
static void test_large(const struct suite_part *part)
{
    static const size_t large[] = {SHAPE(2, 65537), SHAPE(65537, 2), SHAPE(311, 307), SHAPE(4096, 3),
                                   SHAPE(2, 8192)};
    static const size_t larger[] = {SHAPE(600011, 2), SHAPE(2, 600011), SHAPE(4111, 4099)};
    struct suite_case is = suite_case(part, MONOID_SUM, 0);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        is.n = large[i];
        suite_correct(&is);
    }
    for (size_t i = 0; i < sizeof larger / sizeof *larger && !suite_on_cpu_device(); i++) {
        is.n = larger[i];
        suite_correct(&is);
    }
}

/* Images that are large enough to show the algorithm, and not only of even sizes. */
static void test_bounds_of_images(const struct suite_part *part)
{
    static const size_t images[] = {SHAPE(61, 67), SHAPE(128, 128), SHAPE(40, 513)};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        for (unsigned choice = 0; choice < (part->ways_in_place ? 1 : LENSES); choice++) {
            struct suite_case is = suite_case(part, MONOID_INTERVAL, images[i]);
            if (!suite_takes(part, MONOID_INTERVAL))
                is.monoid = MONOID_SUM;
            is.seed += choice;
            suite_efficient(&is);
        }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

#define OF_IMAGES                                                                                            \
    {"works_on_large_wide_and_tall_images", CORRECT, test_large, NULL},                                      \
    {                                                                                                        \
        "stays_within_the_bounds_on_images", EFFICIENT, test_bounds_of_images, NULL                          \
    }

static const struct suite_test scan_tests[] = {
    STANDARD_TESTS,
    OF_IMAGES,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test box_tests[] = {
    {"holds_for_windows_of_every_kind_of_radius", CORRECT, test_every_radius, NULL},
    STANDARD_TESTS,
    OF_IMAGES,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test depth_tests[] = {
    {"holds_for_lenses_of_every_kind", CORRECT, test_every_lens, NULL},
    STANDARD_TESTS,
    OF_IMAGES,
    {NULL, CORRECT, NULL, NULL},
};

/* Empty images, a pixel, a row, a column, primes, powers of two and their neighbours, wide and tall images. */
static const size_t shapes[] = {
    SHAPE(0, 0),   SHAPE(0, 5),           SHAPE(5, 0),           SHAPE(1, 1),     SHAPE(1, 2),
    SHAPE(2, 1),   SHAPE(2, 2),           SHAPE(3, 2),           SHAPE(2, 8),     SHAPE(5, 3),
    SHAPE(7, 11),  SHAPE(1, 97),          SHAPE(97, 1),          SHAPE(16, 16),   SHAPE(13, 37),
    SHAPE(31, 33), SHAPE(2, TILES(1, 0)), SHAPE(1, TILES(2, 6)), SHAPE(1030, 1),  SHAPE(3, TILES(1, 1)),
    SHAPE(61, 67), SHAPE(128, 128),       SHAPE(1537, 17),       SHAPE(11, 2053),
};
static const size_t small_shapes[] = {SHAPE(1, 1), SHAPE(1, 2), SHAPE(2, 1), SHAPE(2, 2), SHAPE(3, 3),
                                      SHAPE(2, 5), SHAPE(5, 4), SHAPE(1, 9), SHAPE(9, 1), SHAPE(17, 23)};
static const size_t proof_shapes[] = {
    SHAPE(0, 0),           SHAPE(0, 3),           SHAPE(3, 0),           SHAPE(1, 1),
    SHAPE(1, 2),           SHAPE(2, 1),           SHAPE(2, 2),           SHAPE(2, 3),
    SHAPE(3, 2),           SHAPE(4, 4),           SHAPE(1, 7),           SHAPE(7, 1),
    SHAPE(3, 8),           SHAPE(5, 31),          SHAPE(31, 5),          SHAPE(2, 32),
    SHAPE(32, 2),          SHAPE(3, 33),          SHAPE(33, 3),          SHAPE(2, 127),
    SHAPE(127, 2),         SHAPE(2, 255),         SHAPE(257, 2),         SHAPE(2, TILES(1, -1)),
    SHAPE(2, TILES(1, 0)), SHAPE(2, TILES(1, 1)), SHAPE(511, 2),         SHAPE(512, 2),
    SHAPE(513, 2),         SHAPE(41, 43),         SHAPE(2, TILES(2, 1)), SHAPE(1025, 2),
    SHAPE(3, TILES(3, 1)), SHAPE(1, 4099),        SHAPE(4099, 1),
};

#define SCAN(part, which, ...)                                                                               \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explain_##which, .tests = scan_tests,             \
               .lengths = {1, 0, LIST(shapes)}, .proofs = {1, 0, LIST(proof_shapes)},                        \
               .monoids = LAB_MONOIDS, .ways_in_place = 1, .unlimited = true, .below_wrap = true,            \
               .reaches_all = true, .least = least_##which, .bounds = which##_bounds, .shared = scan_shared, \
               __VA_ARGS__)
#define PIXELS(part, which, list, few, ...)                                                                  \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explain_##which, .tests = list,                   \
               .lengths = {1, 0, LIST(shapes)}, .proofs = {1, 0, LIST(few)}, .monoids = MONOIDS_OF_##part,   \
               __VA_ARGS__)

#define DIVIDES "it divides and rounds: a mean follows from four sums of 64 bits"

SCAN(scan_rows, rows, .many = SHAPE(311, 307));
SCAN(scan_columns, columns, .many = SHAPE(70, 2053));
PIXELS(sat, sat, scan_tests, proof_shapes, .unlimited = true, .below_wrap = true, .reaches_all = true,
       .least = least_sat, .sums = true,
       .tested =
           "make prove checks with TILE 512 and 64 that it only adds up pixels, and 32 images at each shape",
       .bounds = sat_bounds, .shared = scan_shared, .many = SHAPE(311, 307));
PIXELS(box_filter, box, box_tests, small_shapes, .below_wrap = true, .reaches_all = true,
       .bounds = box_bounds, .tested = DIVIDES ", and the tests try only some of their values",
       .shared = map_shared, .many = SHAPE(311, 307));
PIXELS(depth_of_field, depth, depth_tests, small_shapes,
       .tested = DIVIDES ", and its window from a depth of 32 bits; the tests try only some of their values",
       .bounds = depth_bounds, .shared = map_shared, .many = SHAPE(311, 307));

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 7,
                                   .name = "summed_area_table",
                                   .data_set = "camera.npy",
                                   .data_phrase = "the photograph in datasets/",
                                   .images = true,
                                   SUITE_TABLE};
