/* suite_meters.c: the output of `make meters`: the meters of one call line by line, or those of all parts with the
 * bounds of their contracts. */
#include "suite_internal.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    SECTOR = 32,
    TABLE_WIDTH = 132,   /* width of the tables in characters */
    SOURCE_WIDTH = 44,   /* width of the column with the source */
    SOURCE_LINES = 2000, /* maximum length of a student's file; later lines are shown by number */
    MOST_SHOWN = 70000,  /* maximum of elements in the calls of the table */
    MOST_POWER = 1 << 11 /* the same for its powers of two */
};

static size_t first_array_size(const struct suite_call *call)
{
    for (unsigned i = 0; i < call->arguments; i++)
        if (call->argument[i].kind <= CALL_IN_OUT)
            return element_size(call->argument[i].element);
    return 1;
}

bool suite_meter(const struct suite_call *call, const char *name, uint64_t *value)
{
    for (uint32_t i = 0; i < call->reply.meters; i++)
        if (strcmp(call->reply.meter[i].name, name) == 0) {
            *value = call->reply.meter[i].value;
            return true;
        }
    uint64_t bytes = 0, more = 0;
    bool known = false;
    if (strcmp(name, "global elements") == 0)
        known = suite_meter(call, "global bytes", &bytes);
    else if (strcmp(name, "written elements") == 0)
        known = suite_meter(call, "written bytes", &bytes);
    else if (strcmp(name, "shared elements") == 0)
        known = suite_meter(call, "shared bytes", &bytes);
    else if (strcmp(name, "elements moved") == 0) {
        known = suite_meter(call, "uncached sectors", &bytes) && suite_meter(call, "copied sectors", &more);
        bytes = (bytes + more) * SECTOR;
    }
    *value = bytes / first_array_size(call);
    return known;
}

static uint64_t meter(const struct suite_call *call, const char *name)
{
    uint64_t value = 0;
    suite_meter(call, name, &value);
    return value;
}

/* The minimum of sectors that a part moves: all of its inputs once, and all of its outputs. */
static uint64_t least_sectors(const struct suite_call *call)
{
    uint64_t sectors = 0;
    for (unsigned i = 0; i < call->arguments; i++) {
        const struct suite_argument *argument = &call->argument[i];
        if (argument->kind > CALL_IN_OUT)
            continue;
        uint64_t fills = (argument->count * element_size(argument->element) + SECTOR - 1) / SECTOR;
        sectors += argument->kind == CALL_IN_OUT ? 2 * fills : fills;
    }
    return sectors;
}

static uint64_t sectors_moved(const struct suite_call *call)
{
    return meter(call, "uncached sectors") + meter(call, "copied sectors");
}

/* "512", or "3x8" in a lab of images. */
static const char *size_words(size_t n)
{
    static char buffer[48];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    suite_add_size(&text, n);
    return buffer;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Is the terminal too narrow for a table? Then its rows are printed as lines of text. */
static bool is_narrow(void)
{
    return suite_width() < TABLE_WIDTH;
}

/* Makes the call. If its result is wrong, prints a line and returns false. */
static bool make_call(struct suite_call *call, const struct suite_case *is, enum call_measure measure)
{
    suite_arrange(call, is);
    call->measure = measure;
    if (suite_perform(call) && suite_judge(call))
        return true;
    char buffer[1024];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    suite_add_replay(&text, is);
    printf("%-22s %7s  is not right yet%s%s\n", is->part->name, size_words(is->n),
           is_narrow() ? "\n    replay: " : ": ", buffer);
    return false;
}

/* Prints "combines 1022, exactly 2(n - 1)" after `indent` blanks. Returns false if the bound is exceeded. */
static bool print_bound(const struct suite_call *call, const struct suite_bound *bound, size_t indent)
{
    char buffer[512];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    uint64_t value = meter(call, bound->meter), most = bound->most(call->is.n);
    if (value == most)
        suite_add(&text, "%s %llu, exactly %s", bound->meter, (unsigned long long)value, bound->formula);
    else
        suite_add(&text, "%s %llu, %s %llu (%s)", bound->meter, (unsigned long long)value,
                  value < most ? "at most" : "PAST THE BOUND OF", (unsigned long long)most, bound->formula);
    suite_print(buffer, is_narrow() ? 4 : indent);
    return value <= most;
}

/* Prints a line for each bound after `indent` blanks. Returns false if one is exceeded. */
static bool print_bounds(const struct suite_call *call, const struct suite_bound *bounds, size_t indent)
{
    bool good = true;
    for (const struct suite_bound *bound = bounds; bound && bound->meter; bound++)
        good &= print_bound(call, bound, indent);
    return good;
}

/* ---- all parts ------------------------------------------------------------------------------------------- */

static void print_heading(void)
{
    printf("\n%s\n", suite_lab->name);
    if (is_narrow())
        return;
    printf("%-22s %7s %9s %9s %6s %6s %10s %22s %13s %15s\n", "part", "n", "combines", "barriers", "steps",
           "span", "host bytes", "wavefronts (excess)", "sectors/req", "traffic/least");
}

static void print_totals(const struct suite_call *call)
{
    char buffer[512];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    printf("%s, n = %s\n", call->is.part->name, size_words(call->is.n));
    static const char *const shown[] = {"combines", "barriers", "steps", "span", "host bytes"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        suite_add(&text, "%s %llu, ", shown[i], (unsigned long long)meter(call, shown[i]));
    suite_add(&text, "shared wavefronts %llu (excess %llu)",
              (unsigned long long)meter(call, "shared wavefronts"),
              (unsigned long long)meter(call, "excess wavefronts"));
    if (meter(call, "global requests") > 0)
        suite_add(&text, ", sectors a request %.2f",
                  ratio(meter(call, "global sectors"), meter(call, "global requests")));
    if (least_sectors(call) > 0)
        suite_add(&text, ", traffic %.2f", ratio(sectors_moved(call), least_sectors(call)));
    suite_print(buffer, 4);
}

static bool print_part(const struct suite_case *is)
{
    static struct suite_call call;
    char wavefronts[48], requests[24] = "", least[24] = "";
    if (!make_call(&call, is, CALL_METERS_ON))
        return false;
    if (is_narrow()) {
        print_totals(&call);
        return print_bounds(&call, is->part->shared, 0) & print_bounds(&call, is->part->bounds, 0);
    }
    snprintf(wavefronts, sizeof wavefronts, "%llu (%llu)",
             (unsigned long long)meter(&call, "shared wavefronts"),
             (unsigned long long)meter(&call, "excess wavefronts"));
    if (meter(&call, "global requests") > 0)
        snprintf(requests, sizeof requests, "%.2f",
                 ratio(meter(&call, "global sectors"), meter(&call, "global requests")));
    if (least_sectors(&call) > 0)
        snprintf(least, sizeof least, "%.2f", ratio(sectors_moved(&call), least_sectors(&call)));
    printf("%-22s %7s %9llu %9llu %6llu %6llu %10llu %22s %13s %15s\n", is->part->name, size_words(is->n),
           (unsigned long long)meter(&call, "combines"), (unsigned long long)meter(&call, "barriers"),
           (unsigned long long)meter(&call, "steps"), (unsigned long long)meter(&call, "span"),
           (unsigned long long)meter(&call, "host bytes"), wavefronts, requests, least);
    return print_bounds(&call, is->part->shared, 31) & print_bounds(&call, is->part->bounds, 31);
}

static int first_monoid(const struct suite_part *part)
{
    int monoid = 0;
    while (!suite_takes(part, monoid))
        monoid++;
    return monoid;
}

/* The best image to show has many rows and many columns. */
static size_t shorter_side(size_t n)
{
    if (!suite_lab->images)
        return 0;
    return suite_rows(n) < suite_columns(n) ? suite_rows(n) : suite_columns(n);
}

int suite_meters_of_all(void)
{
    bool good = true;
    print_heading();
    for (size_t p = 0; p < suite_lab->count; p++) {
        const struct suite_part *part = suite_lab->parts[p];
        size_t power = 0, longest = 0, n;
        for (size_t i = 0; suite_length(&part->lengths, i, &n); i++) {
            const size_t elements = suite_elements(n);
            if ((elements & (elements - 1)) == 0 && elements <= MOST_POWER)
                power = n;
            if (elements <= MOST_SHOWN && shorter_side(n) >= shorter_side(longest))
                longest = n;
        }
        struct suite_case is = suite_case(part, first_monoid(part), power);
        if (suite_elements(power) > 0)
            good &= print_part(&is);
        is.n = longest;
        if (longest != power)
            good &= print_part(&is);
    }
    return good ? 0 : 1;
}

/* ---- line by line ---------------------------------------------------------------------------------------- */

/* The text of the student's file. */
static struct {
    const char *name; /* without folders */
    char line[SOURCE_LINES + 1][SOURCE_WIDTH + 1];
} source;

static void read_source(void)
{
    char line[1024];
    const char *slash = strrchr(suite_options.lab_file, '/');
    source.name = slash ? slash + 1 : suite_options.lab_file;
    FILE *file = fopen(suite_options.lab_file, "r");
    for (int number = 1; file && number <= SOURCE_LINES && fgets(line, sizeof line, file); number++) {
        char *begin = line, *end;
        while (isspace((unsigned char)*begin))
            begin++;
        if ((end = strstr(begin, "/*")) && end > begin) /* omits comments */
            *end = 0;
        end = begin + strlen(begin);
        while (end > begin && isspace((unsigned char)end[-1]))
            end--;
        int length = (int)(end - begin);
        snprintf(source.line[number], sizeof source.line[number], "%.*s%s",
                 length > SOURCE_WIDTH ? SOURCE_WIDTH - 3 : length, begin,
                 length > SOURCE_WIDTH ? "..." : "");
    }
    if (file)
        fclose(file);
}

/* What a line wastes, by kind. It counts if it is at least a tenth of the line's use, or half of a warp for lanes. */
enum waste { CONFLICTS, SCATTER, IDLENESS, WASTES };

static uint64_t waste_of(const struct call_line *line, enum waste waste)
{
    switch (waste) {
    case CONFLICTS:
        return 10 * line->excess_wavefronts >= line->shared_wavefronts ? line->excess_wavefronts : 0;
    case SCATTER:
        return 10 * line->excess_sectors >= line->global_sectors ? line->excess_sectors : 0;
    default:
        return line->idle_lanes >= 16 * line->instructions ? line->idle_lanes : 0;
    }
}

/* Marks the worst lines: those that waste at least half as much as the worst one. */
static void add_marks(struct suite_text *text, const struct call_line *line, const uint64_t worst[WASTES])
{
    bool marked[WASTES];
    for (int waste = 0; waste < WASTES; waste++)
        marked[waste] = worst[waste] > 0 && 2 * waste_of(line, (enum waste)waste) >= worst[waste];
    if (marked[CONFLICTS])
        suite_add(text, "  <- bank conflicts: %.1f wavefronts for %.1f",
                  ratio(line->shared_wavefronts, line->shared_requests),
                  ratio(line->shared_wavefronts - line->excess_wavefronts, line->shared_requests));
    if (marked[SCATTER])
        suite_add(text, "  <- scattered: %.1f sectors for %.1f",
                  ratio(line->global_sectors, line->global_requests),
                  ratio(line->global_sectors - line->excess_sectors, line->global_requests));
    if (marked[IDLENESS])
        suite_add(text, "  <- idle lanes");
    if (line->atomics > 0)
        suite_add(text, "  (%llu atomic%s)", (unsigned long long)line->atomics,
                  line->atomics == 1 ? "" : "s");
}

/* Prints a number in a column of 10, or blanks for 0. */
static void print_count(uint64_t count)
{
    if (count > 0)
        printf(" %10llu", (unsigned long long)count);
    else
        printf(" %10s", "");
}

/* Prints the contents of the table's columns and the marks below the line. */
static void print_words(const struct call_line *line, const uint64_t worst[WASTES])
{
    char buffer[512];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {{"combines", line->combines},
                  {"barriers", line->barriers},
                  {"shared requests", line->shared_requests},
                  {"shared wavefronts", line->shared_wavefronts},
                  {"global requests", line->global_requests},
                  {"sectors", line->global_sectors}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].count > 0)
            suite_add(&text, "%s%s %llu", buffer[0] ? ", " : "", counts[i].name,
                      (unsigned long long)counts[i].count);
    if (line->instructions > 0)
        suite_add(&text, "%sidle %.0f%%", buffer[0] ? ", " : "",
                  100 * ratio(line->idle_lanes, 32 * line->instructions));
    suite_print(buffer, 9);
    text = suite_text(buffer, sizeof buffer);
    add_marks(&text, line, worst);
    suite_print(buffer, 7); /* marks begin with two blanks */
}

static void print_line(const struct call_line *line, const uint64_t worst[WASTES])
{
    char place[SOURCE_WIDTH + 16], marks[256];
    struct suite_text text = suite_text(marks, sizeof marks);
    if (strcmp(line->file, source.name) == 0 && line->line <= SOURCE_LINES)
        snprintf(place, sizeof place, "%5u  %s", (unsigned)line->line, source.line[line->line]);
    else
        snprintf(place, sizeof place, "%5u  %.40s", (unsigned)line->line, line->file);
    if (is_narrow()) {
        printf("%s\n", place);
        print_words(line, worst);
        return;
    }
    printf("%-*s", SOURCE_WIDTH + 7, place);
    print_count(line->combines);
    print_count(line->barriers);
    print_count(line->shared_requests);
    print_count(line->shared_wavefronts);
    print_count(line->global_requests);
    print_count(line->global_sectors);
    if (line->instructions > 0)
        printf(" %6.0f %%", 100 * ratio(line->idle_lanes, 32 * line->instructions));
    add_marks(&text, line, worst);
    printf("%s\n", marks);
}

static void print_lines(const struct call_reply *reply)
{
    /* A few idle lanes do not deserve a mark if most of the work is elsewhere. */
    uint64_t worst[WASTES] = {0}, lanes = 0;
    for (uint32_t i = 0; i < reply->lines; i++)
        lanes += 32 * reply->line[i].instructions;
    for (uint32_t i = 0; i < reply->lines; i++)
        for (int waste = 0; waste < WASTES; waste++)
            if (waste_of(&reply->line[i], (enum waste)waste) > worst[waste])
                worst[waste] = waste_of(&reply->line[i], (enum waste)waste);
    if (20 * worst[IDLENESS] < lanes)
        worst[IDLENESS] = 0;
    if (!is_narrow()) {
        printf("%*s %10s %10s %21s %21s\n", SOURCE_WIDTH + 7, "", "", "", "---- shared memory ---",
               "---- global memory ---");
        printf("%5s  %-*s %10s %10s %10s %10s %10s %10s %8s\n", "line", SOURCE_WIDTH, source.name, "combines",
               "barriers", "requests", "wavefronts", "requests", "sectors", "idle");
    }
    for (uint32_t i = 0; i < reply->lines; i++)
        print_line(&reply->line[i], worst);
}

int suite_meters_of(const struct suite_case *is)
{
    static struct suite_call call;
    if (!make_call(&call, is, CALL_METERS_BY_LINE))
        return 1;
    read_source();
    printf("%s on %s, %s element%s of %zu bytes\n\n", is->part->name, monoids[is->monoid].name,
           size_words(is->n), suite_elements(is->n) == 1 ? "" : "s", first_array_size(&call));
    print_lines(&call.reply);
    printf("\n");
    suite_print_meters(&call);
    if (suite_options.on_cuda) /* it counts nothing */
        return 0;
    uint64_t least = least_sectors(&call);
    if (least > 0) {
        char words[128];
        snprintf(words, sizeof words,
                 "sectors uncached or copied, over the %llu that hold inputs and outputs",
                 (unsigned long long)least);
        printf("%-35s %10.2f\n", "traffic", ratio(sectors_moved(&call), least));
        suite_print(words, 4);
    }
    printf("\nthe contract:\n");
    return print_bounds(&call, is->part->shared, 4) & print_bounds(&call, is->part->bounds, 4) ? 0 : 1;
}
