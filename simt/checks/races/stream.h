/* stream.h: the streams of a line: see shadow.h. Internal. */
#ifndef SIMT_STREAM_H
#define SIMT_STREAM_H

#include "checks/races/shadow.h"
#include "checks/races/vector_clock.h"

/* The stream that says what was done last to all of these words; null if none has any of them. *mixed is set if it is
 * not the same for all. */
static inline const struct stream *stream_of_all(const struct stream of[2], uint32_t words, bool *mixed)
{
    for (unsigned i = 0; i < 2; i++) {
        if ((of[i].words & words) == words)
            return &of[i];
        if (of[i].words & words) {
            *mixed = true;
            return NULL;
        }
    }
    return NULL;
}

/* The clock of the thread that accessed this word of the line. */
static inline uint32_t stream_clock(const struct stream *stream, unsigned word)
{
    return stream->clock + (word >> stream->step << CLOCK_BITS);
}

/* The same as races_plain for a line without cells and an access to 1 << step words from `word` on. Returns false if
 * the streams cannot say what was accessed, or if the access needs a closer check; then the line needs cells. */
bool stream_plain(struct line *line, unsigned word, unsigned step, bool write, uint32_t site);

#endif
