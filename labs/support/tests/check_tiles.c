/* check_tiles.c: lengths that depend on the tile, and the messages of suites about builds with another TILE. */
#include "suite_internal.h"
#include "check_support.h"
#include <stdio.h>

static const size_t list[] = {0, 3, 127, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 1025, 4099};
static const size_t shapes[] = {(size_t)3 << 32, (size_t)3 << 32 | TILES(1, 1), 5, (size_t)3 << 32 | 5};
static const struct suite_lab plain = {.number = 9, .name = "toy"}, images = {.images = true};

/* Returns the lengths for tiles of this many elements, such as "3 63 64". */
static const char *lengths_of(const struct suite_lab *lab, struct suite_lengths lengths, size_t tile)
{
    static char buffer[512];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    size_t n;
    suite_lab = lab;
    suite_use_tile(tile);
    for (size_t i = 0; suite_length(&lengths, i, &n); i++) {
        suite_add(&text, "%s", i > 0 ? " " : "");
        suite_add_size(&text, n);
    }
    return buffer;
}

START_TEST(lengths_follow_the_tile_and_ascend)
{
    const struct suite_lengths any = {1, 0, LIST(list)};
    ck_assert_str_eq(lengths_of(&plain, any, 512), "3 127 511 512 513 1025 4099");
    ck_assert_str_eq(lengths_of(&plain, any, 64), "3 63 64 65 127 129 1025 4099");
    ck_assert_str_eq(lengths_of(&plain, any, 1024), "3 127 1023 1024 1025 2049 4099");
}
END_TEST

START_TEST(lengths_end_where_the_contract_ends)
{
    const struct suite_lengths one = {1, 0, LIST_OF_TILES(1, list)}, two = {1, 0, LIST_OF_TILES(2, list)};
    ck_assert_str_eq(lengths_of(&plain, one, 64), "3 63 64");
    ck_assert_str_eq(lengths_of(&plain, two, 64), "3 63 64 65 127");
    ck_assert_str_eq(lengths_of(&plain, one, 512), "3 127 511 512");
}
END_TEST

START_TEST(a_range_comes_first_and_nothing_twice)
{
    const struct suite_lengths most = {60, 66, LIST(list)}, one = {62, SIZE_MAX, LIST_OF_TILES(1, list)};
    ck_assert_str_eq(lengths_of(&plain, most, 64), "60 61 62 63 64 65 66 127 129 1025 4099");
    ck_assert_str_eq(lengths_of(&plain, one, 64), "62 63 64");
}
END_TEST

START_TEST(columns_of_a_shape_follow_the_tile)
{
    const struct suite_lengths both = {1, 0, LIST(shapes)};
    ck_assert_str_eq(lengths_of(&images, both, 64), "3x65 3x5");
    ck_assert_str_eq(lengths_of(&images, both, 1024), "3x1025 3x5");
}
END_TEST

START_TEST(lengths_without_elements_stand_apart)
{
    const struct suite_lengths any = {1, 0, LIST(list)};
    const struct suite_lengths both = {1, 0, LIST(shapes)};
    size_t n;
    suite_lab = &plain;
    ck_assert(suite_empty_length(&any, 0, &n) && n == 0);
    ck_assert(!suite_empty_length(&any, 1, &n));
    suite_lab = &images;
    ck_assert(suite_empty_length(&both, 0, &n) && n == shapes[0]);
    ck_assert(suite_empty_length(&both, 1, &n) && n == shapes[2]);
    ck_assert(!suite_empty_length(&both, 2, &n));
}
END_TEST

static const struct suite_part reduction = {.monoids = 1u << MONOID_SUM | 1u << MONOID_FINGERPRINT};
static const struct suite_part mean = {.monoids = 1u << MONOID_FLOAT_SUM};

START_TEST(another_tile_has_the_telling_monoid_only)
{
    suite_use_tile(512);
    ck_assert(suite_takes(&reduction, MONOID_SUM) && suite_takes(&reduction, MONOID_FINGERPRINT));
    suite_use_tile(64);
    ck_assert(!suite_takes(&reduction, MONOID_SUM) && suite_takes(&reduction, MONOID_FINGERPRINT));
    ck_assert(suite_takes(&mean, MONOID_FLOAT_SUM) && !suite_takes(&mean, MONOID_SUM));
}
END_TEST

START_TEST(a_library_is_named_after_its_tile)
{
    char path[256];
    suite_lab = &plain;
    suite_options.submission = "build/cpu/ada";
    suite_library(path, sizeof path, MONOID_SUM, 512, false);
    ck_assert_str_eq(path, "build/cpu/ada/toy.sum.so");
    suite_library(path, sizeof path, MONOID_INTERVAL, 64, false);
    ck_assert_str_eq(path, "build/cpu/ada/toy.interval.64.so");
    suite_library(path, sizeof path, MONOID_INTERVAL, 64, true);
    ck_assert_str_eq(path, "build/cpu/ada/toy.interval.64.checked.so");
}
END_TEST

Suite *tile_suite(void)
{
    Suite *suite = suite_create("tiles");
    TCase *tcase = tcase_create("tiles");
    tcase_add_test(tcase, lengths_follow_the_tile_and_ascend);
    tcase_add_test(tcase, lengths_end_where_the_contract_ends);
    tcase_add_test(tcase, a_range_comes_first_and_nothing_twice);
    tcase_add_test(tcase, columns_of_a_shape_follow_the_tile);
    tcase_add_test(tcase, lengths_without_elements_stand_apart);
    tcase_add_test(tcase, another_tile_has_the_telling_monoid_only);
    tcase_add_test(tcase, a_library_is_named_after_its_tile);
    suite_add_tcase(suite, tcase);
    return suite;
}
