/* Faults: what ends a kernel or the host code before its time. A kernel's fault jumps back to the fiber
 * that launched it; host code's, to simt_call. Crashes and the time limit arrive as signals, on a stack of
 * their own, because the fault may be that the stack is used up. */
#define _GNU_SOURCE
#include "core/fault.h"
#include "core/arch.h"
#include "core/host.h"
#include "core/judge.h"
#include "core/module.h"
#include "core/sampler.h"
#include "core/returns.h"
#include "core/schedule.h"
#include "core/stacks.h"
#include "core/turns.h"
#include "simt.h"

#include <pthread.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static const double TICK_SECONDS = 0.02;  /* between two ticks once the program's time is up */
static const double GRACE_SECONDS = 0.25; /* that host code gets to return after its kernel's time was up */
static const double MOST_WATCH_SECONDS = 0.5; /* of each half in which a kernel that polls is looked at */

volatile bool fault_time_is_up;

static sigjmp_buf call_start;
static bool in_call;
static unsigned timer_users;
static pid_t timed_thread; /* the host thread on the device, where there are several; else 0 */

_Noreturn void fault_raise(int error)
{
#ifdef __SANITIZE_ADDRESS__ /* a handler's frames may be left for good, and their marks with them */
    stack_t handlers;
    if (sigaltstack(NULL, &handlers) == 0 && !(handlers.ss_flags & SS_DISABLE))
        __asan_unpoison_memory_region(handlers.ss_sp, handlers.ss_size);
#endif
    if (current_thread && sampler)
        schedule_drop();
    if (current_thread)
        schedule_abandon(error);
    if (in_call)
        siglongjmp(call_start, 1);
    host_leave_wholly(); /* what runs at the exit may wait for other host threads */
    exit(EXIT_FAILURE);
}

bool simt_call(void (*body)(void *), void *context)
{
    fault_install();
    in_call = true;
    judge->host_begins(__builtin_frame_address(0));
    returns_begin_host();
    fault_start_timer();
    enum {
        BEGINS,
        FAULT,
        RETURNED
    }; /* it does not come back by a return: registers may be what its frames made of them */
    const int how = sigsetjmp(call_start, 1);
    if (how == BEGINS) {
        body(context);
        siglongjmp(call_start, RETURNED);
    }
    const bool returned = how == RETURNED;
    returns_begin_host();
    host_leave_wholly();
    timer_users = 1;
    fault_stop_timer();
    in_call = false;
    return returned;
}

/* ---- the time limit ---------------------------------------------------------------------------------- */

/* The program's progress when half of its time had passed. What has not moved since may never end. */
static struct {
    bool taken;
    uint64_t returned; /* threads */
    uint64_t launch;   /* the number of the last launch */
} half_time;
static uint64_t first_launch; /* the number of the last launch that the timer does not count */
static bool limit_told;       /* the finding is made; the call has still to end */
static int halves_more;       /* halves of the limit that it was given beyond it */
enum { MOST_HALVES_MORE = 4 };
static enum polling_stage polling; /* of the kernel that runs */

static void set_timer(double first, double interval)
{
    struct itimerval timer = {0};
    timer.it_value.tv_sec = (time_t)first;
    timer.it_value.tv_usec = (suseconds_t)((first - (double)timer.it_value.tv_sec) * 1e6);
    timer.it_interval.tv_sec = (time_t)interval;
    timer.it_interval.tv_usec = (suseconds_t)((interval - (double)timer.it_interval.tv_sec) * 1e6);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void end_watch(void)
{
    if (polling != POLLING_UNSEEN)
        judge->watch_polling(polling = POLLING_UNSEEN);
}

void fault_start_timer(void)
{
    timed_thread = host_is_alone() ? 0 : gettid();
    double seconds = simt_get_schedule().seconds;
    if (timer_users++ == 0 && seconds > 0) {
        fault_time_is_up = false;
        half_time.taken = limit_told = false;
        halves_more = 0;
        first_launch = launch_last_number() - !in_call;
        set_timer(seconds / 2, seconds / 2);
    }
}

void fault_stop_timer(void)
{
    if (--timer_users == 0 && simt_get_schedule().seconds > 0) {
        set_timer(0, 0);
        fault_time_is_up = false;
        end_watch();
    }
}

/* Lets a kernel that polls run on while it is watched. False when that is done, or of no use. */
static bool polling_is_watched(const struct time_limit *limit)
{
    if (polling == POLLING_SECOND_HALF || limit_told || !current_thread || sampler || limit->launching ||
        limit->returning || !current_thread->wait_site || !host_is_alone())
        return false;
    judge->watch_polling(++polling);
    running.watched = true;
    const double half = limit->seconds / 4;
    set_timer(half < MOST_WATCH_SECONDS ? half : MOST_WATCH_SECONDS, TICK_SECONDS);
    return true;
}

/* A kernel whose threads still return gets more time, half of the limit at once and twice the limit in all: what a processor
 * does in a second differs by several times, from machine to machine and from hour to hour. */
static bool more_time(const struct time_limit *limit)
{
    if (limit_told || polling != POLLING_UNSEEN || sampler || !current_thread || limit->launching ||
        !limit->returning || halves_more == MOST_HALVES_MORE)
        return false;
    halves_more++;
    half_time.returned = schedule_returned;
    const double half = simt_get_schedule().seconds / 2;
    set_timer(half, half);
    return true;
}

void fault_time_limit(const void *site)
{
    const struct time_limit limit = {
        .seconds = simt_get_schedule().seconds * (1 + halves_more / 2.0),
        .launches = launch_last_number() - first_launch,
        .launching = half_time.taken && half_time.launch != launch_last_number(),
        .returning = half_time.taken && half_time.returned != schedule_returned,
    };
    fault_time_is_up = false;
    if (more_time(&limit) || polling_is_watched(&limit))
        return;
    set_timer(in_call && current_thread ? GRACE_SECONDS : 0, TICK_SECONDS);
    if (limit_told)
        fault_raise(ERROR_LAUNCH_TIMEOUT);
    limit_told = true;
    if (!schedule_judge_polling())
        judge->time_is_up(site, &limit);
    end_watch();
    fault_raise(ERROR_LAUNCH_TIMEOUT);
}

/* ---- signals ------------------------------------------------------------------------------------------- */

/* The innermost address in the code of a .cu file: the interrupted instruction, or else the first word on
 * the stack that looks like a return address into it. */
static const void *translated_site(const ucontext_t *state)
{
    const void *instruction = arch_instruction(state);
    if (judge->is_students((const char *)instruction + 1))
        return (const char *)instruction + 1;
    const uintptr_t *word = (const uintptr_t *)arch_stack(state);
    uintptr_t end = (uintptr_t)word + 8192;
    if (current_thread)
        end = (uintptr_t)current_thread->stack_high;
    if (current_thread && (uintptr_t)word < (uintptr_t)current_thread->stack_low)
        word = (const uintptr_t *)current_thread->stack_low; /* it overflowed */
    for (; (uintptr_t)word + sizeof *word <= end; word++) {
        if (judge->is_students((const void *)*word))
            return (const void *)*word;
    }
    return NULL;
}

static void on_tick(int signal, siginfo_t *info, void *state)
{
    (void)signal;
    (void)info;
    if (timed_thread && timed_thread != gettid()) { /* the system picks any thread */
        syscall(SYS_tgkill, getpid(), timed_thread, signal);
        return;
    }
    if (!half_time.taken) {
        half_time.taken = true;
        half_time.returned = schedule_returned;
        half_time.launch = launch_last_number();
        return;
    }
    if (!fault_time_is_up)
        set_timer(TICK_SECONDS, TICK_SECONDS);
    fault_time_is_up = true;
    const void *instruction = arch_instruction(state);
    /* Outside of translated code a lock may be held: then the next tick or switch sees that the time is up. */
    if ((current_thread || in_call) && judge->is_students((const char *)instruction + 1))
        fault_time_limit((const char *)instruction + 1);
}

/* A program's own crash, outside of calls and kernels, is no finding. */
static bool crashed_itself(int number)
{
    if (current_thread || in_call)
        return false;
    signal(number, SIG_DFL);
    raise(number);
    return true;
}

void fault_divided_by_zero(const void *site)
{
    if (crashed_itself(SIGFPE))
        return;
    judge->crash(site, SIGFPE, NULL);
    fault_raise(ERROR_LAUNCH_FAILURE);
}

static void on_crash(int signal, siginfo_t *info, void *state)
{
    if (crashed_itself(signal))
        return;
    const char *stack = (const char *)arch_stack(state);
    if (!current_thread && signal == SIGSEGV && judge->host_recursion(stack))
        fault_raise(ERROR_LAUNCH_FAILURE);
    judge->crash(translated_site(state), signal, info->si_addr);
    fault_raise(ERROR_LAUNCH_FAILURE);
}

static pthread_key_t crash_stack; /* each host thread has one */

static void drop_crash_stack(void *memory)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(memory);
}

static bool make_crash_stack(void)
{
    const size_t bytes = 256 * 1024; /* reading debug information wants room */
    stack_t stack = {.ss_sp = malloc(bytes), .ss_size = bytes};
    return stack.ss_sp && pthread_setspecific(crash_stack, stack.ss_sp) == 0 &&
           sigaltstack(&stack, NULL) == 0;
}

void fault_install(void)
{
    static bool installed;
    if (installed && pthread_getspecific(crash_stack))
        return;
    if (!installed && pthread_key_create(&crash_stack, drop_crash_stack) != 0)
        return;
    if (!make_crash_stack() || installed)
        return;
    installed = true;
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &crash, NULL);
    struct sigaction tick = {.sa_sigaction = on_tick,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigaction(SIGPROF, &tick, NULL);
}
