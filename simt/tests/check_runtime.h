/* check_runtime.h: checks the result, the last error and the finding of a call of the runtime API. */
#ifndef SIMT_TESTS_CHECK_RUNTIME_H
#define SIMT_TESTS_CHECK_RUNTIME_H

#include "../include/cuda_runtime.h"
#include "../simt.h"
#include "cases.h"

#include <check.h>
#include <stdio.h>

/* ---- findings are counted, not printed ----------------------------------------------------------------------- */

static struct simt_finding last_finding;
static struct simt_finding_words last_words; /* of it */
static unsigned findings, warnings;

static void take(const struct simt_finding *finding, void *context)
{
    (void)context;
    last_finding = *finding;
    simt_finding_words(finding, &last_words);
    if (finding->warning)
        warnings++;
    else
        findings++;
}

static void begin(void)
{
    simt_set_finding_sink(take, NULL);
    simt_begin_run();
    cudaDeviceReset();
    findings = warnings = 0;
    memset(&last_words, 0, sizeof last_words);
}

/* Checks that the call returned `expected`, made it the last error, and made one finding with these words, or none if
 * the call is right. */
static void expect_result(const char *call, cudaError_t got, cudaError_t expected, const char *words)
{
    ck_assert_msg(got == expected, "%s returns %s, not %s", call, cudaGetErrorName(got),
                  cudaGetErrorName(expected));
    cudaError_t last = cudaGetLastError();
    ck_assert_msg(last == expected, "after %s the last error is %s", call, cudaGetErrorName(last));
    ck_assert_msg(cudaGetLastError() == cudaSuccess, "the last error of %s stays", call);
    ck_assert_msg(findings == (words != NULL), "%s leaves %u findings", call, findings);
    if (words)
        ck_assert_msg(strstr(last_words.title, words) != NULL, "%s says \"%s\", without \"%s\"", call,
                      last_words.title, words);
    findings = 0;
    simt_begin_run();
}

#define RIGHT(call)               expect_result(#call, call, cudaSuccess, NULL)
#define WRONG(error, words, call) expect_result(#call, call, error, words)

static void *device(size_t bytes)
{
    void *pointer = NULL;
    ck_assert_int_eq(cudaMalloc(&pointer, bytes), cudaSuccess);
    return pointer;
}

#endif
