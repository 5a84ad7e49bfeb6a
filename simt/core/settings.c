#include "core/settings.h"
#include "core/thread.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

struct setting {
    const char *name;
    enum { SWITCH, WORD, NUMBER, ANYTHING } kind;
    const char *valid; /* for messages; for a WORD, the valid words separated by | */
    unsigned long long least, most;
};

static const struct setting settings[] = {
    {"SIMT_ORDER", WORD, "forward|reverse|random|lockstep", 0, 0},
    {"SIMT_SEED", NUMBER, "a whole number from 0 to 2^64 - 1", 0, UINT64_MAX},
    {"SIMT_RESIDENT", NUMBER, "a whole number from 1 to 256", 1, MAX_RESIDENT_BLOCKS},
    {"SIMT_WORK", NUMBER, "a whole number of instructions; 0 for no limit", 0, UINT64_MAX},
    {"SIMT_CHECKS", WORD, "on|off|sample|1|0", 0, 0},
    {"SIMT_TRACE", ANYTHING, "a file", 0, 0},
    {"SIMT_LEAKS", SWITCH, "1|0", 0, 0},
    {"SIMT_METERS", SWITCH, "1|0", 0, 0},
    {"SIMT_MEMORY", NUMBER, "a whole number of bytes, 1 or more", 1, UINT64_MAX},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

_Static_assert(MAX_RESIDENT_BLOCKS == 256, "the text of SIMT_RESIDENT names it");

static bool is_one_of(const char *value, const char *words)
{
    const size_t length = strlen(value);
    for (const char *word = words; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL)
        if (strcspn(word, "|") == length && strncmp(word, value, length) == 0)
            return true;
    return false;
}

static bool is_number(const char *value, unsigned long long least, unsigned long long most)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 0);
    return isdigit((unsigned char)value[0]) && *end == 0 && errno == 0 && number >= least && number <= most;
}

static bool is_valid(const struct setting *setting, const char *value)
{
    switch (setting->kind) {
    case SWITCH:
        return is_one_of(value, "0|1|off|on");
    case WORD:
        return is_one_of(value, setting->valid);
    case NUMBER:
        return is_number(value, setting->least, setting->most);
    case ANYTHING:
        break;
    }
    return true;
}

/* Checks one entry of the environment, `NAME=value`. If something is wrong, writes that to `text` and returns true. */
static bool complain(const char *entry, char *text, size_t size)
{
    const size_t length = strcspn(entry, "=");
    const char *value = entry + length + (entry[length] == '=');
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strlen(settings[i].name) != length || strncmp(settings[i].name, entry, length) != 0)
            continue;
        if (!value[0] || is_valid(&settings[i], value))
            return false;
        snprintf(text, size, "%s is wrong; valid is: %s\n", entry, settings[i].valid);
        return true;
    }
    size_t used = (size_t)snprintf(text, size, "there is no setting %.*s; there are:", (int)length, entry);
    for (size_t i = 0; i < SETTINGS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %s%s", settings[i].name,
                                 i + 1 < SETTINGS ? "," : "\n");
    return true;
}

bool setting_is_on(const char *name, bool unset)
{
    const char *value = getenv(name);
    return value && value[0] ? is_one_of(value, "1|on|sample") : unset;
}

bool setting_is(const char *name, const char *word)
{
    const char *value = getenv(name);
    return value && strcmp(value, word) == 0;
}

bool settings_are_valid(char *text, size_t size)
{
    bool valid = true;
    text[0] = 0;
    for (char **entry = environ; *entry; entry++) {
        const size_t used = strlen(text);
        if (strncmp(*entry, "SIMT_", 5) == 0 && complain(*entry, text + used, size - used))
            valid = false;
    }
    return valid;
}
