/* call.c: see call.h. This is the suite's side of the protocol; runner.c has the other side. */
#define _GNU_SOURCE
#include "call.h"
#include "lockdown.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LAST_WORD_MS = 2000,  /* time for a runner to end by itself after its last call */
    PRINTED_BYTES = 1024, /* the part of a submission's output that is kept */
    MAX_DESCRIPTORS = 65536,
    LOOK_MILLISECONDS = 200, /* interval between two checks of a silent process */
    SPIN_MILLISECONDS = 100  /* a timed answer is first awaited without sleeping: waking up takes time */
};

struct call_runner {
    pid_t pid; /* its process group has the same number; 0 when reaped */
    int socket, output;
    bool ready;                 /* its first two messages have been received */
    int shared[CALL_ARGUMENTS]; /* descriptors to send with the next request */
    size_t shares;
    double spin_until; /* as now() */
    unsigned char *memory;
    size_t bytes;
    size_t printed;
    char text[PRINTED_BYTES + 1];
};

/* ---- starting ---------------------------------------------------------------------------------------- */

/* Memory for both sides. Neither can change its size, because access to a file that has been shrunk kills the
 * process. */
static int memory_file(size_t bytes)
{
    int file = memfd_create("call", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -1;
    if (ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    close(file);
    return -1;
}

/* In the child: never returns. Only descriptors 0 to 4 reach the runner. */
static void become_runner(const struct call_options *options, pid_t parent, int socket, int memory,
                          int output)
{
    char socket_text[16], memory_text[16];
    size_t count = 0;
    while (options->sandbox && options->sandbox[count])
        count++;
    char *words[count + 7]; /* plus the runner's six words and null */
    if (count > 0)
        memcpy(words, options->sandbox, count * sizeof *words);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);

    /* These descriptors must not be 0 to 4, because dup2 would overwrite one that is still needed. */
    socket = fcntl(socket, F_DUPFD, 10);
    memory = fcntl(memory, F_DUPFD, 10);
    output = fcntl(output, F_DUPFD, 10);
    int nothing = open("/dev/null", O_RDONLY);
    if (socket < 0 || memory < 0 || output < 0 || nothing < 0 || dup2(nothing, 0) < 0 ||
        dup2(output, 1) < 0 || dup2(output, 2) < 0 || dup2(socket, CALL_SOCKET_FD) < 0 ||
        dup2(memory, CALL_MEMORY_FD) < 0)
        _exit(127);
    if (close_range(CALL_MEMORY_FD + 1, ~0u, 0) != 0)
        for (int fd = CALL_MEMORY_FD + 1; fd < MAX_DESCRIPTORS; fd++)
            close(fd);

    snprintf(socket_text, sizeof socket_text, "%d", CALL_SOCKET_FD);
    snprintf(memory_text, sizeof memory_text, "%d", CALL_MEMORY_FD);
    words[count++] = (char *)options->runner;
    words[count++] = "--socket";
    words[count++] = socket_text;
    words[count++] = "--memory";
    words[count++] = memory_text;
    words[count++] = (char *)options->library;
    words[count] = NULL;
    execvp(words[0], words);
    fprintf(stderr, "cannot start %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

struct call_runner *call_start(const struct call_options *options, char *why, size_t why_size)
{
    struct call_runner *runner = calloc(1, sizeof *runner);
    int memory = memory_file(options->memory), sockets[2] = {-1, -1}, output[2] = {-1, -1};
    pid_t parent = getpid();

    if (!runner || memory < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0 ||
        pipe2(output, O_CLOEXEC | O_NONBLOCK) < 0)
        goto fail;
    fcntl(output[1], F_SETFL, 0); /* the submission's end blocks as usual */
    runner->bytes = options->memory;
    runner->memory = mmap(NULL, runner->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
    if (runner->memory == MAP_FAILED)
        goto fail;

    runner->pid = fork();
    if (runner->pid < 0)
        goto fail_mapped;
    if (runner->pid == 0)
        become_runner(options, parent, sockets[1], memory, output[1]);
    setpgid(runner->pid, runner->pid); /* done on both sides, because either may be first */
    runner->socket = sockets[0];
    runner->output = output[0];
    close(sockets[1]);
    close(output[1]);
    close(memory);
    return runner;

fail_mapped:
    munmap(runner->memory, runner->bytes);
fail:
    snprintf(why, why_size, "cannot start a runner: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        if (sockets[i] >= 0)
            close(sockets[i]);
        if (output[i] >= 0)
            close(output[i]);
    }
    if (memory >= 0)
        close(memory);
    free(runner);
    return NULL;
}

unsigned char *call_memory(struct call_runner *runner)
{
    return runner->memory;
}

/* ---- waiting ----------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads the submission's output and keeps its beginning. Returns false when nothing more is available now. */
static bool drain(struct call_runner *runner)
{
    char buffer[4096];
    ssize_t got = read(runner->output, buffer, sizeof buffer);
    if (got <= 0)
        return false;
    for (ssize_t i = 0; i < got && runner->printed < PRINTED_BYTES; i++) {
        unsigned char c = (unsigned char)buffer[i];
        runner->text[runner->printed++] = (char)(c == '\n' || (c >= ' ' && c < 127) ? c : '?');
    }
    runner->text[runner->printed] = 0;
    return true;
}

/* Limited, so that a submission that prints endlessly cannot hold up the suite. */
static void drain_all(struct call_runner *runner)
{
    for (int i = 0; i < 64 && drain(runner); i++)
        ;
}

/* Has the process ended, or does it end within `milliseconds`? It is not reaped. */
static bool has_ended(const struct call_runner *runner, int milliseconds)
{
    for (;; milliseconds -= 10) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)runner->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0)
            return true;
        if (milliseconds <= 0)
            return false;
        poll(NULL, 0, 10);
    }
}

/* Kills the whole process group and reports how the runner itself ended. The outcome is right only if it has_ended. */
static enum call_outcome reap(struct call_runner *runner, char *why, size_t why_size)
{
    int status = 0;
    kill(-runner->pid, SIGKILL);
    while (waitpid(runner->pid, &status, 0) < 0 && errno == EINTR)
        ;
    runner->pid = 0;
    int code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        snprintf(why, why_size, "signal %d (%s)", code, strsignal(code));
    else if (code > LOCKDOWN_SIGNAL_STATUS && code < LOCKDOWN_SIGNAL_STATUS + NSIG) /* in a sandbox */
        snprintf(why, why_size, "exit status %d: signal %d (%s)", code, code - LOCKDOWN_SIGNAL_STATUS,
                 strsignal(code - LOCKDOWN_SIGNAL_STATUS));
    else
        snprintf(why, why_size, "exit status %d", code);
    const int number = WIFSIGNALED(status) ? code : code - LOCKDOWN_SIGNAL_STATUS;
    return lockdown_comes_from_outside(number) ? CALL_ENDED : CALL_CRASHED;
}

static void end_lines(char *text, size_t size)
{
    text[size - 1] = 0;
    for (char *c = text; *c; c++)
        if (*c != '\n' && (*c < ' ' || *c > '~'))
            *c = '?';
}

static void end_text(char *text, size_t size)
{
    end_lines(text, size);
    while ((text = strchr(text, '\n')) != NULL)
        *text = '?';
}

/* Makes any byte a valid bool. */
static void end_bool(bool *flag)
{
    unsigned char byte;
    memcpy(&byte, flag, 1);
    *flag = byte != 0;
}

static void end_place(struct simt_location *place)
{
    end_text(place->file, sizeof place->file);
    end_text(place->function, sizeof place->function);
    if (place->line < 0)
        place->line = 0;
}

static void end_variable(struct simt_variable *variable)
{
    end_text(variable->name, sizeof variable->name);
    end_bool(&variable->is_element);
    end_bool(&variable->is_huge);
    if ((unsigned)variable->memory >= SIMT_MEMORIES)
        variable->memory = SIMT_IN_OTHER;
    if (variable->length > INT64_MAX)
        variable->length = 0;
    if (variable->dimensions > sizeof variable->extent / sizeof *variable->extent)
        variable->dimensions = 0;
}

static void end_facts(struct simt_finding *finding)
{
    if (finding->facts > SIMT_FACTS)
        finding->facts = 0;
    for (unsigned i = 0; i < finding->facts; i++) {
        struct simt_fact *fact = &finding->fact[i];
        if ((unsigned)fact->name >= SIMT_FACT_KINDS || (unsigned)fact->type >= SIMT_FACT_TYPES ||
            fact->text >= sizeof finding->words)
            *fact = (struct simt_fact){.name = SIMT_FACT_NONE};
    }
    for (size_t i = 0; i < sizeof finding->words; i++) { /* several texts: a 0 between two stays */
        char *c = &finding->words[i];
        if (*c != 0 && *c != '\n' && (*c < ' ' || *c > '~'))
            *c = '?';
    }
    finding->words[sizeof finding->words - 1] = 0;
}

/* Values out of range are replaced by neutral ones. If a count of elements is out of range, the finding is invalid. */
static bool check_finding(struct simt_finding *finding)
{
    if ((unsigned)finding->kind >= SIMT_FINDING_KINDS || (unsigned)finding->rule >= SIMT_RULES ||
        finding->sides > SIMT_SIDES)
        return false;
    end_bool(&finding->warning);
    end_bool(&finding->consequence);
    end_place(&finding->where);
    end_place(&finding->other);
    for (unsigned i = 0; i < finding->sides; i++) {
        struct simt_side *side = &finding->side[i];
        if ((unsigned)side->actor >= SIMT_ACTORS || (unsigned)side->act >= SIMT_ACTS)
            return false;
        end_text(side->kernel, sizeof side->kernel);
        end_text(side->operation, sizeof side->operation);
        end_text(side->file, sizeof side->file);
        if (side->line < 0)
            side->line = 0;
    }
    if ((unsigned)finding->operation >= SIMT_OPERATIONS)
        finding->operation = SIMT_NO_ACCESS;
    if (finding->bytes > INT64_MAX)
        finding->bytes = 0;
    if ((unsigned)finding->missing >= SIMT_MISSING_KINDS)
        finding->missing = SIMT_MISSING_NONE;
    if ((unsigned)finding->hint >= SIMT_HINT_KINDS)
        finding->hint = SIMT_HINT_NONE;
    for (unsigned i = 0; i < SIMT_NOTES; i++) {
        if ((unsigned)finding->note[i] >= SIMT_NOTE_KINDS)
            finding->note[i] = SIMT_NOTE_NONE;
    }
    end_variable(&finding->variable);
    end_facts(finding);
    return true;
}

/* Makes a reply safe to read. Returns false if it cannot be a reply. */
static bool check_reply(struct call_reply *reply, size_t got, uint64_t nonce)
{
    if (got < offsetof(struct call_reply, meter) || reply->magic != CALL_MAGIC || reply->nonce != nonce ||
        reply->status > CALL_REFUSED || reply->findings > CALL_FINDINGS || reply->meters > CALL_METERS ||
        reply->lines > CALL_LINES || reply->findings > reply->all_findings + CALL_FINDINGS ||
        got != call_reply_bytes(reply))
        return false;
    end_text(reply->error_name, sizeof reply->error_name);
    end_lines(reply->text, sizeof reply->text);
    for (uint32_t i = 0; i < reply->findings; i++)
        if (!check_finding(&reply->finding[i]))
            return false;
    if (reply->explores &&
        (reply->explored.choices > SIMT_CHOICES || reply->explored.steps > SIMT_STEPS ||
         reply->explored.end >= SIMT_EXPLORED_ENDS || reply->explored.why >= SIMT_UNEXPLORED_REASONS))
        return false;
    for (uint32_t i = 0; reply->explores && i < reply->explored.steps; i++)
        end_text(reply->explored.step[i].name, sizeof reply->explored.step[i].name);
    for (uint32_t i = 0; i < reply->meters; i++)
        end_text(reply->meter[i].name, sizeof reply->meter[i].name);
    for (uint32_t i = 0; i < reply->lines; i++)
        end_text(reply->line[i].file, sizeof reply->line[i].file);
    return true;
}

/* Called when the runner's end of the socket is closed. On a busy machine this happens seconds before the process
 * and the sandbox around it end, and only the way they end shows the cause. */
static enum call_outcome hear_the_end(struct call_runner *runner, double deadline, char *why, size_t why_size)
{
    drain_all(runner);
    const double left = (deadline - now()) * 1e3;
    const bool ended = has_ended(runner, left > 0 ? (int)left : 0);
    const enum call_outcome outcome = reap(runner, why, why_size);
    if (ended)
        return outcome;
    snprintf(why, why_size, "it was closed");
    return CALL_NONSENSE;
}

/* Waits for one message. */
static enum call_outcome receive(struct call_runner *runner, uint64_t nonce, double deadline,
                                 struct call_reply *reply, char *why, size_t why_size)
{
    bool output_open = true;
    for (;;) {
        struct pollfd polls[] = {
            {.fd = runner->socket, .events = POLLIN},
            {.fd = output_open ? runner->output : -1, .events = POLLIN},
        };
        double left = (deadline - now()) * 1e3;
        if (left <= 0) {
            reap(runner, why, why_size);
            return CALL_TIMED_OUT;
        }
        const bool spins = now() < runner->spin_until;
        int ready = poll(polls, 2, spins ? 0 : left < LOOK_MILLISECONDS ? (int)left + 1 : LOOK_MILLISECONDS);
        if (ready < 0 && errno != EINTR) {
            snprintf(why, why_size, "poll: %s", strerror(errno));
            return CALL_BROKEN;
        }
        if (polls[1].revents & POLLIN)
            drain(runner);
        else if (polls[1].revents)
            output_open = false;

        if (polls[0].revents) {
            ssize_t got = recv(runner->socket, reply, sizeof *reply, MSG_DONTWAIT | MSG_TRUNC);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
                return hear_the_end(runner, deadline, why, why_size);
            if (got > 0 && check_reply(reply, (size_t)got, nonce)) {
                drain_all(runner);
                return CALL_ANSWERED;
            }
            if (got > 0) {
                reap(runner, why, why_size); /* it gets no further chance to send */
                snprintf(why, why_size, "a message of %zd bytes that is no reply", got);
                return CALL_NONSENSE;
            }
        } else if (ready == 0 && !spins &&
                   has_ended(runner, 0)) { /* a child of the runner still has the socket open */
            drain_all(runner);
            return reap(runner, why, why_size);
        }
    }
}

/* Receives the first two messages. Before the first one, a runner contains no code of the submission. So if it ends
 * earlier, it is the harness's fault, and no submission can imitate this. */
static enum call_outcome receive_hello(struct call_runner *runner, double seconds, struct call_reply *reply,
                                       char *why, size_t why_size)
{
    char how[128];
    enum call_outcome outcome = receive(runner, 0, now() + seconds, reply, how, sizeof how);
    if (outcome == CALL_CRASHED) {
        snprintf(why, why_size, "the runner did not start (%s): %s", how, runner->text);
        return CALL_BROKEN;
    }
    if (outcome == CALL_ANSWERED && reply->status == CALL_STARTED)
        outcome = receive(runner, 0, now() + seconds, reply, how, sizeof how);
    snprintf(why, why_size, "%s", how);
    if (outcome == CALL_ANSWERED && reply->status != CALL_NOT_LOADED && reply->status != CALL_READY) {
        snprintf(why, why_size, "a first message that does not say whether the library is loaded");
        return CALL_NONSENSE;
    }
    return outcome;
}

void call_share(struct call_runner *runner, const int *descriptors, size_t count)
{
    runner->shares = count < CALL_ARGUMENTS ? count : CALL_ARGUMENTS;
    memcpy(runner->shared, descriptors, runner->shares * sizeof *descriptors);
}

/* Sends the request together with the descriptors of call_share. */
static bool send_request(struct call_runner *runner, struct call_request *request)
{
    union {
        char bytes[CMSG_SPACE(sizeof runner->shared)];
        struct cmsghdr aligned;
    } control = {.bytes = {0}};
    struct iovec text = {request, sizeof *request};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    const size_t bytes = runner->shares * sizeof *runner->shared;
    if (bytes > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(bytes);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(bytes);
        memcpy(CMSG_DATA(head), runner->shared, bytes);
    }
    runner->spin_until = bytes > 0 ? now() + SPIN_MILLISECONDS * 1e-3 : 0;
    runner->shares = 0;
    return sendmsg(runner->socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

enum call_outcome call_perform(struct call_runner *runner, struct call_request *request, double seconds,
                               struct call_reply *reply, char *why, size_t why_size)
{
    enum call_outcome outcome;
    snprintf(why, why_size, "no process");
    if (runner->pid == 0)
        return CALL_BROKEN;

    runner->printed = 0;
    runner->text[0] = 0;
    if (!runner->ready) {
        outcome = receive_hello(runner, seconds, reply, why, why_size);
        if (outcome != CALL_ANSWERED || reply->status == CALL_NOT_LOADED)
            return outcome;
        runner->ready = true;
        runner->printed = 0;
        runner->text[0] = 0;
    }

    request->magic = CALL_MAGIC;
    if (getrandom(&request->nonce, sizeof request->nonce, 0) != sizeof request->nonce) {
        snprintf(why, why_size, "no random numbers: %s", strerror(errno));
        return CALL_BROKEN;
    }
    const double deadline = now() + seconds;
    if (!send_request(runner, request))
        return hear_the_end(runner, deadline, why, why_size);
    outcome = receive(runner, request->nonce, deadline, reply, why, why_size);
    if (outcome == CALL_ANSWERED && reply->status <= CALL_NOT_LOADED) {
        snprintf(why, why_size, "a reply with status %u", (unsigned)reply->status);
        return CALL_NONSENSE;
    }
    return outcome;
}

const char *call_printed(const struct call_runner *runner)
{
    return runner->text;
}

void call_stop(struct call_runner *runner)
{
    char why[64];
    if (!runner)
        return;
    if (runner->pid > 0) {
        /* A tool under which it runs may still print something. */
        shutdown(runner->socket, SHUT_RDWR);
        has_ended(runner, LAST_WORD_MS);
        reap(runner, why, sizeof why);
    }
    close(runner->socket);
    close(runner->output);
    munmap(runner->memory, runner->bytes);
    free(runner);
}
