/* check_cudac_program.c: the cudac program: its files, exit statuses and messages, and that g++ accepts its output,
 * line for line. Runs from the root of the repository; CUDAC and CXX name the programs. */
#include <check.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define FIXTURES     "simt/tests/cudac/"

enum { OUTPUT_MAX = 1 << 16, COMMAND_MAX = 1024, PATH_SIZE = 128 };

static char folder[PATH_SIZE];  /* of the running test */
static char output[OUTPUT_MAX]; /* stdout and stderr of the last command */

/* ---- commands and files ------------------------------------------------------------------------------ */

static void make_folder(void)
{
    strcpy(folder, "/tmp/check_cudac.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Returns the number of files in the folder. */
static int count_files(void)
{
    DIR *directory = opendir(folder);
    int files = 0;

    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        files += entry->d_name[0] != '.';
    closedir(directory);
    return files;
}

/* Runs a shell command in which $CUDAC and $D, the folder, are set. Returns its exit status. */
static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...)
{
    char command[COMMAND_MAX];
    const char *cudac = getenv("CUDAC");
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    ck_assert_int_lt(length, (int)sizeof command);
    setenv("CUDAC", cudac ? cudac : "build/bin/cudac", 1);
    setenv("D", folder, 1);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status), "%s ended by a signal: %s", command, output);
    return WEXITSTATUS(status);
}

static void remove_folder(void)
{
    ck_assert_int_eq(run("rm -r \"$D\""), 0);
}

static void write_file(const char *name, const char *text)
{
    char path[PATH_SIZE * 2];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect_output(const char *expected)
{
    ck_assert_msg(strcmp(output, expected) == 0, "came\n%s\ninstead of\n%s", output, expected);
}

/* ---- files ------------------------------------------------------------------------------------------- */

START_TEST(output_is_named_as_told)
{
    write_file("a.cu", "int x;\n");
    ck_assert_int_eq(run("$CUDAC $D/a.cu -o $D/a.cpp --name student/a.cu 2>&1 && cat $D/a.cpp"), 0);
    expect_output("#include \"cuda_runtime.h\"\n#line 1 \"student/a.cu\"\nint x;\n");
}
END_TEST

START_TEST(output_is_named_after_the_input_when_not_told)
{
    write_file("a.cu", "int x;\n");
    ck_assert_int_eq(
        run("cudac=$(realpath \"$CUDAC\") && cd $D && \"$cudac\" -o a.cpp a.cu 2>&1 && cat a.cpp"), 0);
    expect_output("#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\nint x;\n");
}
END_TEST

START_TEST(empty_file_is_translated)
{
    write_file("a.cu", "");
    ck_assert_int_eq(run("$CUDAC $D/a.cu -o $D/a.cpp --name a.cu 2>&1 && cat $D/a.cpp"), 0);
    expect_output("#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\n");
}
END_TEST

START_TEST(large_file_is_translated_whole)
{
    ck_assert_int_eq(run("yes 'int f(); // 0123456789' | head -n 20000 > $D/a.cu; "
                         "$CUDAC $D/a.cu -o $D/a.cpp && tail -n +3 $D/a.cpp | cmp - $D/a.cu 2>&1"),
                     0);
}
END_TEST

START_TEST(former_output_is_replaced)
{
    write_file("a.cu", "int x;\n");
    write_file("a.cpp", "a former, longer output that must not shine through ............................\n");
    ck_assert_int_eq(run("$CUDAC $D/a.cu -o $D/a.cpp --name a.cu 2>&1 && cat $D/a.cpp"), 0);
    expect_output("#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\nint x;\n");
    ck_assert_int_eq(count_files(), 2);
}
END_TEST

START_TEST(output_that_is_no_file_is_written_directly)
{
    write_file("a.cu", "int x;\n");
    ck_assert_int_eq(run("mkfifo $D/pipe; cat $D/pipe & $CUDAC $D/a.cu -o $D/pipe --name a.cu && wait"), 0);
    expect_output("#include \"cuda_runtime.h\"\n#line 1 \"a.cu\"\nint x;\n");
    ck_assert_int_eq(run("test -p $D/pipe"), 0);
}
END_TEST

/* ---- errors ------------------------------------------------------------------------------------------ */

START_TEST(refused_source_is_reported_as_a_compiler_does)
{
    write_file("a.cu", "int x;\n  k<<<1, 2>>>;\n");
    ck_assert_int_eq(run("$CUDAC $D/a.cu -o $D/a.cpp --name student/a.cu 2>&1"), 1);
    expect_output("student/a.cu:2:14: error: this launch has no argument list after '>>>'\n"
                  "    try: kernel<<<blocks, threads>>>() when it takes none\n");
}
END_TEST

START_TEST(refused_source_leaves_no_output)
{
    write_file("a.cu", "k<<<1, 2>>>;\n");
    write_file("a.cpp", "of an earlier version\n");
    ck_assert_int_eq(run("$CUDAC $D/a.cu -o $D/a.cpp 2>&1"), 1);
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(wrong_command_line_is_status_2)
{
    static const char *const rows[] = {"",
                                       "$D/a.cu",
                                       "-o $D/a.cpp",
                                       "$D/a.cu -o",
                                       "$D/a.cu --name",
                                       "$D/a.cu $D/a.cu -o $D/a.cpp",
                                       "$D/a.cu -x -o $D/a.cpp"};

    write_file("a.cu", "");
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert_msg(run("$CUDAC %s 2>&1", rows[i]) == 2, "%s", rows[i]);
        expect_output("usage: cudac INPUT.cu -o OUTPUT.cpp [--name NAME] [--relaxed-constexpr] [--headers "
                      "FOLDER [--own FOLDER] "
                      "[-I FOLDER]...]\n"
                      "       cudac INPUT.cu -o OUTPUT.cu --delays SEED [--name NAME]\n");
    }
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(unreadable_input_is_status_2)
{
    ck_assert_int_eq(run("cudac=$(realpath \"$CUDAC\") && cd $D && \"$cudac\" none.cu -o a.cpp 2>&1"), 2);
    expect_output("cudac: cannot read none.cu: No such file or directory\n");
    ck_assert_int_eq(run("cudac=$(realpath \"$CUDAC\") && cd $D && \"$cudac\" . -o a.cpp 2>&1"), 2);
    expect_output("cudac: cannot read .: Is a directory\n");
    ck_assert_int_eq(count_files(), 0);
}
END_TEST

START_TEST(full_disk_is_reported)
{
    write_file("a.cu", "int x;\n");
    /* through a link, because a cudac that renames a file onto a device must not damage this machine's device */
    ck_assert_int_eq(
        run("cudac=$(realpath $CUDAC) && cd $D && ln -s /dev/full full && \"$cudac\" a.cu -o full 2>&1"), 2);
    expect_output("cudac: cannot write full: No space left on device\n");
}
END_TEST

START_TEST(output_that_cannot_be_written_leaves_nothing)
{
    write_file("a.cu", "int x;\n");
    ck_assert_int_eq(run("cudac=$(realpath \"$CUDAC\") && cd $D && \"$cudac\" a.cu -o none/a.cpp 2>&1"), 2);
    expect_output("cudac: cannot write none/a.cpp: No such file or directory\n");
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(write_that_fails_halfway_leaves_the_former_output)
{
    write_file("a.cpp", "former\n");
    ck_assert_int_eq(run("yes 'int f();' | head -n 20000 > $D/a.cu; trap '' XFSZ; "
                         "(ulimit -f 8; $CUDAC $D/a.cu -o $D/a.cpp >$D/out.txt 2>&1)"),
                     2);
    ck_assert_int_eq(run("cat $D/a.cpp"), 0);
    expect_output("former\n");
    ck_assert_int_eq(count_files(), 3);
}
END_TEST

START_TEST(input_is_never_overwritten)
{
    write_file("a.cu", "int x;\n");
    ck_assert_int_eq(run("ln $D/a.cu $D/b.cu; $CUDAC $D/a.cu -o $D/b.cu >/dev/null 2>&1"), 2);
    ck_assert_int_eq(run("cat $D/a.cu"), 0);
    expect_output("int x;\n");
}
END_TEST

/* ---- compiling the output -------------------------------------------------------------------------------- */

/* Translates a fixture and compiles it; returns g++'s status. */
static int compile(const char *fixture, const char *name)
{
    const char *compiler = getenv("CXX");

    ck_assert_msg(run("$CUDAC " FIXTURES "%s -o $D/a.cpp --name %s 2>&1", fixture, name) == 0, "%s", output);
    return run("%s -std=gnu++17 -O1 -g -D__CUDACC__ -D__SIMT__ -Isimt/include -fno-builtin "
               "-fno-diagnostics-show-caret -fdiagnostics-color=never -S $D/a.cpp -o $D/a.s 2>&1",
               compiler ? compiler : "g++");
}

START_TEST(every_construct_compiles_on_its_own_line)
{
    ck_assert_msg(compile("lines.cu", "student/lines.cu") == 0, "%.2000s", output);
}
END_TEST

START_TEST(compilers_error_names_the_students_line)
{
    ck_assert_int_ne(compile("undeclared.cu", "student/undeclared.cu"), 0);
    ck_assert_msg(strstr(output, "student/undeclared.cu:8:"), "%.2000s", output);
    ck_assert_msg(!strstr(output, "student/undeclared.cu:7:"), "%.2000s", output);
    ck_assert_msg(!strstr(output, "a.cpp:"), "%.2000s", output);
}
END_TEST

int main(void)
{
    const struct {
        const char *tcase;
        const TTest *test;
    } tests[] = {
        {"files", output_is_named_as_told},
        {"files", output_is_named_after_the_input_when_not_told},
        {"files", empty_file_is_translated},
        {"files", large_file_is_translated_whole},
        {"files", former_output_is_replaced},
        {"files", output_that_is_no_file_is_written_directly},
        {"errors", refused_source_is_reported_as_a_compiler_does},
        {"errors", refused_source_leaves_no_output},
        {"errors", wrong_command_line_is_status_2},
        {"errors", unreadable_input_is_status_2},
        {"errors", full_disk_is_reported},
        {"errors", output_that_cannot_be_written_leaves_nothing},
        {"errors", write_that_fails_halfway_leaves_the_former_output},
        {"errors", input_is_never_overwritten},
        {"g++", every_construct_compiles_on_its_own_line},
        {"g++", compilers_error_names_the_students_line},
    };
    Suite *suite = suite_create("cudac program");
    TCase *tcase = NULL;

    for (size_t i = 0; i < COUNT(tests); i++) {
        if (i == 0 || strcmp(tests[i].tcase, tests[i - 1].tcase) != 0) {
            tcase = tcase_create(tests[i].tcase);
            tcase_add_checked_fixture(tcase, make_folder, remove_folder);
            tcase_set_timeout(tcase, 120); /* only against endless runs: g++ on a busy machine is slow */
            suite_add_tcase(suite, tcase);
        }
        tcase_add_test(tcase, tests[i].test);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
