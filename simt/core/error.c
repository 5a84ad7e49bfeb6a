#include "core/error.h"
#include "core/host.h"

static int sticky;

int error_last(void)
{
    return host_thread.last_error;
}

void error_set_last(int error)
{
    host_thread.last_error = error;
}

int error_sticky(void)
{
    return sticky;
}

void error_set_sticky(int error)
{
    sticky = error;
}
