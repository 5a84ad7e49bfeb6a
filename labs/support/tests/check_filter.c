/* check_filter.c: reads the runner's filter of system calls as the kernel would, for each machine that it is
 * compiled for, even if an emulator without such filters runs this test. check_lockdown.c tries the real filter. */
#define _GNU_SOURCE
#include "closing_check.h"
#include "lockdown.h"
#include <check.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SUITE = 3, OTHER = 4, MOST = 4096 /* instructions of both filters */ };

#ifdef __x86_64__
enum { HERE = AUDIT_ARCH_X86_64, ELSEWHERE = AUDIT_ARCH_I386 };
#else
enum { HERE = AUDIT_ARCH_AARCH64, ELSEWHERE = AUDIT_ARCH_ARM };
#endif

enum { FILTERS = 2 };

static struct filter {
    struct sock_filter program[MOST];
    size_t length;
} filters[FILTERS];
static size_t loaded;

/* Replaces the library's function: see labs/support/tests/tests.mk. */
int __wrap_seccomp_load(const scmp_filter_ctx filter);
int __wrap_seccomp_load(const scmp_filter_ctx filter)
{
    int file = memfd_create("filter", 0);
    ck_assert_int_eq(seccomp_export_bpf(filter, file), 0);
    ck_assert_int_eq(lseek(file, 0, SEEK_SET), 0);
    ck_assert_uint_lt(loaded, FILTERS);
    struct filter *to = &filters[loaded++];
    to->length = (size_t)read(file, to->program, sizeof to->program) / sizeof *to->program;
    close(file);
    return 0;
}

/* Returns a filter's answer to a call. It understands only the instructions of such filters. */
static uint32_t ask(const struct filter *filter, const struct seccomp_data *data)
{
    uint32_t a = 0;
    for (size_t at = 0; at < filter->length; at++) {
        const struct sock_filter *is = &filter->program[at];
        bool taken = true;
        switch (is->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            memcpy(&a, (const char *)data + is->k, sizeof a);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            a &= is->k;
            continue;
        case BPF_RET | BPF_K:
            return is->k;
        case BPF_JMP | BPF_JA:
            at += is->k;
            continue;
        case BPF_JMP | BPF_JEQ | BPF_K:
            taken = a == is->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            taken = a > is->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            taken = a >= is->k;
            break;
        default:
            ck_abort_msg("instruction %zu is none that this knows: %#x", at, is->code);
        }
        at += taken ? is->jt : is->jf;
    }
    ck_abort_msg("the filter has no end");
}

/* If there are several filters, the strictest answer decides. */
static uint32_t judge(const struct seccomp_data *data)
{
    ck_assert_uint_gt(loaded, 0);
    for (size_t i = 0; i < loaded; i++) {
        const uint32_t answer = ask(&filters[i], data);
        if (answer != SECCOMP_RET_ALLOW)
            return answer;
    }
    return SECCOMP_RET_ALLOW;
}

struct call {
    const char *what;
    uint32_t machine;
    int number;
    uint64_t arguments[3];
    uint32_t answer;
};

static void expect(const struct call *call)
{
    struct seccomp_data data = {.nr = call->number, .arch = call->machine};
    memcpy(data.args, call->arguments, sizeof call->arguments);
    const uint32_t answer = judge(&data);
    ck_assert_msg(answer == call->answer, "%s: the filter answers %#x, expected %#x", call->what, answer,
                  call->answer);
}

#define ALLOW SECCOMP_RET_ALLOW
#define ENDS  SECCOMP_RET_KILL_PROCESS

START_TEST(before_the_library_is_loaded)
{
    const uint64_t self = (uint64_t)getpid();
    const struct call calls[] = {
        {"read", HERE, SYS_read, {OTHER}, ALLOW},
        {"mincore", HERE, SYS_mincore, {0}, ALLOW},
        {"sigaltstack", HERE, SYS_sigaltstack, {0}, ALLOW},
        {"setitimer", HERE, SYS_setitimer, {0}, ALLOW},
        {"return from a signal", HERE, SYS_rt_sigreturn, {0}, ALLOW},
        {"open to read", HERE, SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC}, ALLOW},
        {"open to write", HERE, SYS_openat, {0, 0, O_WRONLY}, ENDS},
        {"create", HERE, SYS_openat, {0, 0, O_RDONLY | O_CREAT}, ENDS},
        {"answer the suite", HERE, SYS_sendto, {SUITE}, ALLOW},
        {"talk to somebody else", HERE, SYS_sendto, {OTHER}, ENDS},
        {"hang up on the suite", HERE, SYS_close, {SUITE}, ENDS},
        {"the same with other bits", HERE, SYS_close, {SUITE | 1ull << 32}, ENDS},
        {"close another file", HERE, SYS_close, {OTHER}, ALLOW},
        {"a socket", HERE, SYS_socket, {0}, ENDS},
        {"a process", HERE, SYS_clone, {0}, ENDS},
        {"a process in the new way", HERE, SYS_clone3, {0}, ENDS},
        {"a program", HERE, SYS_execve, {0}, ENDS},
        {"look into another process", HERE, SYS_ptrace, {0}, ENDS},
        {"a signal to itself", HERE, SYS_kill, {self, SIGABRT}, ALLOW},
        {"SIGKILL to itself", HERE, SYS_kill, {self, SIGKILL}, ENDS},
        {"SIGSTOP to itself", HERE, SYS_tgkill, {self, self, SIGSTOP}, ENDS},
        {"SIGTERM with other bits", HERE, SYS_kill, {self, SIGTERM | 1ull << 32}, ENDS},
        {"the exit status of SIGKILL", HERE, SYS_exit_group, {137}, ENDS},
        {"the same with other bits", HERE, SYS_exit, {0x1200 + 137}, ENDS},
        {"an exit status", HERE, SYS_exit_group, {139}, ALLOW},
        {"a signal to its parent", HERE, SYS_kill, {self - 1}, ENDS},
        {"a signal to all", HERE, SYS_kill, {UINT64_MAX}, ENDS},
        {"io_uring", HERE, SYS_io_uring_setup, {0}, ENDS},
        {"userfaultfd", HERE, SYS_userfaultfd, {0}, ENDS},
        {"a call of the machine's older mode", ELSEWHERE, SYS_read, {0}, ENDS},
    };
    ck_assert(lockdown_before_load(SUITE));
    expect(&calls[_i]);
}
END_TEST

START_TEST(shared_memory_is_none_of_its_business)
{
    ck_assert(lockdown_before_load(SUITE));
    struct seccomp_data data = {
        .nr = SYS_mmap, .arch = HERE, .args = {0, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS}};
    ck_assert_uint_eq(judge(&data), ALLOW);
    data.args[3] = MAP_SHARED | MAP_ANONYMOUS;
    ck_assert_uint_eq(judge(&data), ENDS);
}
END_TEST

START_TEST(after_the_library_is_loaded)
{
    const struct call calls[] = {
        {"memory", HERE, SYS_mmap, {0, 1, PROT_READ | PROT_WRITE}, ALLOW},
        {"memory for code", HERE, SYS_mmap, {0, 1, PROT_READ | PROT_EXEC}, ENDS},
        {"pages of memory", HERE, SYS_mprotect, {0, 1, PROT_READ | PROT_WRITE}, ALLOW},
        {"memory turned to code", HERE, SYS_mprotect, {0, 1, PROT_EXEC}, ENDS},
        {"another filter", HERE, SYS_seccomp, {0}, ENDS},
        {"prctl", HERE, SYS_prctl, {0}, ENDS},
    };
    ck_assert(lockdown_after_load());
    expect(&calls[_i]);
}
END_TEST

int main(void)
{
    seccomp_api_set(3); /* as if the kernel had what the filters need, which Linux has since 4.14 */
    Suite *suite = suite_create("filter");
    TCase *tests = tcase_create("filter");
    tcase_add_loop_test(tests, before_the_library_is_loaded, 0, 30);
    tcase_add_test(tests, shared_memory_is_none_of_its_business);
    tcase_add_loop_test(tests, after_the_library_is_loaded, 0, 6);
    suite_add_tcase(suite, tests);
    return closing_run("filter", srunner_create(suite));
}
