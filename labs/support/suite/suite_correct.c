/* suite_correct.c: calls whose result must be right and the work of many threads. */
#include "suite_internal.h"
#include "suite_sharing.h"

void suite_correct(const struct suite_case *is)
{
    suite_measured(is, CALL_METERS_OFF);
    suite_judge_shares(is, suite_reply());
}

void suite_all_lengths(struct suite_case is, const struct suite_lengths *lengths, size_t most)
{
    for (size_t i = 0; suite_length(lengths, i, &is.n); i++) {
        if (suite_elements(is.n) > most)
            continue;
        suite_correct(&is);
        suite_note_right(is.n);
    }
    suite_note_right(0);
}
