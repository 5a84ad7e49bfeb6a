#define _GNU_SOURCE
#include "core/host.h"
#include "core/budget.h"

#include <errno.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <time.h>

_Thread_local struct host_thread host_thread;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
/* The first thread in the queue holds the device, and the others wait behind it. Because it is a queue, a thread
 * that polls the device in a loop does not keep the others out. */
static struct host_thread *queue;
static bool lent;

static const long LENT_NANOSECONDS = 1000000;

/* ---- the queue (call with the mutex held) ------------------------------------------------------------------------ */

static void enqueue(void)
{
    struct host_thread **last = &queue;
    while (*last)
        last = &(*last)->next;
    host_thread.next = NULL;
    *last = &host_thread;
}

static void dequeue(void)
{
    struct host_thread **at = &queue;
    while (*at != &host_thread)
        at = &(*at)->next;
    *at = host_thread.next;
    if (queue)
        pthread_cond_broadcast(&queue_changed);
}

/* Returns true when the thread holds the device. Returns false when the device is only lent to it; then the mutex
 * is still held. */
static bool acquire(bool may_be_lent)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &host_thread.cancellable);
    pthread_mutex_lock(&mutex);
    enqueue();
    while (queue != &host_thread && !(may_be_lent && lent))
        pthread_cond_wait(&queue_changed, &mutex);
    if (queue != &host_thread) {
        dequeue();
        return false;
    }
    pthread_mutex_unlock(&mutex);
    return true;
}

static void release(void)
{
    pthread_mutex_lock(&mutex);
    dequeue();
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(host_thread.cancellable, NULL);
}

static void return_loan(void)
{
    host_thread.borrows = false;
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(host_thread.cancellable, NULL);
}

/* ---- interface
 * ---------------------------------------------------------------------------------------------------- */

void host_enter(void)
{
    budget_spend(BUDGET_OF_CALL);
    if (host_thread.entered == 0 && !host_thread.borrows)
        acquire(false);
    host_thread.entered++;
}

void host_leave(void)
{
    if (--host_thread.entered == 0 && !host_thread.borrows)
        release();
}

bool host_enter_to_touch(void)
{
    if (host_thread.entered == 0 && !acquire(true)) {
        host_thread.borrows = true;
        return false;
    }
    host_thread.entered++;
    return true;
}

void host_leave_touched(void)
{
    if (host_thread.borrows)
        return_loan();
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
    pthread_mutex_lock(&mutex);
    lent = true;
    pthread_cond_broadcast(&queue_changed);
    while (pthread_cond_timedwait(&queue_changed, &mutex, &until) != ETIMEDOUT) {
    }
    lent = false;
    pthread_mutex_unlock(&mutex);
}

unsigned host_leave_wholly(void)
{
    const unsigned times = host_thread.entered;
    host_thread.entered = 0;
    if (host_thread.borrows)
        return_loan();
    else if (times > 0)
        release();
    return times;
}

void host_enter_again(unsigned times)
{
    if (times > 0)
        acquire(false);
    host_thread.entered = times;
}

bool host_is_alone(void)
{
    return __libc_single_threaded;
}
