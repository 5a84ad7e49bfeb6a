/* settings.h: environment variables that set up the device; their names begin with SIMT_. Internal. */
#ifndef SIMT_SETTINGS_H
#define SIMT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the variable `1` or `on`? `unset` when it is missing or empty. */
bool setting_is_on(const char *name, bool unset);

/* Has every SIMT_ variable of the environment a known name and a valid value? Else false, and `text` gets a line for each
 * that is wrong, which says what is valid. */
bool settings_are_valid(char *text, size_t size);

#endif
