#define _GNU_SOURCE
#include "checks/rerun.h"
#include "core/budget.h"
#include "core/observer.h"
#include "core/settings.h"
#include "core/shared.h"
#include "simt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_SHAPES =
        128 /* only so many launches of different shapes get a copy, because each copy costs a fork */
};

/* As a float, these are -1.4e-6, 8.5e37 and 0; as an int, they are negative, positive and 0. The first is the program's own. */
static const unsigned char junks[] = {MEMORY_JUNK, 0x7E, 0x00};
enum { RUNS = sizeof junks / sizeof *junks };

static bool enabled;

/* A debugger follows one process. */
static bool is_debugged(void)
{
    char line[64];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "re");
    while (status && tracer == 0 && fgets(line, sizeof line, status))
        sscanf(line, "TracerPid: %d", &tracer);
    if (status)
        fclose(status);
    return tracer != 0;
}

void simt_rerun_junk(void)
{
    enabled = setting_is_on("SIMT_CHECKS", true) && !getenv("SIMT_TRACE") && !is_debugged();
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

static bool connect_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

static bool receive(int from, void *to, size_t bytes)
{
    ssize_t got;
    do
        got = read(from, to, bytes);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)bytes;
}

/* Without a reader nothing happens: the answer that does not come says so. */
static void send_to(int to, const void *from, size_t bytes)
{
    ssize_t sent;
    do
        sent = send(to, from, bytes, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
}

static void reap(pid_t process)
{
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* ---- the digest of a run, in a process of its own ---------------------------------------------------------------- */

static struct {
    bool on;
    int to; /* the socket that takes the outcome */
    int printed;
    struct outcome {
        uint64_t digest, instructions;
    } is;
    uint64_t most;      /* instructions: a run that takes more does not do the same */
    const char *stored; /* where the last access is about to store; null: nowhere that counts */
    size_t bytes;
} run;

static void mix(uint64_t value)
{
    const uint64_t prime = 0x9E3779B97F4A7C15;
    run.is.digest = (run.is.digest << 7 | run.is.digest >> 57) ^ value;
    run.is.digest *= prime;
}

static void mix_bytes(const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        mix((unsigned char)from[i]);
}

static void mix_stored(void)
{
    if (run.stored)
        mix_bytes(run.stored, run.bytes);
    run.stored = NULL;
}

static void mix_block(unsigned instructions)
{
    mix(instructions);
    run.is.instructions += instructions;
    if (run.is.instructions > run.most)
        _exit(1);
}

static bool is_running(void)
{
    return run.on;
}

static void see(const struct access *access)
{
    mix_stored();
    mix((uintptr_t)access->site);
    mix((uintptr_t)access->address);
    mix(access->bytes << 16 | access->kind);
    if (access->kind & ACCESS_WRITE && access->space != MEMORY_SHARED && access->space != MEMORY_LOCAL) {
        run.stored = access->address;
        run.bytes = access->bytes;
    }
}

static _Noreturn void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch;
    char printed[4096];
    mix_stored();
    mix(faulted);
    fflush(stdout);
    lseek(run.printed, 0, SEEK_SET);
    for (ssize_t got; (got = read(run.printed, printed, sizeof printed)) > 0;)
        mix_bytes(printed, (size_t)got);
    send_to(run.to, &run.is, sizeof run.is);
    _exit(0);
}

const struct observer rerun_observer = {
    .name = "rerun", .wanted = is_running, .access = see, .end_launch = end_launch};

static void begin_run(unsigned char junk, uint64_t most, int to)
{
    run.printed = memfd_create("printed", MFD_CLOEXEC);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (run.printed < 0 || nothing < 0)
        _exit(1);
    __fpurge(stdout); /* what the program itself has printed */
    dup2(run.printed, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    run.to = to;
    run.most = most;
    run.on = true;
    shared_junk = junk;
    simt_check(false); /* and with it observers are chosen again */
    budget_set_meter(mix_block);
}

/* ---- the copy that waits ----------------------------------------------------------------------------------------- */

/* Returns in the processes that run the launch again. The first of them does what the program did. */
static void wait_and_run(int program)
{
    char order;
    struct outcome first = {.instructions = UINT64_MAX}, other;
    bool same = true;
    if (!receive(program, &order, 1))
        _exit(0);
    for (unsigned i = 0; i < RUNS && same; i++) {
        int ends[2];
        if (!connect_pair(ends))
            _exit(1);
        const pid_t process = fork();
        if (process == 0) {
            begin_run(junks[i], first.instructions, ends[1]);
            return;
        }
        close(ends[1]);
        same =
            process > 0 && receive(ends[0], &other, sizeof other) && (i == 0 || other.digest == first.digest);
        if (i == 0)
            first = other;
        close(ends[0]);
        if (process > 0)
            reap(process);
    }
    send_to(program, &same, 1);
    _exit(0);
}

/* ---- the program's own process ----------------------------------------------------------------------------------- */

static struct {
    pid_t process; /* 0: none */
    int socket;
} copy;

/* A copy has one thread only, and waits forever for a lock that another thread of the program held. */
static bool has_one_thread(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned count = 0;
    while (tasks && readdir(tasks))
        count++;
    if (tasks)
        closedir(tasks);
    return count == 3; /* and . and .. */
}

static bool is_new_shape(const struct launch_request *request)
{
    static struct {
        const void *kernel;
        struct index3 grid, block;
        size_t dynamic_bytes;
    } seen[MOST_SHAPES];
    static size_t used;
    for (size_t i = 0; i < used; i++)
        if (seen[i].kernel == request->body && seen[i].dynamic_bytes == request->dynamic_bytes &&
            memcmp(&seen[i].grid, &request->grid, sizeof seen[i].grid) == 0 &&
            memcmp(&seen[i].block, &request->block, sizeof seen[i].block) == 0)
            return false;
    if (used == MOST_SHAPES)
        return false;
    seen[used].kernel = (const void *)request->body;
    seen[used].grid = request->grid;
    seen[used].block = request->block;
    seen[used++].dynamic_bytes = request->dynamic_bytes;
    return true;
}

void rerun_prepare(const struct launch_request *request, size_t static_shared_bytes)
{
    int ends[2];
    rerun_dismiss(); /* a launch that was refused after this left its copy */
    if (!enabled || run.on || static_shared_bytes + request->dynamic_bytes == 0 || !is_new_shape(request) ||
        !has_one_thread() || !connect_pair(ends))
        return;
    copy.process = fork();
    if (copy.process == 0) {
        close(ends[0]);
        wait_and_run(ends[1]);
        return;
    }
    close(ends[1]);
    copy.socket = ends[0];
    if (copy.process < 0)
        rerun_dismiss();
}

bool rerun_is_possible(void)
{
    return copy.process > 0;
}

bool rerun_does_the_same(void)
{
    bool same = false;
    send_to(copy.socket, "", 1);
    return receive(copy.socket, &same, 1) && same;
}

void rerun_dismiss(void)
{
    if (!copy.process)
        return;
    close(copy.socket);
    if (copy.process > 0)
        reap(copy.process);
    copy.process = 0;
}
