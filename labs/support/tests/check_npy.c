/* check_npy.c: the .npy reader on good files and on files with one fault each. */
#include "check_support.h"
#include "npy.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/check_npy.%d.npy", (int)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

static void write_file(const char *magic, const char *header, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    size_t length = strlen(header);
    unsigned char size[2] = {(unsigned char)(length & 255), (unsigned char)(length >> 8)};
    fwrite(magic, 1, 8, file);
    fwrite(size, 1, 2, file);
    fwrite(header, 1, length, file);
    fwrite(data, 1, bytes, file);
    fclose(file);
}

#define MAGIC "\x93NUMPY\x01\x00"

START_TEST(ints_of_one_dimension_are_read)
{
    int32_t data[] = {1, -2, INT32_MAX};
    struct npy npy;
    char why[256];
    write_file(MAGIC, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }          \n", data,
               sizeof data);
    ck_assert(npy_read(path, &npy, why, sizeof why));
    ck_assert(!npy.is_float);
    ck_assert_uint_eq(npy.rows, 1);
    ck_assert_uint_eq(npy.columns, 3);
    ck_assert_mem_eq(npy.data, data, sizeof data);
    npy_free(&npy);
    ck_assert_ptr_null(npy.data);
}
END_TEST

START_TEST(floats_of_two_dimensions_are_read)
{
    float data[] = {1.5f, 2, 3, 4, 5, -6};
    struct npy npy;
    char why[256];
    write_file(MAGIC, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", data, sizeof data);
    ck_assert(npy_read(path, &npy, why, sizeof why));
    ck_assert(npy.is_float);
    ck_assert_uint_eq(npy.rows, 2);
    ck_assert_uint_eq(npy.columns, 3);
    ck_assert_mem_eq(npy.data, data, sizeof data);
    npy_free(&npy);
}
END_TEST

START_TEST(bytes_become_ints)
{
    unsigned char data[] = {0, 255, 7, 128, 1, 2};
    int32_t expected[] = {0, 255, 7, 128, 1, 2};
    struct npy npy;
    char why[256];
    write_file(MAGIC, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }\n", data, sizeof data);
    ck_assert(npy_read(path, &npy, why, sizeof why));
    ck_assert(!npy.is_float);
    ck_assert_uint_eq(npy.rows, 3);
    ck_assert_mem_eq(npy.data, expected, sizeof expected);
    npy_free(&npy);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    float data[] = {1.5f, 2, 3, 4, 5, -6};
    struct npy npy;
    char why[256];
    ck_assert(npy_write(path, "<f4", sizeof *data, 2, 3, data, why, sizeof why));
    ck_assert(npy_read(path, &npy, why, sizeof why));
    ck_assert(npy.is_float);
    ck_assert_uint_eq(npy.rows, 2);
    ck_assert_uint_eq(npy.columns, 3);
    ck_assert_mem_eq(npy.data, data, sizeof data);
    npy_free(&npy);
    ck_assert(!npy_write("/nowhere/x.npy", "<f4", sizeof *data, 2, 3, data, why, sizeof why));
    ck_assert_str_eq(why, "/nowhere/x.npy: No such file or directory");
}
END_TEST

START_TEST(an_empty_array_is_read)
{
    struct npy npy;
    char why[256];
    write_file(MAGIC, "{'descr': '<i4', 'fortran_order': False, 'shape': (0,), }\n", "", 0);
    ck_assert(npy_read(path, &npy, why, sizeof why));
    ck_assert_uint_eq(npy.columns, 0);
    npy_free(&npy);
}
END_TEST

#define HEADER(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"

static const struct {
    const char *magic, *header;
    size_t bytes;
    const char *why; /* after the path */
} faults[] = {
    {"\x93NUMPX\x01\x00", HEADER("<i4", "False", "(2,)"), 8, " is no .npy file"},
    {"\x93NUMPY\x02\x00", HEADER("<i4", "False", "(2,)"), 8, " has a format version other than 1.0"},
    {MAGIC, HEADER(">i4", "False", "(2,)"), 8,
     " holds elements other than uint8 and little-endian int32 or float32"},
    {MAGIC, HEADER("<i8", "False", "(1,)"), 8,
     " holds elements other than uint8 and little-endian int32 or float32"},
    {MAGIC, HEADER("<f4", "True", "(2,)"), 8, " is in Fortran order"},
    {MAGIC, HEADER("<f4", "False", "(1, 1, 2)"), 8, " has a shape of neither one nor two dimensions"},
    {MAGIC, HEADER("<f4", "False", "()"), 4, " has a shape of neither one nor two dimensions"},
    {MAGIC, HEADER("<f4", "False", "(-2,)"), 8, " has a shape of neither one nor two dimensions"},
    {MAGIC, HEADER("<f4", "False", "(99999999999, 9)"), 8, " has a shape of neither one nor two dimensions"},
    {MAGIC, HEADER("<f4", "False", "(2000000, 2000000)"), 8,
     " has a shape of neither one nor two dimensions"},
    {MAGIC, HEADER("<f4", "False", "(2,"), 8, " has a shape of neither one nor two dimensions"},
    {MAGIC, "{'descr': '<f4', 'fortran_order': False}\n", 8,
     " has a header without descr, fortran_order or shape"},
    {MAGIC, HEADER("<i4", "False", "(3,)"), 8, " ends before its last element"},
    {MAGIC, HEADER("<i4", "False", "(1,)"), 8, " goes on after its last element"},
};

START_TEST(a_faulty_file_is_refused_with_its_fault)
{
    struct npy npy;
    char why[256], expected[256];
    write_file(faults[_i].magic, faults[_i].header, "12345678", faults[_i].bytes);
    ck_assert(!npy_read(path, &npy, why, sizeof why));
    snprintf(expected, sizeof expected, "%s%s", path, faults[_i].why);
    ck_assert_str_eq(why, expected);
    ck_assert_ptr_null(npy.data);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    struct npy npy;
    char why[256];
    ck_assert(!npy_read("/nowhere/x.npy", &npy, why, sizeof why));
    ck_assert_str_eq(why, "/nowhere/x.npy: No such file or directory");
}
END_TEST

START_TEST(a_file_cut_off_anywhere_is_refused)
{
    struct npy npy;
    char why[256];
    write_file(MAGIC, HEADER("<i4", "False", "(2,)"), "12345678", 8);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    fclose(file);
    while (length-- > 0) {
        ck_assert_int_eq(truncate(path, length), 0);
        ck_assert(!npy_read(path, &npy, why, sizeof why));
    }
}
END_TEST

Suite *npy_suite(void)
{
    Suite *suite = suite_create(".npy files");
    TCase *tcase = tcase_create("npy");
    tcase_add_checked_fixture(tcase, name_file, remove_file);
    tcase_add_test(tcase, ints_of_one_dimension_are_read);
    tcase_add_test(tcase, floats_of_two_dimensions_are_read);
    tcase_add_test(tcase, bytes_become_ints);
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, an_empty_array_is_read);
    tcase_add_loop_test(tcase, a_faulty_file_is_refused_with_its_fault, 0, sizeof faults / sizeof *faults);
    tcase_add_test(tcase, a_file_that_is_not_there_is_named);
    tcase_add_test(tcase, a_file_cut_off_anywhere_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
