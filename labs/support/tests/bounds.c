/* bounds.c: prints the bounds of a lab's parts and their values at some lengths, or at shapes in a lab of images, for a
 * test that compares them with their formulas and with the contract. A line has fields separated by tabs: part, meter,
 * formula, rows, columns, value. A length is one row. Linked with check_LAB.o, which defines `this_lab`. */
#include "suite_internal.h"
#include <inttypes.h>
#include <stdio.h>

static void print_bound(const struct suite_part *part, const struct suite_bound *bound)
{
    static const size_t rows[] = {64, 512, 4096}, lengths[] = {64, 512, 4096, 65536, 1000};
    const size_t count = this_lab.images ? sizeof rows / sizeof *rows : sizeof lengths / sizeof *lengths;
    for (size_t i = 0; i < count; i++) {
        const size_t of_image = 1024, n = this_lab.images ? suite_shape(rows[i], of_image) : lengths[i];
        printf("%s\t%s\t%s\t%zu\t%zu\t%" PRIu64 "\n", part->name, bound->meter, bound->formula,
               this_lab.images ? rows[i] : 1, this_lab.images ? of_image : n, bound->most(n));
    }
}

int main(void)
{
    suite_lab = &this_lab;
    suite_use_tile(512);
    for (size_t i = 0; i < this_lab.count; i++) {
        const struct suite_part *part = this_lab.parts[i];
        for (const struct suite_bound *bound = part->bounds; bound && bound->meter; bound++)
            print_bound(part, bound);
        for (const struct suite_bound *bound = part->shared; bound && bound->meter; bound++)
            print_bound(part, bound);
    }
    return 0;
}
