/* suite_sampled.c: calls with more elements than a CPU can handle. The arrays are zero and are not passed, and the
 * device runs only some blocks of each launch. This shows whether 32-bit indices and lengths wrap around or end too
 * early, not whether results are right. See simt_sample in simt/simt.h. */
#include "suite_internal.h"

static const size_t WRAP = (size_t)1 << 32;

/* A small call with the structure of the long one. Its sizes are chosen so that no two counts coincide. */
enum { MODEL_TILES = 40, MODEL_REST = 3, MODEL_ROWS = 31, MODEL_COLUMNS = 37 };

/* The number of tiles exceeds 2^32 / tile, so that blocks beyond the wrap access the same memory as the blocks
 * after block 0. Otherwise the longest length that the contract allows. */
static const size_t past_wrap[] = {((size_t)1 << 32) + ((size_t)1 << 24) + 77};
static const size_t below_wrap[] = {((size_t)1 << 32) - 5};
static const size_t shapes[] = {(size_t)4099 << 32 | 1047552, (size_t)16777259 << 32 | 255,
                                (size_t)1 << 32 | 4294967290u, (size_t)65536 << 32 | 65536};

size_t suite_sampled_lengths(const struct suite_part *part, const size_t **lengths)
{
    if (suite_lab->images) {
        *lengths = shapes;
        return sizeof shapes / sizeof *shapes;
    }
    *lengths = part->most ? &part->most : part->below_wrap ? below_wrap : past_wrap;
    return 1;
}

static size_t tiles_of(size_t n, size_t tile)
{
    return (n + tile - 1) / tile;
}

/* The value in the long call of a count or scalar of the model. */
static size_t scaled(const struct suite_case *model, const struct suite_case *is, size_t count)
{
    if (suite_lab->images)
        return count == MODEL_ROWS * MODEL_COLUMNS ? suite_elements(is->n)
               : count == MODEL_ROWS               ? suite_rows(is->n)
               : count == MODEL_COLUMNS            ? suite_columns(is->n)
                                                   : count;
    return count == model->n                          ? is->n
           : count == 2 * model->n                    ? 2 * is->n
           : count == tiles_of(model->n, model->tile) ? tiles_of(is->n, is->tile)
                                                      : count;
}

void suite_arrange_sampled(struct suite_call *call, const struct suite_case *is)
{
    struct suite_case model = *is;
    model.n =
        suite_lab->images ? suite_shape(MODEL_ROWS, MODEL_COLUMNS) : MODEL_TILES * is->tile + MODEL_REST;
    suite_arrange(call, &model);
    call->is = *is;
    call->sampled = is->part->most ? is->part->most / 2 : is->part->below_wrap ? WRAP / 2 : WRAP;
    for (unsigned i = 0; i < call->arguments; i++) {
        struct suite_argument *argument = &call->argument[i];
        if (argument->kind <= CALL_IN_OUT) {
            const size_t count = scaled(&model, is, argument->count);
            argument->reach =
                count >= suite_elements(is->n) && (argument->kind == CALL_IN || is->part->reaches_all);
            argument->count = count;
        } else if (argument->kind == CALL_SCALAR && !argument->shown) {
            argument->scalar = scaled(&model, is, (size_t)argument->scalar);
        }
    }
}
