#include "core/error.h"

static int last, sticky;

int error_last(void)
{
    return last;
}

void error_set_last(int error)
{
    last = error;
}

int error_sticky(void)
{
    return sticky;
}

void error_set_sticky(int error)
{
    sticky = error;
}
