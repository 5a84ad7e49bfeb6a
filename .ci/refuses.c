/* refuses WHAT... -- COMMAND: runs a command while the kernel refuses it, and all that it starts, some system calls.
 *
 *   links        symbolic links, as on a FAT file system: EPERM
 *   namespaces   new namespaces, as in a container without privileges: EPERM
 *
 * For tests on x86-64 and arm64; status 2 for a wrong call. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif
#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)

/* The offsets of a struct seccomp_data that a filter loads; arguments are compared by their lower 32 bits. */
#define NUMBER         offsetof(struct seccomp_data, nr)
#define FIRST_ARGUMENT offsetof(struct seccomp_data, args)
#define LOAD(offset)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define REFUSE(error)  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/* Skips `count` instructions when the number of the call is another one. */
#define UNLESS(call, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, (count))

static struct sock_filter links[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    UNLESS(MACHINE, 5),
    LOAD(NUMBER),
#ifdef __NR_symlink
    UNLESS(__NR_symlink, 1),
    REFUSE(EPERM),
#endif
    UNLESS(__NR_symlinkat, 1),
    REFUSE(EPERM),
    ALLOW,
    ALLOW,
    ALLOW,
};

/* clone3 keeps its flags in memory, where no filter sees them; without it, the C library calls clone. */
static struct sock_filter namespaces[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    UNLESS(MACHINE, 9),
    LOAD(NUMBER),
    UNLESS(__NR_clone3, 1),
    REFUSE(ENOSYS),
    UNLESS(__NR_unshare, 1),
    REFUSE(EPERM),
    UNLESS(__NR_clone, 3),
    LOAD(FIRST_ARGUMENT),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
    REFUSE(EPERM),
    ALLOW,
};

static int install(struct sock_filter *filter, size_t count)
{
    struct sock_fprog program = {(unsigned short)count, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#define INSTALL(filter) install(filter, sizeof filter / sizeof *filter)

int main(int argc, char **argv)
{
    int failed = 0, i = 1;

    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "links") == 0)
            failed |= INSTALL(links);
        else if (strcmp(argv[i], "namespaces") == 0)
            failed |= INSTALL(namespaces);
        else
            break;
    }
    if (i + 1 >= argc || strcmp(argv[i], "--") != 0) {
        fprintf(stderr, "refuses: call it as: refuses [links] [namespaces] -- COMMAND\n");
        return 2;
    }
    if (failed) {
        perror("refuses: the kernel takes no filter");
        return 2;
    }
    execvp(argv[i + 1], argv + i + 1);
    perror(argv[i + 1]);
    return 2;
}
