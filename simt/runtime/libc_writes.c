/* C library functions that read or write through their caller's pointers, and those that print. simt_libc.h makes
 * translated code call these instead. Their accesses are checked like the code's own. In a guarded program
 * (guard.h) they print only to stdout and stderr, and %n is refused. */
#define _GNU_SOURCE
#include "core/access.h"
#include "core/budget.h"
#include "core/fault.h"
#include "core/guard.h"
#include "core/observer.h"
#include "report/finding.h"
#include "report/progress.h"
#include "runtime/runtime.h"
#include "simt.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define SITE __builtin_return_address(0)

static void refuse(const void *site, enum simt_rule rule, enum simt_hint hint)
{
    finding_report(&(struct finding_facts){.rule = rule, .site = site, .hint = hint});
    fault_raise(ERROR_LAUNCH_FAILURE);
}

/* Does the format contain a %n, with or without flags and a width? */
static bool stores(const char *format)
{
    for (const char *at = format; (at = strchr(at, '%')) != NULL; at++) {
        at += 1 + strspn(at + 1, "-+ #0'I*.$0123456789hlLqjzt");
        if (*at == 'n')
            return true;
        if (*at == '\0')
            return false;
    }
    return false;
}

/* Used to classify a conversion by its letter and the letters before it. */
static bool is_one_of(char letter, const char *letters)
{
    return letter && strchr(letters, letter);
}

static void check_text(const char *text, bool wide, int precision, const void *site)
{
    const size_t most = precision < 0 ? (size_t)PTRDIFF_MAX / sizeof(wchar_t) : (size_t)precision;
    const size_t length = wide ? wcsnlen((const wchar_t *)(const void *)text, most) : strnlen(text, most);
    simt_access_range(text, (length + (length < most)) * (wide ? sizeof(wchar_t) : 1), ACCESS_READ, site);
}

/* The characters that a width or a precision asks for are counted before they are made if there are many. */
static void spend_width(int width, const void *site)
{
    enum { WIDE = 1024 };
    if (width > WIDE || width < -WIDE)
        budget_spend_printed((size_t)llabs(width));
    budget_check(site);
}

/* Checks the strings that the format's conversions read, as accesses of the caller, and how wide they are. */
static void check_conversions(const char *format, va_list arguments, const void *site)
{
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        int precision = -1;
        bool longs[2] = {false, false}, of_size = false, long_double = false;
        at += 1 + strspn(at + 1, "-+ #0'I");
        spend_width(*at == '*' ? va_arg(arguments, int) : atoi(at), site);
        at += strspn(at, "*0123456789");
        if (*at == '.') {
            precision = at[1] == '*' ? va_arg(arguments, int) : atoi(at + 1);
            at += 1 + strspn(at + 1, "*-0123456789");
        }
        for (; is_one_of(*at, "hlqjztL"); at++) {
            longs[1] |= longs[0] || *at == 'q' || *at == 'j';
            longs[0] |= *at == 'l';
            of_size |= *at == 'z' || *at == 't';
            long_double |= *at == 'L';
        }
        const char letter = *at;
        at += letter != '\0';
        if (!is_one_of(letter, "sS"))
            spend_width(precision, site);
        if (is_one_of(letter, "sS")) {
            const char *text = va_arg(arguments, const char *);
            if (text)
                check_text(text, letter == 'S' || longs[0], precision, site);
        } else if (is_one_of(letter, "aAeEfFgG")) {
            if (long_double)
                (void)va_arg(arguments, long double);
            else
                (void)va_arg(arguments, double);
        } else if (is_one_of(letter, "diouxXc") && (longs[0] || longs[1] || of_size)) {
            (void)va_arg(arguments, long long); /* long and size_t have this size */
        } else if (is_one_of(letter, "diouxXcC")) {
            (void)va_arg(arguments, int);
        } else if (is_one_of(letter, "pn")) {
            (void)va_arg(arguments, void *);
        } else if (!is_one_of(letter, "%m")) {
            return;
        }
    }
}

/* In a guarded program, conversions that take an argument by its number are refused, too. */
static void check_format(const char *format, va_list arguments, const void *site)
{
    va_list again;
    budget_spend(BUDGET_OF_CALL);
    progress_clear();
    if (guard_is_on() && (stores(format) || strchr(format, '$')))
        refuse(site, SIMT_RULE_FORMAT_STORES, SIMT_HINT_NO_STORING_FORMAT);
    va_copy(again, arguments);
    check_conversions(format, again, site);
    va_end(again);
}

static void check_stream(FILE *stream, const void *site)
{
    budget_spend(BUDGET_OF_CALL);
    if (guard_is_on() && stream != stdout && stream != stderr)
        refuse(site, SIMT_RULE_OUTPUT_ELSEWHERE, SIMT_HINT_STANDARD_OUTPUT);
}

/* ---- printing -------------------------------------------------------------------------------------- */

/* Counts what was printed, so that code which prints without end soon spends its budget. Returns its argument. */
static int printed(int bytes)
{
    if (bytes > 0)
        budget_spend_printed((size_t)bytes);
    return bytes;
}

int simt_vprintf(const char *format, va_list arguments);
int simt_vprintf(const char *format, va_list arguments)
{
    check_format(format, arguments, SITE);
    return printed(vprintf(format, arguments));
}

int simt_printf(const char *format, ...);
int simt_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check_format(format, arguments, SITE);
    const int length = printed(vprintf(format, arguments));
    va_end(arguments);
    return length;
}

int simt_fprintf(FILE *stream, const char *format, ...);
int simt_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    check_stream(stream, SITE);
    va_start(arguments, format);
    check_format(format, arguments, SITE);
    const int length = printed(vfprintf(stream, format, arguments));
    va_end(arguments);
    return length;
}

int simt_fputs(const char *text, FILE *stream);
int simt_fputs(const char *text, FILE *stream)
{
    const size_t length = strlen(text);
    check_stream(stream, SITE);
    simt_access_range(text, length + 1, ACCESS_READ, SITE);
    budget_spend_printed(length);
    return fputs(text, stream);
}

int simt_puts(const char *text);
int simt_puts(const char *text)
{
    const size_t length = strlen(text);
    simt_access_range(text, length + 1, ACCESS_READ, SITE);
    budget_spend(BUDGET_OF_CALL);
    budget_spend_printed(length + 1);
    return puts(text);
}

int simt_fputc(int c, FILE *stream);
int simt_fputc(int c, FILE *stream)
{
    check_stream(stream, SITE);
    budget_spend_printed(1);
    return fputc(c, stream);
}

int simt_fflush(FILE *stream);
int simt_fflush(FILE *stream)
{
    if (stream)
        check_stream(stream, SITE);
    return fflush(stream);
}

/* ---- text ------------------------------------------------------------------------------------------ */

size_t simt_strlen(const char *text);
size_t simt_strlen(const char *text)
{
    const size_t length = strlen(text);
    simt_access_range(text, length + 1, ACCESS_READ, SITE);
    return length;
}

/* Writes at most `bytes`, as vsnprintf does. */
static int print_to(char *to, size_t bytes, const char *format, va_list arguments, const void *site)
{
    va_list again;
    check_format(format, arguments, site);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0) {
        const size_t whole = (size_t)length + 1;
        simt_access_range(to, whole < bytes ? whole : bytes, ACCESS_WRITE, site);
    }
    return vsnprintf(to, bytes, format, arguments);
}

int simt_sprintf(char *to, const char *format, ...);
int simt_sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = print_to(to, (size_t)PTRDIFF_MAX, format, arguments, SITE);
    va_end(arguments);
    return length;
}

int simt_snprintf(char *to, size_t bytes, const char *format, ...);
int simt_snprintf(char *to, size_t bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = print_to(to, bytes, format, arguments, SITE);
    va_end(arguments);
    return length;
}
