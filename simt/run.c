/* What delimits a run: findings, meters and the sticky error start afresh. */
#include "core.h"
#include "finding.h"
#include "observer.h"

void simt_begin_run(void)
{
    findings_forget();
    launch_forget_error();
    observe_begin_run();
}
