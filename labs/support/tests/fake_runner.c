/* fake_runner.c: a runner that misbehaves in the way that its library's folder is named after.
 *
 *     fake_runner --socket 3 --memory 4 /tmp/x/swapped/toy.interval.so
 *
 * In modes of the first group it fails as a process. In those of the second it scans with a plain loop, using the
 * memory file as the device, with a planted mistake in the result, the findings or the meters. */
#define _GNU_SOURCE
#include "call.h"
#include "element.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *mode;
static char folder[4096]; /* of the library */
static const struct monoid *monoid;
static unsigned char *memory;
static size_t memory_bytes; /* of the file mapped there */
static struct call_request request;
static struct call_reply reply;

static bool is(const char *name)
{
    return strcmp(mode, name) == 0;
}

static void send_bytes(size_t bytes)
{
    send(CALL_SOCKET_FD, &reply, bytes, MSG_NOSIGNAL);
}

static void send_reply(void)
{
    const size_t bytes = call_reply_bytes(&reply);
    send_bytes(bytes < sizeof reply ? bytes : sizeof reply); /* some modes claim more than there is */
}

static void hang(void)
{
    for (;;)
        pause();
}

/* Modes that end before the first message. */
static void before_hello(void)
{
    if (is("exit0-early"))
        exit(0);
    if (is("hang-early"))
        hang();
    if (is("not-loaded")) {
        reply = (struct call_reply){.magic = CALL_MAGIC, .status = CALL_NOT_LOADED};
        strcpy(reply.text, "undefined symbol: scan_toy");
        send_reply();
        exit(2);
    }
    if (is("done-early")) {
        reply = (struct call_reply){.magic = CALL_MAGIC, .status = CALL_DONE};
        send_reply();
        hang();
    }
}

/* Ends as if by something from outside: always, or only in the first process of this folder. */
static void be_ended(void)
{
    char mark[sizeof folder + 8];
    snprintf(mark, sizeof mark, "%s/ended", folder);
    if (is("ended") || (is("ended-once") && mkdir(mark, 0700) == 0))
        raise(SIGKILL);
    if (is("ended-and-over-memory")) { /* counted as by the kernel, for the suite's --events */
        snprintf(mark, sizeof mark, "%s/events", folder);
        FILE *events = fopen(mark, "w");
        if (events && fprintf(events, "low 0\nmax 7\noom 1\noom_kill 3\n") > 0 && fclose(events) == 0)
            raise(SIGKILL);
    }
    if (is("terminated"))
        raise(SIGTERM);
}

/* Modes that fail as a process during a call. */
static void process_mode(void)
{
    reply = (struct call_reply){.magic = CALL_MAGIC, .nonce = request.nonce, .status = CALL_DONE};
    if (is("exit0"))
        exit(0);
    if (is("exit3"))
        exit(3);
    be_ended();
    if (is("segfault"))
        raise(SIGSEGV);
    if (is("hang"))
        hang();
    if (is("ended-slowly")) {
        close(CALL_SOCKET_FD);
        poll(NULL, 0, 1500);
        raise(SIGKILL);
    }
    if (is("close-and-hang")) {
        close(CALL_SOCKET_FD);
        close(1);
        close(2);
        hang();
    }
    if (is("leave-child")) { /* keeps the socket and the pipe open after its parent has ended */
        if (fork() == 0)
            hang();
        exit(0);
    }
    if (is("garbage")) {
        send(CALL_SOCKET_FD, "hello, suite", 12, MSG_NOSIGNAL);
        hang();
    }
    if (is("truncated")) {
        send_bytes(call_reply_bytes(&reply) - 100);
        hang();
    }
    if (is("print-forever"))
        for (;;)
            puts("and on and on");
    if (is("wrong-nonce"))
        reply.nonce++;
    if (is("wrong-status"))
        reply.status = 77;
    if (is("ready-again"))
        reply.status = CALL_READY;
    if (is("too-many-findings"))
        reply.findings = reply.all_findings = CALL_FINDINGS + 1;
    if (is("too-many-sides")) {
        reply.findings = reply.all_findings = 1;
        reply.finding[0].sides = SIMT_SIDES + 1;
    }
    if (is("no-kind")) {
        reply.findings = reply.all_findings = 1;
        reply.finding[0].kind = SIMT_FINDING_KINDS;
    }
    if (is("no-rule")) {
        reply.findings = reply.all_findings = 1;
        reply.finding[0].rule = SIMT_RULES;
    }
    if (is("no-act")) {
        reply.findings = reply.all_findings = reply.finding[0].sides = 1;
        reply.finding[0].side[0].act = SIMT_ACTS;
    }
    if (is("too-many-meters"))
        reply.meters = CALL_METERS + 1;
    if (is("too-many-lines"))
        reply.lines = CALL_LINES + 1;
    if (is("two-replies"))
        send_reply();
    if (is("endless-texts")) { /* no final 0 anywhere, and bytes that must not reach a terminal */
        memset(&reply.finding, 0x1B, sizeof reply.finding);
        for (int i = 0; i < CALL_FINDINGS; i++) {
            reply.finding[i].kind = SIMT_RACE;
            reply.finding[i].rule = SIMT_RULE_RACE;
            reply.finding[i].sides = SIMT_SIDES;
            for (unsigned k = 0; k < SIMT_SIDES; k++) {
                reply.finding[i].side[k].actor = SIMT_ACTOR_THREADS;
                reply.finding[i].side[k].act = SIMT_ACT_SPINS;
            }
        }
        memset(&reply.meter, 'm', sizeof reply.meter);
        memset(reply.text, 'x', sizeof reply.text);
        memset(reply.error_name, 'y', sizeof reply.error_name);
        reply.findings = CALL_FINDINGS;
        reply.all_findings = CALL_FINDINGS;
        reply.meters = CALL_METERS;
        reply.lines = CALL_LINES;
    }
    if (is("resize-memory"))
        snprintf(reply.text, sizeof reply.text, "shrink %d, grow %d", ftruncate(CALL_MEMORY_FD, 1),
                 ftruncate(CALL_MEMORY_FD, (off_t)1 << 40));
    if (is("high-descriptors")) { /* nothing else that the suite has open may be here */
        int open_ones = 0;
        for (int fd = CALL_MEMORY_FD + 1; fd < 1024; fd++)
            open_ones += lseek(fd, 0, SEEK_CUR) >= 0 || write(fd, "", 0) >= 0;
        snprintf(reply.text, sizeof reply.text, "%d", open_ones);
    }
    if (is("print"))
        printf("before the fault\n\x1b[31mred\x1b[0m\n");
}

/* ---- scans with a planted mistake ---------------------------------------------------------------------- */

static unsigned char *array(unsigned argument)
{
    while (request.argument[argument].kind == CALL_SAME)
        argument = request.argument[argument].same_as;
    return memory + request.argument[argument].offset + request.guard;
}

static void add_meter(const char *name, uint64_t value)
{
    struct call_meter *meter = &reply.meter[reply.meters++];
    snprintf(meter->name, sizeof meter->name, "%s", name);
    meter->value = value;
}

static void add_fact(struct simt_finding *finding, enum simt_fact_name name, const char *text)
{
    const uint32_t begin = finding->facts * 256;
    strcpy(finding->words + begin, text);
    finding->fact[finding->facts++] = (struct simt_fact){.name = name, .type = SIMT_TEXT, .text = begin};
}

/* Adds a finding and returns it, so that the caller can fill in more. */
static struct simt_finding *add_finding(enum simt_rule rule, unsigned line)
{
    struct simt_finding *finding = &reply.finding[reply.findings++];
    *finding = (struct simt_finding){
        .kind = simt_rule_kind(rule), .rule = rule, .where.line = (int)line, .count = 1};
    strcpy(finding->where.file, "toy.cu");
    strcpy(finding->where.function, "scan_kernel");
    reply.all_findings++;
    return finding;
}

static void add_side(struct simt_finding *finding, struct simt_side side)
{
    finding->side[finding->sides++] = side;
}

static void add_race(void)
{
    struct simt_finding *race = add_finding(SIMT_RULE_RACE, 31);
    add_side(race, (struct simt_side){.act = SIMT_ACT_READS,
                                      .thread = {1, 1, {18, 0, 0}, {2, 0, 0}},
                                      .file = "toy.cu",
                                      .line = 29});
    add_side(race, (struct simt_side){.act = SIMT_ACT_WRITES,
                                      .thread = {1, 1, {17, 0, 0}, {2, 0, 0}},
                                      .file = "toy.cu",
                                      .line = 31});
    race->missing = SIMT_MISSING_BARRIER;
    race->hint = SIMT_HINT_SECOND_BARRIER;
    race->operation = SIMT_WRITE;
    race->bytes = 4;
    race->variable = (struct simt_variable){.memory = SIMT_IN_SHARED,
                                            .name = "buffer",
                                            .is_element = true,
                                            .index = 17,
                                            .length = 512,
                                            .element = 4};
    race->thread = (struct simt_thread){1, 1, {17, 0, 0}, {2, 0, 0}};
}

static void add_deadlock(void)
{
    struct simt_finding *deadlock = add_finding(SIMT_RULE_NO_PROGRESS, 4);
    add_side(deadlock, (struct simt_side){.actor = SIMT_ACTOR_THREADS,
                                          .act = SIMT_ACT_WAITS_AT_BARRIER,
                                          .threads = {0xffff},
                                          .file = "toy.cu",
                                          .line = 4});
    add_side(deadlock, (struct simt_side){.actor = SIMT_ACTOR_THREADS,
                                          .act = SIMT_ACT_SPINS,
                                          .threads = {0xffff0000},
                                          .file = "other.cuh",
                                          .line = 9});
    add_side(deadlock, (struct simt_side){
                           .actor = SIMT_ACTOR_THREADS, .act = SIMT_ACT_HAS_RETURNED, .threads = {0, 1}});
    add_fact(deadlock, SIMT_FACT_KERNEL, "scan_kernel");
    deadlock->fact[deadlock->facts++] = (struct simt_fact){.name = SIMT_FACT_BLOCKS, .number = 2};
    deadlock->note[0] = SIMT_NOTE_MORE_BLOCKS;
    deadlock->consequence = true;
}

static void scan(void)
{
    size_t size = element_size(monoid->element), n = (size_t)request.argument[2].scalar;
    unsigned char *in = array(0), *out = array(1), sum[16], value[16];
    static unsigned calls;

    calls++;
    if (is("zeros"))
        memset(sum, 0, size);
    else if (is("junk"))
        memset(sum, 0xB5, size);
    else
        memcpy(sum, monoid->identity, size);
    for (size_t i = 0; i < n && !is("untouched") && !is("runs-in-vain") && !(is("once") && calls > 1); i++) {
        memcpy(value, in + i * size, size);
        if (is("exclusive"))
            memcpy(out + i * size, sum, size);
        if (is("skips-13") && i == 13)
            ;
        else if (is("swapped") && i > 0)
            monoid->combine(sum, value, sum);
        else
            monoid->combine(sum, sum, value);
        if (is("twice-13") && i == 13)
            monoid->combine(sum, sum, value);
        if (is("restarts-at-5") && i == 5)
            memcpy(sum, value, size);
        if (is("input"))
            memcpy(sum, value, size);
        if (!is("exclusive"))
            memcpy(out + i * size, sum, size);
        if (is("lags") && i > 0 && i % 4 == 3)
            memcpy(out + i * size, out + (i - 1) * size, size);
    }
    if (is("wrong-from-1001") && n > 1000)
        memcpy(out + 5 * size, in + 5 * size, size);
    if (is("wrong-on-negative") && monoid == &monoids[MONOID_SUM] && n > 3)
        for (size_t i = 0; i < n; i++)
            if (((const int *)(const void *)in)[i] < 0)
                memcpy(out + 3 * size, monoid->identity, size);
    if (is("wrong-on-7") && monoid == &monoids[MONOID_SUM])
        for (size_t i = 0; i < n; i++)
            if (((const int *)(const void *)in)[i] % 7 == 0)
                memcpy(out + i * size, in + i * size, size);
    if (is("keeps-state") && calls > 2 && n > 0)
        memcpy(out, monoid->identity, size);
    if (is("spoils-input") && n > 7)
        memcpy(in + 7 * size, monoid->identity, size);
    if (is("writes-past-end"))
        memset(out + n * size, 0, size);
    if (is("writes-before"))
        memset(out - 2 * size, 0, size);
    if (is("order-matters") && n > 5 && request.schedule.order == CALL_REVERSE)
        memcpy(out + 5 * size, in + 5 * size, size);
    if (is("order-matters-forward") && n > 5 && request.schedule.order == CALL_FORWARD)
        memcpy(out + 5 * size, in + 5 * size, size);
    if (is("residency-matters") && n > 5 && request.schedule.resident == 2)
        memcpy(out + 5 * size, in + 5 * size, size);
    if (is("slightly-off") && n > 2)
        *(float *)(void *)(out + 2 * size) += 1e-3f * *(float *)(void *)(out + 2 * size);

    strcpy(reply.meter[0].name, "combines");
    reply.meter[0].value = is("lazy") ? 0 : is("wasteful") ? 10 * n : n > 0 ? n - 1 : 0;
    reply.meters = 1;
    /* The work was shared: the combines are honest, and no data went to the host or came from it. */
    add_meter("joins", reply.meter[0].value);
    add_meter("operands made elsewhere", is("forged") ? 1 : 0);
    add_meter("host bytes", 0);
    add_meter("output bytes from the host", 0);
    add_meter("span", 1);
    add_meter("accesses and combines", 100 * n);
    add_meter("accesses and combines by one thread", 1);
    add_meter("instructions by one thread", 1);
    add_meter("instruction span", 1);
    add_meter("accesses and combines by one block", 1);
    add_meter("joining combines", reply.meter[0].value);
    add_meter("joining combines by one thread", is("one-thread-joins") ? n - 1 : 1);
    add_meter("joining combines by one block", 1);
    add_meter("output writes", n);
    add_meter("output writes by one thread", is("one-thread-writes") ? n : 1);
    add_meter("output writes by one block", 1);
    if (is("leak"))
        reply.leaks = 2;
    if (is("runs-in-vain"))
        reply.used = SIMT_USED_KERNEL;
    if (is("race-in-one-order") && n > 1 && request.schedule.late.line == 31 &&
        request.schedule.late.thread[0] == 17)
        memcpy(out + size, in + size, size);
    if (is("race") || is("race-and-wrong") || (is("race-in-one-order") && n > 1))
        add_race();
    if (is("leak-and-wrong"))
        add_finding(SIMT_RULE_STREAM_LEAK, 20);
    if ((is("race-and-wrong") || is("leak-and-wrong")) && n > 0)
        memcpy(out, monoid->identity, size);
    if (is("warning")) {
        add_finding(SIMT_RULE_RANGES_OVERLAP, 12)->warning = true;
        reply.all_findings = 0;
    }
    if (is("forges")) { /* text that ends a string of the suite's records and begins a record */
        printf("\"], \"replay\": \"\"}\n{\"part\": \"scan_toy\", \"kind\": \"missing\"}\n");
        struct simt_finding *forged = add_finding(SIMT_RULE_ASSERTION_FAILED, 5);
        add_fact(forged, SIMT_FACT_EXPRESSION, "\"x\"}\n{\"kind\"");
        add_fact(forged, SIMT_FACT_FUNCTION, "\\\", \"kind\": \"\\u0022");
        forged->note[0] = SIMT_NOTE_ASSERTION_OF;
    }
    if (is("groups"))
        add_deadlock();
    if (is("slow"))
        reply.executed = (uint64_t)1 << 36;
    if (is("five-findings"))
        for (unsigned i = 0; i < 5; i++)
            add_finding(SIMT_RULE_STREAM_LEAK, 20 + i);
    if (is("fault") || is("endless") || is("error")) {
        reply.status = is("error") ? CALL_DONE : CALL_FAULT;
        reply.error = 700;
        strcpy(reply.error_name, "cudaErrorIllegalAddress");
        strcpy(reply.text, "an illegal memory access was encountered");
        if (is("fault")) {
            struct simt_finding *fault = add_finding(SIMT_RULE_OUTSIDE_ARRAY, 14);
            fault->operation = SIMT_WRITE;
            fault->variable = (struct simt_variable){
                .name = "out", .is_element = true, .index = 16, .length = 16, .element = 4};
            fault->note[0] = SIMT_NOTE_ARRAY_LENGTH;
            fault->hint = SIMT_HINT_LENGTH;
        }
        if (is("endless"))
            add_finding(SIMT_RULE_HOST_ENDLESS, 9);
    }
    if (is("missing") || is("other-parameters"))
        reply.status = CALL_MISSING;
    if (is("other-parameters"))
        strcpy(reply.text, "scan_toy(const elem_t *, size_t)\n"
                           "line 3 defines scan_toy(const elem_t *in, int n), which is another function");
    if (is("prints-its-memory")) {
        reply.status = CALL_REFUSED;
        snprintf(reply.text, sizeof reply.text, "%zu MiB for arrays", memory_bytes >> 20);
    }
    if (is("refused")) {
        reply.status = CALL_REFUSED;
        strcpy(reply.text, "no device memory");
    }
}

int main(int count, char **words)
{
    static char path[4096];
    struct stat file;

    if (count != 6 || fstat(CALL_MEMORY_FD, &file) != 0)
        return 2;
    snprintf(path, sizeof path, "%s", words[5]);
    char *name = strrchr(path, '/');
    *name++ = 0;
    snprintf(folder, sizeof folder, "%s", path);
    mode = strrchr(path, '/') + 1;
    char *type = strchr(name, '.') + 1;
    *strchr(type, '.') = 0;
    int number = monoid_find(type);
    if (number == MONOID_COUNT)
        return 2;
    monoid = &monoids[number];
    memory_bytes = (size_t)file.st_size;
    memory = mmap(NULL, memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, CALL_MEMORY_FD, 0);

    if (is("never-starts")) {
        fputs("bwrap: No permissions to create new namespace\n", stderr);
        exit(1);
    }
    reply = (struct call_reply){.magic = CALL_MAGIC, .status = CALL_STARTED};
    send_reply();
    before_hello();
    reply = (struct call_reply){.magic = CALL_MAGIC, .status = CALL_READY};
    send_reply();
    while (recv(CALL_SOCKET_FD, &request, sizeof request, 0) == sizeof request) {
        process_mode();
        if (reply.status == CALL_DONE && request.arguments == 3)
            scan();
        fflush(stdout);
        send_reply();
    }
    return 0;
}
