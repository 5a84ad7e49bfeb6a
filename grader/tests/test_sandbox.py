"""The walls: what a runner cannot do inside that it can do outside."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from grader.errors import GraderFault
from grader.sandbox import FIRST_USER, INSIDE, USERS, Sandbox, find_sandbox, suite_argument
from grader.tests.planted import PlantedCourse

# Tries to get out; prints a line for each attempt that succeeds. $1: the outside's secret, $2: a TCP port,
# $3: a descriptor that it was given.
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
    opens("write beside the library", "build/cpu/grade-ada/planted.so", O_WRONLY | O_CREAT);
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
    "write beside the library",
    "change the library",
    "read another submission",
    "read the reference",
    "connect to a server",
    "see other processes",
    "read the environment",
    "write files of any size",
    "start 40 processes",
}
DEPENDS = {  # on the account and the machine
    "write to /",
    "read /root",
    "read /etc/hostname",
    "make a user namespace",
    "set how the system dumps cores",
    "be root",
    "get 64 GiB of memory",
}


@pytest.fixture
def escape(planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch) -> PlantedCourse:
    """A course whose runner tries to get out."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is needed to make a runner")
    monkeypatch.setenv("SCAN_LABS_TOKEN", "secret")
    for name in ("build/cpu/grade-ada/one.sum.so", "build/cpu/reference/one.sum.so", "secret"):
        planted.write(name, "secret")
    source = planted.write("escape.c", ESCAPE)
    subprocess.run(["gcc", str(source), "-o", str(planted.root / "build/cpu/runner")], check=True)
    return planted


def attempts(planted: PlantedCourse, prefix: list[str]) -> set[str]:
    """What the runner managed to do behind the prefix."""
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


def test_the_runner_cannot_get_out(escape: PlantedCourse, sandbox: Sandbox) -> None:
    prefix = sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10)
    # With bubblewrap alone; the runner's own filter of system calls forbids it too.
    allowed = {"make a user namespace"} if sandbox.setpriv or not sandbox.has_disable_userns else set()
    if os.geteuid() == 0 and not sandbox.setpriv:
        allowed.add("start 40 processes")  # no limit counts for root; the filter forbids even one
    assert attempts(escape, prefix) <= allowed


def test_what_root_locks_in_is_a_user_of_its_own(escape: PlantedCourse, sandbox: Sandbox) -> None:
    if not sandbox.setpriv:
        pytest.skip("only root can become somebody else")
    runner = escape.write("user.c", '#include <stdio.h>\n#include <unistd.h>\nint main() { printf("%d", getuid()); }')
    subprocess.run(["gcc", str(runner), "-o", str(escape.root / "build/cpu/runner")], check=True)
    users = [
        subprocess.run(
            [*sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10), "build/cpu/runner"],
            cwd=escape.root,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert all(FIRST_USER <= int(user) < FIRST_USER + USERS for user in users)
    assert users[0] != users[1]


def test_a_race_sees_the_two_that_run_and_nothing_else(escape: PlantedCourse, sandbox: Sandbox) -> None:
    opens = '#include <stdio.h>\nint main(int n, char **w) { while (*++w) if (fopen(*w, "r")) puts(*w); return n < 1; }'
    bench = escape.course.bench
    subprocess.run(["gcc", str(escape.write("opens.c", opens)), "-o", str(bench)], check=True)
    seen = ["build/cpu/reference/one.sum.so", "build/cpu/grade-ada/one.sum.so"]
    unseen = ["build/cpu/grade-bob/one.sum.so", "reference/one.cu", "build/grade/ada/results.json"]
    for name in (*seen, *unseen):
        escape.write(name, "something")
    done = subprocess.run(
        [*sandbox.race_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10), "build/bin/bench", *seen, *unseen],
        cwd=escape.root,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.splitlines() == seen


def test_outside_the_same_runner_can_do_all_that(escape: PlantedCourse) -> None:
    try:
        assert ATTEMPTS <= attempts(escape, []) <= ATTEMPTS | DEPENDS
    finally:
        Path("/scan-labs-test-escape").unlink(missing_ok=True)


def test_a_suite_can_split_the_prefix(escape: PlantedCourse, sandbox: Sandbox, tmp_path: Path) -> None:
    spaced = tmp_path / "a course with spaces"
    escape.root.rename(spaced)
    moved = PlantedCourse(spaced)
    subprocess.run(["gcc", str(spaced / "escape.c"), "-o", str(spaced / "build/cpu/runner")], check=True)
    prefix = sandbox.runner_prefix(moved.course, "cpu", "grade-ada", cpu_seconds=10)
    assert suite_argument(prefix).split() == prefix
    assert f"{INSIDE}/build/cpu/runner" in prefix
    assert not any(str(spaced) in word for word in prefix)


def test_a_word_that_would_be_split_is_refused() -> None:
    with pytest.raises(GraderFault, match="a word that a suite would split: 'two words'"):
        suite_argument(["bwrap", "two words"])


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_sandbox() == "bubblewrap is not installed; try: make setup"


def test_a_bubblewrap_that_does_not_work_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = find_sandbox()
    assert isinstance(found, str)
    assert found.startswith("bubblewrap does not work here: bwrap: No permissions to create new namespace; unpriv")
