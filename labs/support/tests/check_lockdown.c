/* check_lockdown.c: which calls the runner's filter ends the process for, and which it allows. */
#define _GNU_SOURCE
#include "closing_check.h"
#include "lockdown.h"
#include <check.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SUITE = 3, OTHER = 4, FINE = 42 }; /* two sockets, and the exit status of a child that was allowed */

struct attempt {
    const char *what;
    void (*make)(void);
};

static void *nothing(void *argument)
{
    return argument;
}

static void start_process(void)
{
    fork();
}

static void start_process_by_vfork(void)
{
    if (syscall(SYS_vfork) == 0)
        _exit(0);
}

static void start_program(void)
{
    execl("/bin/true", "true", (char *)NULL);
}

static void start_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
}

static void outlive_the_parent(void)
{
    prctl(PR_SET_PDEATHSIG, 0);
}

static void trace_pid_1(void)
{
    ptrace(PTRACE_ATTACH, 1, 0, 0);
}

static void read_another_process(void)
{
    char byte;
    struct iovec here = {&byte, 1};
    process_vm_readv(1, &here, 1, &here, 1, 0);
}

static void kill_the_parent(void)
{
    kill(getppid(), SIGCONT);
}

static void open_for_writing(void)
{
    open("/dev/null", O_WRONLY);
}

static void open_for_both(void)
{
    open("/proc/sys/kernel/core_pattern", O_RDWR);
}

static void create_file(void)
{
    open("/tmp", O_TMPFILE | O_RDONLY, 0600);
}

static void make_memory_file(void)
{
    memfd_create("hoard", 0);
}

static void make_socket(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}

static void send_elsewhere(void)
{
    send(OTHER, "x", 1, 0);
}

static void hang_up_on_the_suite(void)
{
    close(SUITE);
}

static void hang_up_by_a_wide_number(void)
{
    syscall(SYS_close, SUITE | 1ull << 32);
}

static void share_memory(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void map_code(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void make_executable(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static void make_namespace(void)
{
    unshare(CLONE_NEWUSER);
}

static void make_ring(void)
{
    struct io_uring_params parameters = {0};
    syscall(SYS_io_uring_setup, 1, &parameters);
}

static void load_program_into_kernel(void)
{
    syscall(SYS_bpf, 0, NULL, 0);
}

static void handle_page_faults(void)
{
    syscall(SYS_userfaultfd, 0);
}

static void raise_a_limit(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void set_a_timer_of_its_own(void)
{
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
}

static void filter_again(void)
{
    syscall(SYS_seccomp, 1, 0, NULL);
}

static void kill_itself(void)
{
    kill(getpid(), SIGKILL);
}

static void raise_a_kill(void)
{
    raise(SIGKILL);
}

static void hang_up(void)
{
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGHUP);
}

static void exit_as_if_killed(void)
{
    _exit(LOCKDOWN_SIGNAL_STATUS + SIGKILL);
}

static void exit_as_if_killed_by_a_wide_status(void)
{
    syscall(SYS_exit_group, -256 + LOCKDOWN_SIGNAL_STATUS + SIGKILL);
}

static const struct attempt forbidden[] = {
    {"kill", kill_itself},
    {"raise(SIGKILL)", raise_a_kill},
    {"SIGHUP", hang_up},
    {"the exit status of a kill", exit_as_if_killed},
    {"the same in its low byte", exit_as_if_killed_by_a_wide_status},
    {"fork", start_process},
    {"vfork", start_process_by_vfork},
    {"execve", start_program},
    {"a thread", start_thread},
    {"PR_SET_PDEATHSIG", outlive_the_parent},
    {"ptrace", trace_pid_1},
    {"process_vm_readv", read_another_process},
    {"a signal to another process", kill_the_parent},
    {"a file opened for writing", open_for_writing},
    {"a kernel setting opened for writing", open_for_both},
    {"a new file", create_file},
    {"memfd_create", make_memory_file},
    {"socket", make_socket},
    {"a message on another socket", send_elsewhere},
    {"the suite's socket closed", hang_up_on_the_suite},
    {"the same in its low bits", hang_up_by_a_wide_number},
    {"shared memory", share_memory},
    {"new code", map_code},
    {"data made executable", make_executable},
    {"unshare", make_namespace},
    {"io_uring", make_ring},
    {"bpf", load_program_into_kernel},
    {"userfaultfd", handle_page_faults},
    {"setrlimit", raise_a_limit},
    {"timer_create", set_a_timer_of_its_own},
    {"seccomp", filter_again},
};

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* Returns how a child that makes the attempt ends, with or without the filters. */
static int outcome(void (*make)(void), bool locked)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int sockets[2];
        socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets);
        dup2(sockets[0], SUITE);
        dup2(sockets[1], OTHER);
        if (locked && !(lockdown_before_load(SUITE) && lockdown_after_load()))
            _exit(1);
        make();
        _exit(FINE);
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

START_TEST(what_a_kernel_has_no_use_for_ends_the_process)
{
    int status = outcome(forbidden[_i].make, true);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS, "%s: status %x", forbidden[_i].what,
                  status);
}
END_TEST

/* Without the filters nothing ends by SIGSYS, so it is the filters that end the process. */
START_TEST(without_the_filters_it_does_not)
{
    int status = outcome(forbidden[_i].make, false);
    ck_assert_msg(!(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS), "%s: status %x", forbidden[_i].what,
                  status);
}
END_TEST

static void check(bool good)
{
    if (!good)
        _exit(1);
}

static void read_a_file(void)
{
    char byte;
    int file = open("/proc/self/exe", O_RDONLY);
    check(file >= 0 && read(file, &byte, 1) == 1 && close(file) == 0);
}

static void take_memory(void)
{
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    check(page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0);
    page[0] = 1;
    void *block = malloc(64 << 20);
    check(block && munmap(page, 4096) == 0);
    free(block);
}

static void talk_to_the_suite(void)
{
    check(send(SUITE, "x", 1, MSG_NOSIGNAL) == 1);
}

static void caught(int signal)
{
    (void)signal;
    _exit(FINE);
}

static void catch_a_fault(void)
{
    struct sigaction action = {.sa_handler = caught};
    check(sigaction(SIGSEGV, &action, NULL) == 0);
    raise(SIGSEGV);
    _exit(1);
}

static void watch_the_time(void)
{
    struct itimerval second = {.it_value = {.tv_sec = 1}};
    struct timespec now;
    check(setitimer(ITIMER_PROF, &second, NULL) == 0 && clock_gettime(CLOCK_MONOTONIC, &now) == 0);
}

static void end_by_a_status(void)
{
    _exit(FINE);
}

static const struct attempt granted[] = {
    {"another exit status", end_by_a_status},
    {"a file read", read_a_file},
    {"memory", take_memory},
    {"the suite's socket", talk_to_the_suite},
    {"a handler of faults", catch_a_fault},
    {"clocks", watch_the_time},
};

START_TEST(what_the_device_needs_goes_on)
{
    int status = outcome(granted[_i].make, true);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == FINE, "%s: status %x", granted[_i].what,
                  status);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lockdown");
    TCase *tests = tcase_create("lockdown");
    tcase_add_loop_test(tests, what_a_kernel_has_no_use_for_ends_the_process, 0, COUNT(forbidden));
    tcase_add_loop_test(tests, without_the_filters_it_does_not, 0, COUNT(forbidden));
    tcase_add_loop_test(tests, what_the_device_needs_goes_on, 0, COUNT(granted));
    suite_add_tcase(suite, tests);
    return closing_run("lockdown", srunner_create(suite));
}
