/* toy_images.c: toy_suite as a lab of images, with one part that scans an image as if it were one row. */
#include "suite.h"
#include "suite_scan.h"
#include "suite_tests.h"

static void arrange(struct suite_call *call)
{
    size_t count = suite_elements(call->is.n);
    const void *in = suite_values(&call->is, count, 0);
    suite_in(call, monoids[call->is.monoid].element, count, in);
    suite_out(call, monoids[call->is.monoid].element, count, scan_expected(call->is.monoid, in, count, false),
              NULL);
    suite_shown_scalar(call, count);
}

int main(int count, char **words)
{
    static size_t shapes[4];
    static struct suite_part part = {
        .name = "scan_toy",
        .arguments = "(const elem_t *in, elem_t *out, size_t elements)",
        .arrange = arrange,
        .tests = standard_tests,
        .lengths = {1, 0, LIST(shapes)},
        .proofs = {1, 0, LIST(shapes)},
        .monoids = 1u << MONOID_SUM | 1u << MONOID_INTERVAL,
    };
    static struct suite_part *const parts[] = {&part};
    static const struct suite_lab lab = {.number = 9,
                                         .name = "toy",
                                         .images = true,
                                         .monoids = 1u << MONOID_SUM | 1u << MONOID_INTERVAL,
                                         .parts = parts,
                                         .count = 1};
    shapes[0] = suite_shape(0, 3);
    shapes[1] = suite_shape(1, 1);
    shapes[2] = suite_shape(2, 3);
    shapes[3] = suite_shape(4, 5);
    return suite_main(&lab, count, words);
}
