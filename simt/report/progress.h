/* progress.h: shows the progress of a long launch on a terminal. Internal. */
#ifndef SIMT_PROGRESS_H
#define SIMT_PROGRESS_H

/* From now on, a launch that takes longer than `after` seconds writes a line to this file descriptor, again and again in
 * place: its kernel, the blocks that are done, and the time that is left if the others take as long. */
void progress_show(int file, double after);

/* Removes the line, because something else is written there. */
void progress_clear(void);

#endif
