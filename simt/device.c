/* What delimits a run: findings, meters, the sticky and the last error start afresh. */
#include "core/core.h"
#include "report/finding.h"
#include "core/observer.h"
#include "runtime/runtime.h"

void simt_begin_run(void)
{
    findings_forget();
    launch_forget_error();
    runtime_set_error(ERROR_NONE);
    simt_forget_used();
    observe_begin_run();
}
