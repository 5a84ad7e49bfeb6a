/* suite_show.c: prints one call for a person, for `make run`. */
#include "npy.h"
#include "suite_internal.h"
#include "suite_sharing.h"
#include <stdio.h>
#include <string.h>

enum {
    GRID_WIDTH = 96, /* maximum width of an image that is printed as a grid */
    SHOW_ALL = 40,   /* rows that are printed without gaps */
    SHOW_ENDS = 6,   /* rows at the begin and the end of a longer table */
    SHOW_AROUND = 5  /* rows before and after the first wrong slot */
};

/* One column of the table: an array before the call, after it, or as expected. */
struct column {
    char title[40];
    const struct suite_argument *argument;
    const void *values;
    int width;
};

static size_t add_column(struct column *columns, size_t count, const struct suite_argument *argument,
                         const char *format, const void *values)
{
    if (!values || count == 3 * CALL_ARGUMENTS)
        return count;
    struct column *column = &columns[count];
    snprintf(column->title, sizeof column->title, format, argument->name);
    column->argument = argument;
    column->values = values;
    return count + 1;
}

static void cell(const struct column *column, size_t i, char text[ELEMENT_SHORT])
{
    text[0] = 0;
    if (i < column->argument->count)
        element_text(column->argument->element,
                     (const char *)column->values + i * element_size(column->argument->element), text);
}

static bool row_is_wrong(const struct suite_call *call, size_t i)
{
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT || i >= argument->count || !argument->got)
            continue;
        size_t size = element_size(argument->element);
        const char *expected = argument->expected ? argument->expected : argument->input;
        if (!element_equal(argument->element, (const char *)argument->got + i * size, expected + i * size,
                           argument->tolerance ? argument->tolerance[i] : 0))
            return true;
    }
    return false;
}

static void print_arrays(const struct suite_call *call)
{
    static struct column columns[3 * CALL_ARGUMENTS];
    size_t count = 0, rows = 0;
    char text[ELEMENT_SHORT];

    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        if (argument->count > rows)
            rows = argument->count;
        count = add_column(columns, count, argument, "%s", argument->input);
        if (argument->kind == CALL_IN)
            continue;
        count = add_column(columns, count, argument, argument->input ? "%s after" : "%s", argument->got);
        count = add_column(columns, count, argument, "expected", argument->expected);
    }
    size_t wrong = 0;
    while (wrong < rows && !row_is_wrong(call, wrong))
        wrong++;

    char place[64];
    bool shown[2] = {true, true}; /* was the row before printed? */
    for (int printing = 0; printing < 2; printing++) {
        if (printing) {
            printf("%10s", suite_lab->images ? "row,column" : "slot");
            for (size_t c = 0; c < count; c++)
                printf("  %*s", columns[c].width, columns[c].title);
            printf("\n");
        } else {
            for (size_t c = 0; c < count; c++)
                columns[c].width = (int)strlen(columns[c].title);
        }
        for (size_t i = 0; i < rows; i++) {
            bool show = rows <= SHOW_ALL || i < SHOW_ENDS || i + SHOW_ENDS >= rows ||
                        (wrong < rows && i + SHOW_AROUND >= wrong && i <= wrong + SHOW_AROUND);
            if (printing && !show && shown[1])
                printf("%10s\n", "...");
            shown[1] = show;
            if (!show)
                continue;
            if (printing && suite_lab->images && suite_columns(call->is.n) > 0)
                snprintf(place, sizeof place, "%zu,%zu", i / suite_columns(call->is.n),
                         i % suite_columns(call->is.n));
            else if (printing)
                snprintf(place, sizeof place, "%zu", i);
            if (printing)
                printf("%10s", place);
            for (size_t c = 0; c < count; c++) {
                cell(&columns[c], i, text);
                if (printing)
                    printf("  %*s", columns[c].width, text);
                else if ((int)strlen(text) > columns[c].width)
                    columns[c].width = (int)strlen(text);
            }
            if (printing)
                printf("%s\n", i == wrong ? "  <- first wrong slot" : row_is_wrong(call, i) ? "  <-" : "");
        }
    }
}

/* The meters that a person needs with a result; `make meters` prints all. */
static bool meter_is_shown(const char *name)
{
    static const char *const shown[] = {"combines", "barriers", "divergent branches", "nanoseconds"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(shown[i], name) == 0)
            return true;
    return false;
}

/* The width of an image's elements; 0 if it does not fit. */
static int grid_width(const struct suite_call *call, const struct column *column)
{
    char text[ELEMENT_SHORT];
    int width = 1;
    for (size_t i = 0; i < column->argument->count; i++) {
        cell(column, i, text);
        width = (int)strlen(text) > width ? (int)strlen(text) : width;
    }
    return suite_columns(call->is.n) * (size_t)(width + 2) <= GRID_WIDTH ? width : 0;
}

/* Prints small images row by row. Returns false if they are not small. */
static bool print_images(const struct suite_call *call, bool good)
{
    struct column columns[3 * CALL_ARGUMENTS];
    size_t count = 0, rows = suite_rows(call->is.n), width = suite_columns(call->is.n);
    char text[ELEMENT_SHORT];
    if (!suite_lab->images || rows * width == 0 || rows > SHOW_ALL / 2)
        return false;
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        count = add_column(columns, count, argument, "%s", argument->input);
        if (argument->kind == CALL_IN)
            continue;
        count = add_column(columns, count, argument, argument->input ? "%s after" : "%s", argument->got);
        if (!good)
            count = add_column(columns, count, argument, "%s as expected", argument->expected);
    }
    for (size_t c = 0; c < count; c++)
        if (!suite_is_image(call, columns[c].argument) || grid_width(call, &columns[c]) == 0)
            return false;
    for (size_t c = 0; c < count; c++) {
        bool judged = !good && columns[c].values == columns[c].argument->got;
        printf("%s%s\n", columns[c].title, judged ? ", * where it is wrong" : "");
        for (size_t i = 0; i < rows * width; i++) {
            cell(&columns[c], i, text);
            printf(" %*s%s%s", grid_width(call, &columns[c]), text,
                   judged && row_is_wrong(call, i) ? "*"
                   : i % width + 1 < width         ? " "
                                                   : "",
                   i % width + 1 == width ? "\n" : "");
        }
    }
    return true;
}

/* Prints the scalars that messages show. */
static void print_scalars(const struct suite_call *call)
{
    const char *before = "";
    for (unsigned a = 0; a < call->arguments; a++)
        if (call->argument[a].kind == CALL_SCALAR && call->argument[a].shown) {
            printf("%s%s %llu", before, call->argument[a].name, (unsigned long long)call->argument[a].scalar);
            before = ", ";
        }
    if (*before)
        printf("\n");
}

static void print_meters(const struct call_reply *reply)
{
    const char *before = "meters: ";
    for (uint32_t i = 0; i < reply->meters; i++) {
        if (!meter_is_shown(reply->meter[i].name))
            continue;
        printf("%s%s %llu", before, reply->meter[i].name, (unsigned long long)reply->meter[i].value);
        before = ", ";
    }
    if (strcmp(before, ", ") == 0)
        printf("\n");
}

static void print_statement(const char *line)
{
    char buffer[4096];
    const size_t first = strcspn(line, "\n");
    snprintf(buffer, sizeof buffer, "wrong: %.*s", (int)first, line);
    suite_print(buffer, 0);
    suite_print(line[first] ? line + first + 1 : "", strlen("wrong: "));
}

/* Writes each array after the call to its own file. */
static bool save_arrays(const struct suite_call *call)
{
    static const char *const types[] = {
        [ELEMENT_INT] = "<i4",         [ELEMENT_UNSIGNED] = "<u4",  [ELEMENT_LONG] = "<u8",
        [ELEMENT_BYTE] = "|u1",        [ELEMENT_CHARACTER] = "|u1", [ELEMENT_FLOAT] = "<f4",
        [ELEMENT_FLOAT_BITS] = "<f4",  [ELEMENT_AFFINE] = "<i8",    [ELEMENT_INTERVAL] = "<i8",
        [ELEMENT_FINGERPRINT] = "<i8",
    };
    char path[4096], why[4352];
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        bool image = suite_is_image(call, argument);
        snprintf(path, sizeof path, "%s/%s-%s.npy", suite_options.save, call->is.part->name, argument->name);
        if (!npy_write(path, types[argument->element], element_size(argument->element),
                       image ? suite_rows(call->is.n) : 1,
                       image ? suite_columns(call->is.n) : argument->count, argument->got, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            return false;
        }
    }
    return true;
}

static void print_findings(const struct call_reply *reply)
{
    char buffer[4096];
    for (uint32_t i = 0; i < reply->findings; i++) {
        simt_format_finding(&reply->finding[i], buffer, sizeof buffer);
        suite_print(buffer, 0);
    }
}

/* The accesses of an explored call. */
static void print_steps(const struct call_reply *reply)
{
    static char lines[SIMT_STEPS * 128];
    struct suite_text text = suite_text(lines, sizeof lines);
    if (!reply->explores)
        return;
    printf("volatile and atomic accesses, in the order of this schedule:\n");
    suite_add_steps(&text, &reply->explored, SIMT_STEPS);
    fputs(lines, stdout);
}

static int show_sampled(struct suite_call *call, const struct suite_case *is)
{
    suite_arrange_sampled(call, is);
    if (!suite_perform(call))
        printf("the call did not come to its end: %s\n",
               call->trouble[0] ? call->trouble : "the device stopped it");
    print_findings(&call->reply);
    printf("%zu elements are too many for the CPU device: all are 0, and only some blocks ran\n",
           suite_elements(is->n));
    if (call->reply.all_findings == 0)
        printf("no index or length of 32 bits was seen; the results are not judged\n");
    return call->reply.all_findings > 0;
}

static void check_work(const struct suite_case *is)
{
    suite_shared(is);
    if (is->part->least)
        suite_combines(is, is->part->least(is->n));
}

/* If a replay line asks for it, judges whether a right result is the work of kernels and their threads. */
static bool judge_work(const struct suite_case *is)
{
    const bool asked =
        suite_options.judge_work && !suite_options.trace && !suite_options.debug && !suite_options.save;
    const struct suite_failure *failure = asked ? suite_check(check_work, is) : NULL;
    if (failure)
        print_statement(failure->said);
    return !failure;
}

int suite_show(const struct suite_case *is)
{
    static struct suite_call call;
    char buffer[4096];
    struct suite_text text = suite_text(buffer, sizeof buffer);

    suite_add_replay(&text, is);
    printf("%s\n", buffer + strlen("make run "));
    fflush(stdout); /* before the debugger's output */
    if (suite_is_sampled(is))
        return show_sampled(&call, is);
    suite_arrange(&call, is);
    call.measure = CALL_METERS_ON;
    call.checks = true;
    suite_begin_trace();
    bool came_through = suite_perform(&call);
    if (came_through)
        suite_look_for_work(&call);
    bool good = came_through && suite_judge(&call) && suite_judge_copies(&call);
    print_scalars(&call);
    if (came_through && !print_images(&call, good))
        print_arrays(&call);
    if (call.result_name)
        printf("%s: %llu, expected %llu\n", call.result_name, (unsigned long long)call.reply.result,
               (unsigned long long)call.expected_result);
    print_steps(&call.reply);
    print_findings(&call.reply);
    if (call.printed[0])
        printf("it printed:\n%s%s", call.printed, call.printed[strlen(call.printed) - 1] == '\n' ? "" : "\n");
    print_meters(&call.reply);
    if (call.trouble[0])
        suite_print(call.trouble, 0);
    else if (!came_through)
        printf("the device stopped the call\n");
    else if (!good)
        print_statement(call.statement);
    else if (judge_work(is))
        printf(call.reply.all_findings ? "right on this input, but not clean: see above\n"
                                       : "right on this input\n");
    else
        good = false;
    if (suite_options.save && came_through && !save_arrays(&call))
        return 2;
    if (!suite_end_trace(&call, came_through, good))
        return 2;
    if (!good) {
        static struct suite_failure failure;
        failure.kind = call.trouble[0] ? call.trouble_kind : call.statement_kind;
        failure.call = &call;
        fflush(stdout);
        suite_look_again(&failure);
    }
    return good ? 0 : 1;
}
