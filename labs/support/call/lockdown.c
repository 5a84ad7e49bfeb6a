/* lockdown.c: see lockdown.h. */
#define _GNU_SOURCE
#include "lockdown.h"
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Ends the whole process, because ending one thread would leave the others running. */
#define ENDS SCMP_ACT_KILL_PROCESS

static bool load_filter(scmp_filter_ctx filter, bool complete)
{
    complete = complete && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, ENDS) == 0;
    complete = complete && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return complete;
}

/* Adds a rule about one argument of a call. A call that this machine does not have needs no rule. */
static bool forbid_argument(scmp_filter_ctx filter, int call, struct scmp_arg_cmp argument)
{
    const int error = seccomp_rule_add_array(filter, ENDS, call, 1, &argument);
    return error == 0 || error == -EDOM;
}

/* The bits of a number that the kernel uses when it takes it as an int. */
static const scmp_datum_t INT_BITS = 0xffffffff;

static bool forbid_signal(scmp_filter_ctx filter, int number)
{
    const scmp_datum_t sent = (scmp_datum_t)number;
    return forbid_argument(filter, SCMP_SYS(kill), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, sent)) &&
           forbid_argument(filter, SCMP_SYS(tkill), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, sent)) &&
           forbid_argument(filter, SCMP_SYS(tgkill), SCMP_A2(SCMP_CMP_MASKED_EQ, INT_BITS, sent)) &&
           forbid_argument(filter, SCMP_SYS(rt_sigqueueinfo), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, sent)) &&
           forbid_argument(filter, SCMP_SYS(rt_tgsigqueueinfo),
                           SCMP_A2(SCMP_CMP_MASKED_EQ, INT_BITS, sent)) &&
           forbid_argument(filter, SCMP_SYS(pidfd_send_signal), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, sent));
}

/* The kernel uses the lowest byte of an exit status. */
static bool forbid_status(scmp_filter_ctx filter, int number)
{
    const scmp_datum_t status = (scmp_datum_t)(LOCKDOWN_SIGNAL_STATUS + number);
    return forbid_argument(filter, SCMP_SYS(exit), SCMP_A0(SCMP_CMP_MASKED_EQ, 0xff, status)) &&
           forbid_argument(filter, SCMP_SYS(exit_group), SCMP_A0(SCMP_CMP_MASKED_EQ, 0xff, status));
}

/* Forbids every way to close the suite's socket, so that only the end of the process closes it, and the suite can
 * wait for that. A descriptor is 32 bits of a register; the kernel ignores the others. */
static bool forbid_hanging_up(scmp_filter_ctx filter, int socket)
{
    const scmp_datum_t suite = (scmp_datum_t)socket;
    return forbid_argument(filter, SCMP_SYS(close), SCMP_A0(SCMP_CMP_MASKED_EQ, INT_BITS, suite)) &&
           forbid_argument(filter, SCMP_SYS(shutdown), SCMP_A0(SCMP_CMP_MASKED_EQ, INT_BITS, suite)) &&
           forbid_argument(filter, SCMP_SYS(dup2), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, suite)) &&
           forbid_argument(filter, SCMP_SYS(dup3), SCMP_A1(SCMP_CMP_MASKED_EQ, INT_BITS, suite)) &&
           forbid_argument(filter, SCMP_SYS(close_range), SCMP_A0(SCMP_CMP_LE, suite)) &&
           forbid_argument(filter, SCMP_SYS(close_range), SCMP_A0(SCMP_CMP_GT, INT_BITS));
}

/* Forbids calls that would make it look as if the process had been ended or stopped from outside. */
static bool forbid_forged_ends(int socket)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return false;
    bool complete = forbid_signal(filter, SIGSTOP) && forbid_hanging_up(filter, socket);
    for (size_t i = 0; i < COUNT(lockdown_outside); i++)
        complete = complete && forbid_signal(filter, lockdown_outside[i]) &&
                   forbid_status(filter, lockdown_outside[i]);
    return load_filter(filter, complete);
}

#ifdef __SIMT__

/* Allowed with any arguments. */
static const int allowed[] = {
    /* open files, and files that anyone may read */
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek),
    SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    /* memory */
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mincore),
    SCMP_SYS(mprotect),
    /* signals to the process itself, and time */
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(setitimer), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(restart_syscall), SCMP_SYS(getitimer),
    /* information about the process */
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom),
    SCMP_SYS(getrusage), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(futex),
    SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    /* the end */
    SCMP_SYS(exit), SCMP_SYS(exit_group),
    /* for the second filter, which then forbids them */
    SCMP_SYS(seccomp), SCMP_SYS(prctl)};

static bool allow(scmp_filter_ctx filter)
{
    const scmp_datum_t writes = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const scmp_datum_t self = (scmp_datum_t)getpid();
    bool complete = true;
    for (size_t i = 0; i < COUNT(allowed); i++) { /* a call that this machine does not have is not an error */
        int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
        complete &= error == 0 || error == -EDOM;
    }
    return complete &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_PRIVATE, MAP_PRIVATE)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_EQ, self)) == 0;
}

/* The C library makes these calls for streams and can handle a refusal. */
static bool refuse_quietly(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(fcntl), 0) == 0;
}

bool lockdown_before_load(int socket)
{
    const scmp_datum_t suite = (scmp_datum_t)socket;
    scmp_filter_ctx filter = forbid_forged_ends(socket) ? seccomp_init(ENDS) : NULL;
    if (!filter)
        return false;
    return load_filter(filter, allow(filter) && refuse_quietly(filter) &&
                                   seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1,
                                                    SCMP_A0(SCMP_CMP_EQ, suite)) == 0 &&
                                   seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(recvfrom), 1,
                                                    SCMP_A0(SCMP_CMP_EQ, suite)) == 0);
}

bool lockdown_after_load(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return false;
    return load_filter(filter, seccomp_rule_add(filter, ENDS, SCMP_SYS(mmap), 1,
                                                SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC)) == 0 &&
                                   seccomp_rule_add(filter, ENDS, SCMP_SYS(mprotect), 1,
                                                    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC)) == 0 &&
                                   seccomp_rule_add(filter, ENDS, SCMP_SYS(seccomp), 0) == 0 &&
                                   seccomp_rule_add(filter, ENDS, SCMP_SYS(prctl), 0) == 0);
}

#else

static const int forbidden[] = {SCMP_SYS(ptrace),
                                SCMP_SYS(process_vm_readv),
                                SCMP_SYS(process_vm_writev),
                                SCMP_SYS(bpf),
                                SCMP_SYS(keyctl),
                                SCMP_SYS(add_key),
                                SCMP_SYS(request_key),
                                SCMP_SYS(userfaultfd),
                                SCMP_SYS(io_uring_setup),
                                SCMP_SYS(io_uring_enter),
                                SCMP_SYS(io_uring_register),
                                SCMP_SYS(perf_event_open),
                                SCMP_SYS(mount),
                                SCMP_SYS(umount2),
                                SCMP_SYS(pivot_root),
                                SCMP_SYS(chroot),
                                SCMP_SYS(unshare),
                                SCMP_SYS(setns),
                                SCMP_SYS(kexec_load),
                                SCMP_SYS(init_module),
                                SCMP_SYS(finit_module),
                                SCMP_SYS(delete_module),
                                SCMP_SYS(open_by_handle_at),
                                SCMP_SYS(pidfd_getfd),
                                SCMP_SYS(fsopen),
                                SCMP_SYS(fsmount),
                                SCMP_SYS(move_mount),
                                SCMP_SYS(open_tree)};

bool lockdown_before_load(int socket)
{
    bool complete = true;
    scmp_filter_ctx filter = forbid_forged_ends(socket) ? seccomp_init(SCMP_ACT_ALLOW) : NULL;
    if (!filter)
        return false;
    for (size_t i = 0; i < COUNT(forbidden); i++) {
        int error = seccomp_rule_add(filter, ENDS, forbidden[i], 0);
        complete &= error == 0 || error == -EDOM;
    }
    /* Otherwise a process could outlive the killed runner. */
    complete &=
        seccomp_rule_add(filter, ENDS, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG)) == 0;
    /* The kernel would kill a process that lowers its limit of CPU time and then exceeds it. */
    complete &= seccomp_rule_add(filter, ENDS, SCMP_SYS(prlimit64), 2, SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU),
                                 SCMP_A2(SCMP_CMP_NE, 0)) == 0;
    complete &= forbid_argument(filter, SCMP_SYS(setrlimit), SCMP_A0(SCMP_CMP_EQ, RLIMIT_CPU));
    return load_filter(filter, complete);
}

bool lockdown_after_load(void)
{
    return true;
}

#endif
