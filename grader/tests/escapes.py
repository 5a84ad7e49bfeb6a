"""A runner that tries to get out of the walls, and what it could do."""

import shutil
import socket
import subprocess

import pytest

from grader.tests.planted import PlantedCourse
from grader.walls.sandbox import Sandbox

# Tries to get out, and prints a line for each attempt that succeeds. $1: a secret outside, $2: a TCP port, $3: a
# descriptor that was passed to it.
ESCAPE = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void opens(const char *what, const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        printf("%s\n", what);
}

static int processes(void)
{
    int count = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));)
        count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    return count;
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    opens("read the secret", words[1], O_RDONLY);
    opens("read /etc/hostname", "/etc/hostname", O_RDONLY);
    opens("read /etc/passwd", "/etc/passwd", O_RDONLY);
    opens("read /root", "/root", O_RDONLY | O_DIRECTORY);
    opens("find a shell", "/bin/sh", O_RDONLY);
    opens("write to /", "/scan-labs-test-escape", O_WRONLY | O_CREAT);
    opens("write a file next to the library", "build/cpu/grade-ada/planted.so", O_WRONLY | O_CREAT);
    opens("change the library", "build/cpu/grade-ada/one.sum.so", O_WRONLY);
    opens("read another submission", "build/cpu/reference/one.sum.so", O_RDONLY);
    opens("read the reference", "reference/one.cu", O_RDONLY);

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(words[2]))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address) == 0)
        printf("connect to a server\n");
    if (processes() > 4)
        printf("see other processes\n");
    if (getenv("SCAN_LABS_TOKEN"))
        printf("read the environment\n");
    struct rlimit files;
    getrlimit(RLIMIT_FSIZE, &files);
    files.rlim_cur = files.rlim_max = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &files) == 0)
        printf("write files of any size\n");
    opens("set how the system dumps cores", "/proc/sys/kernel/core_pattern", O_WRONLY);
    opens("name its threads", "/proc/thread-self/comm", O_WRONLY | O_TRUNC);
    struct stat self_file;
    if (stat("/proc/self/uid_map", &self_file) == 0 && self_file.st_uid == 0)
        printf("be root\n");
    pid_t children[40];
    int started = 0;
    while (started < 40 && (children[started] = fork()) >= 0)
        if (children[started++] == 0) {
            pause();
            _exit(0);
        }
    if (started == 40)
        printf("start 40 processes\n");
    while (started-- > 0)
        kill(children[started], SIGKILL);
    while (wait(NULL) > 0)
        ;
    if (unshare(CLONE_NEWUSER) == 0)
        printf("make a user namespace\n");
    int lazy = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (mmap(NULL, (size_t)64 << 30, PROT_READ | PROT_WRITE, lazy, -1, 0) != MAP_FAILED)
        printf("get 64 GiB of memory\n");

    /* What it must be able to do. */
    if (mmap(NULL, (size_t)1 << 40, PROT_NONE, lazy, -1, 0) == MAP_FAILED)
        printf("LACKS 1 TiB of addresses\n");
    if (open("build/cpu/grade-ada/one.sum.so", O_RDONLY) < 0)
        printf("LACKS the library\n");
    char scratch[] = "/tmp/scratch-XXXXXX";
    if (mkstemp(scratch) < 0 || unlink(scratch) < 0)
        printf("LACKS /tmp\n");
    char self[200] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        printf("LACKS /proc\n");
    if (write(atoi(words[3]), "x", 1) != 1)
        printf("LACKS the descriptor that it was given\n");
    return 0;
}
"""

ATTEMPTS = {
    "read the secret",
    "read /etc/passwd",
    "find a shell",
    "write a file next to the library",
    "change the library",
    "read another submission",
    "read the reference",
    "connect to a server",
    "see other processes",
    "read the environment",
    "write files of any size",
    "name its threads",
    "start 40 processes",
}
DEPENDS = {  # these depend on the account and the machine
    "write to /",
    "read /root",
    "read /etc/hostname",
    "make a user namespace",
    "set how the system dumps cores",
    "be root",
    "get 64 GiB of memory",
}


def plant_a_runner(planted: PlantedCourse) -> PlantedCourse:
    """A course whose runner tries to get out."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is needed to make a runner")
    for name in ("build/cpu/grade-ada/one.sum.so", "build/cpu/reference/one.sum.so", "secret"):
        planted.write(name, "secret")
    source = planted.write("escape.c", ESCAPE)
    subprocess.run(["gcc", str(source), "-o", str(planted.root / "build/cpu/runner")], check=True)
    return planted


def attempts(planted: PlantedCourse, prefix: list[str]) -> set[str]:
    """What the runner could do behind the prefix."""
    with socket.create_server(("127.0.0.1", 0)) as server, open(planted.root / "given", "wb") as given:
        words = [str(planted.root / "secret"), str(server.getsockname()[1]), str(given.fileno())]
        done = subprocess.run(
            [*prefix, "build/cpu/runner", *words],
            cwd=planted.root,
            pass_fds=(given.fileno(),),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.splitlines())


def on_a_gpu(planted: PlantedCourse, sandbox: Sandbox) -> list[str]:
    """The prefix of a runner on a GPU."""
    course = planted.course
    return sandbox._run_prefix(course, "cuda", [course.built("cpu", "grade-ada"), course.runner("cpu")], cpu_seconds=10)


# The GPU's driver gives up when it cannot do these.
MAY_ON_A_GPU = {"name its threads", "start 40 processes"}


def record_a_trace(planted: PlantedCourse, made: Sandbox) -> None:
    """A runner can write the record of its trace and nothing else."""
    writes = (
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **w) {\n"
        'FILE *record = fopen(getenv("SIMT_TRACE"), "w"); if (!record || fputs("recorded", record) < 0) return 1;\n'
        'while (*++w) if (fopen(*w, "w")) puts(*w); return n < 1; }'
    )
    runner = planted.course.runner("cpu")
    subprocess.run(["gcc", str(planted.write("writes.c", writes)), "-o", str(runner)], check=True)
    beside = ["build/trace/part.record.case", "build/trace/grade-ada/one.sum.so", "build/cpu/grade-ada/one.sum.so"]
    for name in beside:
        planted.write(name, "something")
    record = planted.write("build/trace/part.record", "")
    prefix = made.runner_prefix(planted.course, "cpu", "grade-ada", 10, record)
    done = subprocess.run(
        [*prefix, "build/cpu/runner", *beside],
        cwd=planted.root,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert (done.stdout, record.read_text()) == ("", "recorded")
