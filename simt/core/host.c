#define _GNU_SOURCE
#include "core/host.h"

#include <errno.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <time.h>

_Thread_local struct host_thread host_thread;

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static struct host_thread
    *first; /* who is on the device; those behind it wait: one that only polls keeps nobody out */
static bool lent;

static const long LENT_NANOSECONDS = 1000000;

/* ---- the queue: the door's mutex is held ------------------------------------------------------------------------ */

static void line_up(void)
{
    struct host_thread **last = &first;
    while (*last)
        last = &(*last)->next;
    host_thread.next = NULL;
    *last = &host_thread;
}

static void line_out(void)
{
    struct host_thread **at = &first;
    while (*at != &host_thread)
        at = &(*at)->next;
    *at = host_thread.next;
    if (first)
        pthread_cond_broadcast(&moved);
}

/* True for a turn of its own; false when the device is lent, and the door's mutex still held. */
static bool wait_for_turn(bool may_be_lent)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &host_thread.cancellable);
    pthread_mutex_lock(&door);
    line_up();
    while (first != &host_thread && !(may_be_lent && lent))
        pthread_cond_wait(&moved, &door);
    if (first != &host_thread) {
        line_out();
        return false;
    }
    pthread_mutex_unlock(&door);
    return true;
}

static void end_turn(void)
{
    pthread_mutex_lock(&door);
    line_out();
    pthread_mutex_unlock(&door);
    pthread_setcancelstate(host_thread.cancellable, NULL);
}

static void end_loan(void)
{
    host_thread.borrows = false;
    pthread_mutex_unlock(&door);
    pthread_setcancelstate(host_thread.cancellable, NULL);
}

/* ---- what others call --------------------------------------------------------------------------------------------- */

void host_enter(void)
{
    if (host_thread.entered == 0 && !host_thread.borrows)
        wait_for_turn(false);
    host_thread.entered++;
}

void host_leave(void)
{
    if (--host_thread.entered == 0 && !host_thread.borrows)
        end_turn();
}

bool host_enter_to_touch(void)
{
    if (host_thread.entered == 0 && !wait_for_turn(true)) {
        host_thread.borrows = true;
        return false;
    }
    host_thread.entered++;
    return true;
}

void host_leave_touched(void)
{
    if (host_thread.borrows)
        end_loan();
    else
        host_leave();
}

void host_lend(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LENT_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&door);
    lent = true;
    pthread_cond_broadcast(&moved);
    while (pthread_cond_timedwait(&moved, &door, &until) != ETIMEDOUT) {
    }
    lent = false;
    pthread_mutex_unlock(&door);
}

unsigned host_leave_wholly(void)
{
    const unsigned times = host_thread.entered;
    host_thread.entered = 0;
    if (host_thread.borrows)
        end_loan();
    else if (times > 0)
        end_turn();
    return times;
}

void host_enter_again(unsigned times)
{
    if (times > 0)
        wait_for_turn(false);
    host_thread.entered = times;
}

bool host_is_alone(void)
{
    return __libc_single_threaded;
}
