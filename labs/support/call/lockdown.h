/* lockdown.h: what the runner may still ask of the kernel once a submission's code is in its process.
 *
 * A filter of system calls (seccomp), in two steps because loading a library needs what its code may not have.
 * What is not allowed ends the process with SIGSYS. The filters cannot be taken off again, and they hold in
 * any process that this one would start. They stand with and without a sandbox around the process.
 *
 * On the CPU device the filter is a list of what is allowed: reading files, memory of its own, timers, signals
 * to itself, and messages on the suite's socket. So no process, thread, socket, file, shared or executable
 * memory can be made. The CUDA driver needs threads, devices and files, so there it is a list of what is
 * forbidden: looking into other processes, namespaces, mounts, and the kernel's other doors.
 *
 * On both devices no code can end the process by a signal of lockdown_comes_from_outside, nor by an exit status that a sandbox
 * would report for one. When a runner ends in such a way, something else ended it. Nor can it close the suite's socket: when
 * that is closed, the process ends. */
#ifndef LABS_LOCKDOWN_H
#define LABS_LOCKDOWN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* A shell, bubblewrap and the fence report a child that a signal ended by this and the signal's number. */
enum { LOCKDOWN_SIGNAL_STATUS = 128 };

/* The signals that an administrator, a batch system or a kernel without memory sends. */
static const int lockdown_outside[] = {SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM};

static inline bool lockdown_comes_from_outside(int number)
{
    for (size_t i = 0; i < sizeof lockdown_outside / sizeof *lockdown_outside; i++)
        if (lockdown_outside[i] == number)
            return true;
    return false;
}

/* Before the library is loaded: code of a constructor is bound by it. `socket` is the suite's. False when the
 * kernel has no such filter. */
bool lockdown_before_load(int socket);

/* After it: nothing more becomes executable. */
bool lockdown_after_load(void);

#endif
