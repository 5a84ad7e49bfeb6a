/* toy_run.h: runs toy_suite with fake_runner, whose modes are planted mistakes. */
#ifndef TOY_RUN_H
#define TOY_RUN_H

enum { TOY_OUTPUT = 1 << 16 };

/* The folder of the generated submissions; "" before the first run. */
extern char toy_folder[64];

/* The output of the most recent run of toy_suite. */
extern char toy_output[TOY_OUTPUT];

/* Runs toy_suite in a mode of fake_runner with these arguments, and returns its exit status. */
int toy_run(const char *mode, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the message below a failed test in toy_output, without its indent. */
const char *toy_message(const char *sentence);

/* Removes what toy_run has created; called at the end of every test. */
void toy_end(void);

/* The sentences of two tests. */
#define TOY_PROOF "joins the right inputs at every length"
#define TOY_CLEAN "is clean at every length"

#endif
