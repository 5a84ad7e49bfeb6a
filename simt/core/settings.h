/* settings.h: the environment variables that configure the device. Their names begin with SIMT_. Internal. */
#ifndef SIMT_SETTINGS_H
#define SIMT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the variable `1`, `on` or `sample`? Returns `unset` when it is missing or empty. */
bool setting_is_on(const char *name, bool unset);

/* Is this the variable's value? */
bool setting_is(const char *name, const char *word);

/* Does every SIMT_ variable of the environment have a known name and a valid value? If not, `text` receives a line
 * for each wrong one that gives the valid values. */
bool settings_are_valid(char *text, size_t size);

#endif
