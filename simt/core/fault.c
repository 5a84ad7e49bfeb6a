/* Faults: events that end a kernel or the host code early. A fault in a kernel jumps back to the fiber that
 * launched it; a fault in host code jumps back to simt_call. Crashes arrive as signals. Their handlers run on a
 * separate stack, because the crash may be a stack overflow. */
#define _GNU_SOURCE
#include "core/fault.h"
#include "core/arch.h"
#include "core/budget.h"
#include "core/explore.h"
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
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf call_start;
static unsigned budget_users; /* the number of simt_call and launches that are using the budget */

_Noreturn void fault_raise(int error)
{
#ifdef __SANITIZE_ADDRESS__ /* a handler's frames may be abandoned, so their poison is removed */
    stack_t handlers;
    if (sigaltstack(NULL, &handlers) == 0 && !(handlers.ss_flags & SS_DISABLE))
        __asan_unpoison_memory_region(handlers.ss_sp, handlers.ss_size);
#endif
    if (current_thread && sampler)
        schedule_drop();
    if (current_thread)
        schedule_abandon(error);
    if (host_in_call)
        siglongjmp(call_start, 1);
    host_leave_wholly(); /* functions that run at exit may wait for other host threads */
    exit(EXIT_FAILURE);
}

bool simt_call(void (*body)(void *), void *context)
{
    fault_install();
    host_in_call = true;
    judge->host_begins(__builtin_frame_address(0));
    returns_begin_host();
    fault_begin_budget();
    enum {
        BEGINS,
        FAULT,
        RETURNED
    }; /* body() also returns by a jump, because its frames may have left any values in the registers */
    const int how = sigsetjmp(call_start, 1);
    if (how == BEGINS) {
        body(context);
        siglongjmp(call_start, RETURNED);
    }
    const bool returned = how == RETURNED;
    returns_begin_host();
    host_leave_wholly();
    host_in_call = false;
    budget_stop_counting();
    budget_users = 1;
    fault_end_budget();
    return returned;
}

/* ---- the budget ---------------------------------------------------------------------------------------- */

static const suseconds_t LOOK_MICROSECONDS = 100000; /* CPU time between two checks for an empty loop */
static const int64_t UNLIMITED = INT64_MAX / 4;
static const int64_t GRACE = 1 << 20;      /* lets host code return after its kernel has spent everything */
static const int64_t MOST_WATCH = 1 << 24; /* at most, for each half of the watch over a polling kernel */

static int64_t granted;            /* instructions granted so far */
static int64_t executed;           /* instructions executed when the budget was spent */
static bool spent_told;            /* the finding has been made, but the call has not ended yet */
static uint64_t first_launch;      /* the number of the last launch that the budget does not count */
static enum polling_stage polling; /* state of the running kernel */

/* The progress when half of the budget was spent. Counters that have not moved since then may never move. */
static struct {
    bool taken;
    uint64_t returned; /* number of threads that have returned */
    uint64_t launch;   /* the number of the last launch */
} half_time;

static void grant(int64_t instructions)
{
    granted += instructions;
    budget_left += instructions;
    budget_of_turn += instructions;
}

static void look_for_empty_loops(bool on)
{
    const struct timeval interval = {.tv_usec = on ? LOOK_MICROSECONDS : 0};
    setitimer(ITIMER_PROF, &(struct itimerval){interval, interval}, NULL);
}

void fault_begin_budget(void)
{
    if (budget_users++ > 0)
        return;
    const uint64_t budget = simt_get_schedule().work;
    half_time.taken = spent_told = false;
    first_launch = launch_last_number() - !host_in_call;
    budget_left = budget_of_turn = granted = 0;
    thread_work = (struct thread_work){0};
    memset(budget_worked, 0, sizeof budget_worked);
    budget_free_polls = BUDGET_POLLS;
    grant(budget > 0 && budget < (uint64_t)UNLIMITED ? (int64_t)budget / 2 : UNLIMITED);
    if (budget > 0)
        look_for_empty_loops(true);
}

uint64_t simt_executed(void)
{
    return (uint64_t)(granted - budget_left);
}

uint64_t simt_executed_by_threads(void)
{
    return thread_work.all;
}

uint64_t simt_executed_by_busiest_thread(void)
{
    return thread_work.busiest;
}

static void end_watch(void)
{
    if (polling != POLLING_UNSEEN)
        judge->watch_polling(polling = POLLING_UNSEEN);
}

void fault_end_budget(void)
{
    if (--budget_users > 0)
        return;
    end_watch();
    if (simt_get_schedule().work > 0)
        look_for_empty_loops(false);
}

/* Lets a polling kernel run on while the checks watch it. Returns false when the watch is over or would be of no
 * use. */
static bool polling_is_watched(const struct spent *spent)
{
    if (polling == POLLING_SECOND_HALF || spent_told || !current_thread || sampler || spent->launching ||
        spent->returning || !current_thread->wait_site || !host_is_alone())
        return false;
    judge->watch_polling(++polling);
    running.watched = true;
    grant(spent->budget / 4 < MOST_WATCH ? spent->budget / 4 : MOST_WATCH);
    return true;
}

/* What the device did with more than half of the budget, if it was one kind of work. */
static void note_work(struct spent *spent)
{
    for (unsigned work = 0; work < BUDGET_WORKS && !sampler; work++)
        if (budget_worked[work].instructions > (uint64_t)spent->executed / 2) {
            spent->worked = &budget_worked[work];
            spent->work = (enum budget_work)work;
        }
}

void budget_spent(const void *site)
{
    if (!half_time.taken) {
        half_time.taken = true;
        half_time.returned = schedule_returned;
        half_time.launch = launch_last_number();
        grant(granted);
        if (budget_left >= 0)
            return;
    }
    if (polling == POLLING_UNSEEN)
        executed = granted - budget_left;
    struct spent spent = {
        .budget = (int64_t)simt_get_schedule().work,
        .executed = executed,
        .launches = launch_last_number() - first_launch,
        .launching = half_time.launch != launch_last_number(),
        .returning = half_time.returned != schedule_returned,
    };
    note_work(&spent);
    if (polling_is_watched(&spent))
        return;
    grant(GRACE - budget_left);
    if (spent_told)
        fault_raise(ERROR_LAUNCH_TIMEOUT);
    spent_told = true;
    if (!schedule_judge_polling())
        judge->budget_is_spent(site, &spent);
    end_watch();
    fault_raise(ERROR_LAUNCH_TIMEOUT);
}

/* ---- signals ------------------------------------------------------------------------------------------- */

/* The innermost code address in a .cu file: the interrupted instruction, or else the first word on the stack that
 * is a code address in such a file. */
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

/* g++ omits the hook from a block that contains nothing else. A loop of such blocks is a jump to itself and never
 * ends, so it is endless as soon as the timer finds it. */
static void on_tick(int signal, siginfo_t *info, void *state)
{
    (void)signal;
    (void)info;
    const char *instruction = arch_instruction(state);
    if (!(current_thread || host_in_call) || !judge->is_students(instruction + 1) ||
        !arch_is_empty_loop(instruction))
        return;
    if (!spent_told)
        judge->budget_is_spent(instruction + 1, &(struct spent){.empty_loop = true});
    spent_told = true;
    fault_raise(ERROR_LAUNCH_TIMEOUT);
}

/* A crash of the program outside of calls and kernels is not a finding. */
static bool crashed_itself(int number)
{
    if (current_thread || host_in_call)
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
    if (signal == SIGSEGV && explore_opens(info->si_addr))
        return;
    if (crashed_itself(signal))
        return;
    const char *stack = (const char *)arch_stack(state);
    if (!current_thread && signal == SIGSEGV && judge->host_recursion(stack))
        fault_raise(ERROR_LAUNCH_FAILURE);
    judge->crash(translated_site(state), signal, info->si_addr);
    fault_raise(ERROR_LAUNCH_FAILURE);
}

static pthread_key_t crash_stack; /* each host thread has its own */

static void drop_crash_stack(void *memory)
{
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(memory);
}

static bool make_crash_stack(void)
{
    const size_t bytes = 256 * 1024; /* reading debug information takes much stack */
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
