/* settings.h: what the environment of a program may ask of the device, in variables whose names begin with SIMT_. */
#ifndef SIMT_SETTINGS_H
#define SIMT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the setting `1` or `on`? `unset` when it is not there, or empty. */
bool setting_is_on(const char *name, bool unset);

/* Is every SIMT_ variable of the environment one that there is, with a value that it can have? If not, false, and a line
 * for each that is wrong goes to `text`, with what is valid. */
bool settings_are_valid(char *text, size_t size);

#endif
