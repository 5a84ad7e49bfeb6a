/* What delimits a run: findings, meters, the sticky and the last error start afresh. */
#include "core.h"
#include "finding.h"
#include "observer.h"
#include "runtime/runtime.h"

void simt_begin_run(void)
{
    findings_forget();
    launch_forget_error();
    runtime_set_error(ERROR_NONE);
    simt_forget_used();
    observe_begin_run();
}
