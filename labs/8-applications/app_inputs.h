/* app_inputs.h: inputs for the parts of lab 8: numbers, keys, texts and trees, generated or real.
 * The seed chooses a style of random input, because a replay line has only the seed. */
#ifndef APP_INPUTS_H
#define APP_INPUTS_H

#include "applications.h"
#include "npy.h"
#include "random.h"
#include "suite.h"
#include "suite_marks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STYLES = 8,   /* of random input; style 1, which seed 1 chooses, is the plain one */
    READABLE = 64 /* elements, in inputs that a person may read */
};

static unsigned style_of(const struct suite_case *is)
{
    return (unsigned)(suite_style_seed(is) % STYLES);
}

/* Returns a seed near `seed` that chooses the style. */
static uint64_t seed_of_style(uint64_t seed, unsigned style)
{
    return seed / STYLES * STYLES + style;
}

static bool is_random(const struct suite_case *is)
{
    return is->input == INPUT_RANDOM;
}

static struct random stream_of(const struct suite_case *is, uint64_t stream)
{
    return random_stream(is->seed, is->n * 64 + stream * 8 + 5);
}

/* ---- real data ----------------------------------------------------------------------------------------- */

static char data_phrase[100]; /* of the most recently arranged call, for messages */

struct data {
    const char *file, *phrase;
    struct npy npy; /* empty until it is first used */
};

static struct data program_text = {.file = "program.npy", .phrase = "a C header, sqlite3ext.h"};
static struct data sunspots = {.file = "sunspots.npy", .phrase = "the monthly sunspot numbers since 1749"};
static struct data rain = {.file = "rain.npy", .phrase = "the daily rain in Seattle 2012 to 2015"};

/* Returns the elements, which are read on first use and kept. */
static const int *real_data(struct data *data)
{
    char path[4096], why[4352];
    snprintf(path, sizeof path, "%s/%s", suite_datasets(), data->file);
    if (!data->npy.data && !npy_read(path, &data->npy, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    snprintf(data_phrase, sizeof data_phrase, "%s", data->phrase);
    return data->npy.data;
}

static size_t real_length(struct data *data)
{
    real_data(data);
    return data->npy.rows * data->npy.columns;
}

/* Returns n of the elements, repeated if there are fewer. */
static unsigned *real_numbers(struct data *data, size_t n)
{
    const int *all = real_data(data);
    unsigned *numbers = suite_memory(n * sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (unsigned)all[i % real_length(data)];
    return numbers;
}

/* ---- numbers and keys ---------------------------------------------------------------------------------- */

/* Returns generated numbers of the case's kind; ascending ones ascend as unsigned numbers. */
static unsigned *plain_numbers(const struct suite_case *is, size_t count, uint64_t stream)
{
    struct suite_case made_up = *is;
    if (is->input == INPUT_SERIES)
        made_up.input = INPUT_RANDOM;
    unsigned *numbers = suite_values(&made_up, count, stream);
    for (size_t i = 0; i < count; i++)
        if (is->input == INPUT_SORTED || is->input == INPUT_REVERSED)
            numbers[i] ^= 0x80000000u;
    return numbers;
}

static unsigned power_of_ten(uint64_t exponent)
{
    unsigned power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* Returns numbers with all possible counts of digits. */
static const unsigned *line_numbers(const struct suite_case *is)
{
    if (is->input == INPUT_SERIES)
        return real_numbers(&sunspots, is->n);
    unsigned *numbers = plain_numbers(is, is->n, 0);
    struct random random = stream_of(is, 1);
    /* Between marks, the count of digits changes. */
    for (size_t i = 0; is->input == INPUT_MARKED && i < is->n; i++)
        if (suite_mark_at(is, i, is->n) >= SUITE_MARKS)
            numbers[i] = power_of_ten(i % 10) - (i / 10 & 1);
    for (size_t i = 0; is_random(is) && i < is->n; i++) {
        unsigned bits = (unsigned)random_bits(&random);
        switch (style_of(is)) {
        case 0: /* ten digits */
            numbers[i] = 1000000000u + bits % 3294967296u;
            break;
        case 2:
            numbers[i] = 0;
            break;
        case 3: /* one digit */
            numbers[i] = bits % 10;
            break;
        case 4: /* where the count of digits changes */
            numbers[i] = power_of_ten(random_below(&random, 10)) - (bits & 1);
            break;
        case 5: /* one long line among short ones */
            numbers[i] = i == is->n / 2 ? 0xffffffffu : bits % 10;
            break;
        default: /* all counts of digits equally often */
            numbers[i] = bits % power_of_ten(1 + random_below(&random, 9));
            break;
        }
    }
    return numbers;
}

enum { IN_RUNS = 7, RUN_LENGTHS = 6 }; /* a style of keys; the seed chooses the length */
enum { IN_TURN = 1 << 17 };            /* two different keys alternate in an input of this length */

/* As many keys as a warp or a block may look at. */
static size_t run_of(uint64_t seed)
{
    return (size_t)32 << seed / STYLES % RUN_LENGTHS;
}

/* Returns a seed with all keys in one segment, all of them equal except the largest, which is in its middle. */
static uint64_t seed_of_largest_middle(size_t n)
{
    uint64_t choice = suite_chosen_seed(0) / STYLES;
    while (choice % n != n / 2 || choice / n % 2 == 0 || choice % 5 != 3)
        choice++;
    return choice * STYLES + 5;
}

/* Returns keys: wide or narrow ones, with few or many equal ones. */
static unsigned *make_keys(const struct suite_case *is, struct data *data)
{
    static const unsigned few[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    if (is->input == INPUT_SERIES)
        return real_numbers(data, is->n);
    unsigned *keys = plain_numbers(is, is->n, 0);
    struct random random = stream_of(is, 2);
    const size_t run = run_of(is->seed);
    for (size_t i = 0; is_random(is) && i < is->n; i++) {
        unsigned bits = (unsigned)random_bits(&random);
        switch (style_of(is)) {
        case 1: /* readable, some of them equal */
            keys[i] = bits % (is->n <= 16 ? 10 : 100);
            break;
        case 2: /* two different keys */
            keys[i] = is->n == IN_TURN ? ~i & 1 : bits & 1;
            break;
        case 3:
            keys[i] = few[bits % (sizeof few / sizeof *few)];
            break;
        case 4: /* almost sorted; no style is bad for quicksort's pivots, so its bound holds for all */
            keys[i] = bits % 16 == 0 ? bits / 16 % (unsigned)is->n : (unsigned)i;
            break;
        case 5: /* one different key */
            keys[i] = i != is->seed / STYLES % is->n ? 7 : is->seed / STYLES / is->n % 2 ? 11 : 3;
            break;
        case 6: /* all different, each near its place */
            keys[i] = (unsigned)(i ^ 3);
            break;
        case IN_RUNS: /* sorted, except for two neighbours where one run ends and the next begins */
            keys[i] = (unsigned)(i > 0 && i % run == 0 ? i - 1 : (i + 1) % run == 0 ? i + 1 : i);
            break;
        default:
            keys[i] = bits;
            break;
        }
    }
    return keys;
}

/* Returns the heads of segments, independent of the style of the keys. */
static unsigned *make_heads(const struct suite_case *is)
{
    unsigned *heads = suite_memory(is->n * sizeof *heads);
    struct random random = stream_of(is, 3);
    unsigned kind = is_random(is) ? (unsigned)(suite_style_seed(is) / STYLES % 5) : 0;
    for (size_t i = 0; i < is->n; i++) {
        uint64_t among = kind == 0 ? 8 : kind == 1 ? 2 : 300;
        heads[i] = kind == 3 ? 0 : kind == 4 ? 1 : random_below(&random, among) == 0;
    }
    if (is->n > 0)
        heads[0] = 1;
    return heads;
}

/* Returns factors and summands of recurrences. Even factors would soon erase all that came before. */
static unsigned *coefficients(const struct suite_case *is, uint64_t stream, bool odd)
{
    unsigned *numbers = plain_numbers(is, is->n, stream);
    for (size_t i = 0; i < is->n; i++) {
        if (is_random(is) && style_of(is) == 1 && is->n <= READABLE)
            numbers[i] = odd ? 1 + numbers[i] % 3 : numbers[i] % 4;
        else if (is_random(is) && style_of(is) == 2)
            numbers[i] = 1;
        else if (is_random(is) && style_of(is) == 3 && !odd)
            numbers[i] = 0;
        else if (is->input == INPUT_MARKED && suite_mark_at(is, i, is->n) < SUITE_MARKS)
            continue;
        else if (is->input != INPUT_EXTREME && odd)
            numbers[i] |= 1;
    }
    return numbers;
}

/* Returns a number that the seed chooses, such as the start of a recurrence. */
static unsigned chosen_number(const struct suite_case *is, uint64_t stream)
{
    /* A long input gets 1 or -1 of these, because the powers of the others vanish. */
    static const unsigned some[5] = {3, 2, 1, 0, 0xffffffff};
    struct random random = stream_of(is, stream);
    unsigned bits = (unsigned)random_bits(&random);
    if (is->input == INPUT_MARKED)
        return (unsigned)suite_mark((size_t)(is->seed + is->seed / SUITE_MARKS + stream));
    if (is->n <= READABLE && style_of(is) == 1)
        return 1 + bits % 5;
    return bits & 1 ? bits : some[is->n > READABLE ? 2 + (bits & 2) : (bits >> 1) % 5];
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* Appends bytes to a text of limited length, except those that look like unwritten memory. */
struct writer {
    unsigned char *bytes;
    size_t length, room;
};

static void put(struct writer *to, unsigned byte)
{
    if (to->length < to->room)
        to->bytes[to->length++] = (unsigned char)(byte != CALL_POISON ? byte : 'z');
}

/* Appends a random number of characters of `of`. */
static void put_some(struct writer *to, struct random *random, const char *of, uint64_t least, uint64_t most)
{
    for (uint64_t i = least + random_below(random, most - least + 1); i > 0; i--)
        put(to, (unsigned char)of[random_below(random, strlen(of))]);
}

static void put_token(struct writer *to, struct random *random)
{
    switch (random_below(random, 12)) {
    case 0: /* some comments are empty */
        put(to, '/');
        put(to, '*');
        put_some(to, random, "ab \n\"'**", 0, 12);
        put(to, '*');
        put(to, '/');
        break;
    case 1:
        put(to, '"');
        put_some(to, random, "xy '/*", 0, 6);
        if (random_bits(random) & 1) {
            put(to, '\\');
            put(to, "\"\\n'"[random_below(random, 4)]);
        }
        put(to, '"');
        break;
    case 2:
        put(to, '\'');
        put_some(to, random, "c\"/", 1, 1);
        put(to, '\'');
        break;
    case 3:
        put_some(to, random, "/", 2, 3);
        put_some(to, random, "no \"'*", 0, 9);
        put(to, '\n');
        break;
    case 4:
    case 5:
        put_some(to, random, "0123456789", 1, 1);
        put_some(to, random, "0123456789.xL", 0, 4);
        break;
    case 6:
    case 7:
        put_some(to, random, "+-*/=<>(){};,", 1, 2);
        break;
    default:
        put_some(to, random, "abcdefghijklmnopqrstuvwxyz_ABC", 1, 1);
        put_some(to, random, "abcdefghijklmnopqrstuvwxyz_0123456789", 0, 7);
        break;
    }
    put_some(to, random, "    \n", 0, 2);
}

/* Writes a text of one style until the writer's room is full. */
static void put_text(struct writer *to, unsigned style, struct random *random)
{
    static const char *const only[STYLES] = {
        [2] = "/*\"'\\\n a",
        [4] = " \t\n",
        [5] = ";(,",
        [6] = "word",
    };
    if (style == 7) /* a comment or a string that continues to the end */
        put(to, random_bits(random) & 1 ? '"' : '\'');
    if (style == 3) {
        put(to, '/');
        put(to, '*');
    }
    while (to->length < to->room) {
        if (style == 0)
            put(to, (unsigned)random_bits(random) & 255);
        else if (style == 3) /* no star before a slash */
            put_some(to, random, to->bytes[to->length - 1] == '*' ? "ab *\"" : "ab*/\"'", 1, 1);
        else if (style == 7)
            put_some(to, random, "abc/* 1", 1, 1);
        else if (only[style])
            put_some(to, random, only[style], 1, 1);
        else
            put_token(to, random);
    }
}

/* Returns a byte that is a mark, from the ends of both ranges or one that ends texts or tokens, or else `other`. */
static unsigned text_byte(size_t mark, unsigned other)
{
    static const unsigned char bytes[SUITE_MARKS] = {0,    255, 1,   127,  128, 254, '"', '\'',
                                                     '\\', '/', '*', '\n', ' ', 'a', '9', ';'};
    return mark < SUITE_MARKS ? bytes[mark] : other & 255;
}

/* Returns n bytes. For inputs that are not random, numbers of that kind are turned into bytes. */
static unsigned char *make_text(const struct suite_case *is, uint64_t stream)
{
    struct writer to = {suite_memory(is->n + 1), 0, is->n};
    struct random random = stream_of(is, 10 + stream);
    if (is_random(is)) {
        put_text(&to, style_of(is), &random);
        return to.bytes;
    }
    const int *values =
        is->input == INPUT_SERIES ? real_data(&program_text) : suite_values(is, is->n, stream);
    for (size_t i = 0; i < is->n; i++)
        switch (is->input) {
        case INPUT_SORTED:
        case INPUT_REVERSED:
            put(&to, (unsigned)(((int64_t)values[i] - INT_MIN) >> 24));
            break;
        case INPUT_NEGATIVE:
            put(&to, (unsigned)values[i] | 128);
            break;
        case INPUT_EXTREME:
            put(&to, (unsigned char)"\"\\'/*\n"[(unsigned)values[i] % 6]);
            break;
        case INPUT_MARKED:
            put(&to, text_byte(suite_mark_at(is, i, is->n), (unsigned)values[i]));
            break;
        case INPUT_EXAMPLE: /* a blank in a string does not separate tokens: the order of the bytes matters */
            put(&to, (unsigned char)"a=\"b c\";/*d*/ 1+e;\n"[i % 19]);
            break;
        case INPUT_SERIES:
            put(&to, (unsigned)values[i % real_length(&program_text)]);
            break;
        default:
            put(&to, (unsigned)values[i] & 255);
            break;
        }
    return to.bytes;
}

/* ---- trees --------------------------------------------------------------------------------------------- */

/* A walk around a tree, which goes down into new nodes and up from them. */
struct walk {
    int *tour;
    size_t moves, nodes, most; /* made; entered; nodes that there is room for */
    int *open, *number;        /* nodes that the walk is in; a node's number in order of entry */
    size_t depth;              /* of the walk */
};

static void walk_down(struct walk *walk)
{
    int node = walk->number[walk->nodes++];
    walk->open[walk->depth++] = node;
    walk->tour[walk->moves++] = node;
}

static void walk_up(struct walk *walk)
{
    walk->tour[walk->moves++] = ~walk->open[--walk->depth];
}

/* Whether a walk of this style goes down next, if it still can. */
static bool goes_down(const struct walk *walk, unsigned style, struct random *random)
{
    bool at_leaf = walk->moves > 0 && walk->tour[walk->moves - 1] >= 0;
    switch (style) {
    case 2: /* a path: the deepest tree */
        return true;
    case 3: /* only roots */
        return walk->depth == 0;
    case 4: /* one root with all other nodes as its children */
        return walk->depth <= 1;
    case 5: /* a path with a leaf at each node */
        return !at_leaf || walk->nodes % 2 == 1;
    case 6: /* deep and crooked */
        return random_below(random, 8) > 0;
    case 7: /* bushes */
        return walk->depth == 0 || random_below(random, 1 + walk->depth) == 0;
    default:
        return (random_bits(random) & 1) || walk->depth == 0;
    }
}

/* Walks along the brackets of a C program: an opening one goes down, a closing one up. Brackets in comments and
 * strings do not count. The program is repeated if it has too few. */
static void walk_program(struct walk *walk)
{
    const int *text = real_data(&program_text);
    while (walk->nodes < walk->most) {
        unsigned state = LEX_START;
        for (size_t i = 0; i < real_length(&program_text) && walk->nodes < walk->most; i++) {
            state = lex_next(state, (unsigned char)text[i]);
            if (state == LEX_MARK && strchr("([{", text[i]))
                walk_down(walk);
            else if (state == LEX_MARK && strchr(")]}", text[i]))
                walk_up(walk);
        }
    }
}

static size_t count_brackets(void)
{
    const int *text = real_data(&program_text);
    size_t nodes = 0;
    unsigned state = LEX_START;
    for (size_t i = 0; i < real_length(&program_text); i++) {
        state = lex_next(state, (unsigned char)text[i]);
        nodes += state == LEX_MARK && strchr("([{", text[i]);
    }
    return nodes;
}

/* Returns the tour of a tree with n nodes, which has 2n moves. */
static const int *make_tour(const struct suite_case *is)
{
    size_t n = is->n;
    struct random random = stream_of(is, 20);
    struct walk walk = {.tour = suite_memory(2 * n * sizeof(int)),
                        .most = n,
                        .open = suite_memory(n * sizeof(int)),
                        .number = suite_memory(n * sizeof(int))};
    for (size_t i = 0; i < n; i++)
        walk.number[i] = (int)(is->input == INPUT_REVERSED ? n - 1 - i : i);
    for (size_t i = n;
         i > 1 && is->input < INPUT_SERIES && is->input != INPUT_SORTED && is->input != INPUT_REVERSED; i--) {
        size_t other = (size_t)random_below(&random, i);
        int number = walk.number[i - 1];
        walk.number[i - 1] = walk.number[other];
        walk.number[other] = number;
    }
    if (is->input == INPUT_SERIES) {
        walk_program(&walk);
    } else {
        unsigned style = is->input == INPUT_EQUAL ? 3 : is->input == INPUT_EXTREME ? 2 : style_of(is);
        while (walk.nodes < n) {
            if (goes_down(&walk, style, &random) || walk.depth == 0)
                walk_down(&walk);
            else
                walk_up(&walk);
        }
    }
    while (walk.depth > 0)
        walk_up(&walk);
    return walk.tour;
}

#endif
