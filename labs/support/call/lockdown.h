/* lockdown.h: restricts the system calls of the runner once a submission's code is in its process.
 *
 * A filter of system calls (seccomp) is installed in two steps, because loading a library needs calls that its code
 * may not make. A forbidden call ends the process with SIGSYS. The filters cannot be removed, also hold in child
 * processes, and work with or without a sandbox around the process.
 *
 * On the CPU device the filter is a list of allowed calls: reading files, private memory, timers, signals to
 * itself, and messages on the suite's socket. So no process, thread, socket, file, shared memory or executable
 * memory can be created. The CUDA driver needs threads, devices and files, so there it is a list of forbidden
 * calls: access to other processes, namespaces, mounts, and other privileged interfaces of the kernel.
 *
 * On both devices no code can end the process by a signal of lockdown_comes_from_outside, nor by an exit status
 * that a sandbox would report for one. So if a runner ends in such a way, something else ended it. The code cannot
 * close the suite's socket either: if the socket is closed, the process ends. */
#ifndef LABS_LOCKDOWN_H
#define LABS_LOCKDOWN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* A shell, bubblewrap and the fence report a child that a signal ended by this number plus the signal's number. */
enum { LOCKDOWN_SIGNAL_STATUS = 128 };

/* Signals that an administrator, a batch system or a kernel that is out of memory sends. */
static const int lockdown_outside[] = {SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM};

static inline bool lockdown_comes_from_outside(int number)
{
    for (size_t i = 0; i < sizeof lockdown_outside / sizeof *lockdown_outside; i++)
        if (lockdown_outside[i] == number)
            return true;
    return false;
}

/* Called before the library is loaded, so that its constructors are restricted. `socket` is the suite's. Returns
 * false when the kernel does not support such a filter. */
bool lockdown_before_load(int socket);

/* Called after loading: from then on no more memory becomes executable. */
bool lockdown_after_load(void);

#endif
