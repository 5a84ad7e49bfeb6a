"""The walls: what a runner cannot do inside although it can do it outside."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from grader.model.errors import GraderFault
from grader.tests.planted import PlantedCourse
from grader.walls.confine import CLOSES_TCP, landlock_version
from grader.walls.sandbox import DRIVER, FIRST_USER, INSIDE, USERS, Fence, Sandbox, find_sandbox, suite_argument

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
    "write beside the library",
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


def test_the_runner_cannot_get_out(escape: PlantedCourse, sandbox: Sandbox) -> None:
    prefix = sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10)
    # The prefix has only bubblewrap's walls; the runner's own filter of system calls forbids this too.
    allowed = {"make a user namespace"} if sandbox.setpriv or not sandbox.has_disable_userns else set()
    if os.geteuid() == 0 and not sandbox.setpriv:
        allowed.add("start 40 processes")  # this limit does not apply to root; the filter forbids even one process
    assert attempts(escape, prefix) <= allowed


def on_a_gpu(planted: PlantedCourse, sandbox: Sandbox) -> list[str]:
    """The prefix of a runner on a GPU."""
    course = planted.course
    return sandbox._run_prefix(course, "cuda", [course.built("cpu", "grade-ada"), course.runner("cpu")], cpu_seconds=10)


# The GPU's driver gives up when it cannot do these.
MAY_ON_A_GPU = {"name its threads", "start 40 processes"}


@pytest.mark.parametrize("as_another", (False, True))
def test_on_a_gpu_the_runner_may_name_its_threads(escape: PlantedCourse, sandbox: Sandbox, as_another: bool) -> None:
    if as_another and not sandbox.setpriv:
        pytest.skip("only root can become somebody else")
    made = sandbox if as_another else replace(sandbox, setpriv="")
    allowed = MAY_ON_A_GPU if made.has_disable_userns and not as_another else MAY_ON_A_GPU | {"make a user namespace"}
    assert MAY_ON_A_GPU <= attempts(escape, on_a_gpu(escape, made)) <= allowed


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


def test_a_runner_sees_its_own_library_and_nothing_else(escape: PlantedCourse, sandbox: Sandbox) -> None:
    opens = '#include <stdio.h>\nint main(int n, char **w) { while (*++w) if (fopen(*w, "r")) puts(*w); return n < 1; }'
    runner = escape.course.runner("cpu")
    subprocess.run(["gcc", str(escape.write("opens.c", opens)), "-o", str(runner)], check=True)
    seen = ["build/cpu/grade-ada/one.sum.so"]
    unseen = ["build/cpu/reference/one.sum.so", "build/cpu/grade-bob/one.sum.so", "reference/one.cu"]
    unseen.append("build/grade/ada/results.json")
    for name in (*seen, *unseen):
        escape.write(name, "something")
    done = subprocess.run(
        [*sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10), "build/cpu/runner", *seen, *unseen],
        cwd=escape.root,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.splitlines() == seen


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


def test_behind_the_walls_a_record_can_be_written(escape: PlantedCourse, sandbox: Sandbox) -> None:
    record_a_trace(escape, sandbox)


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


def test_the_drivers_library_is_seen_inside_wherever_it_stands(tmp_path: Path) -> None:
    library = [str(tmp_path / DRIVER), "-shared", f"-Wl,-soname,{DRIVER}", "-x", "c", "/dev/null"]
    subprocess.run(["gcc", "-o", *library], check=True)
    words = "from grader.walls.sandbox import _gpu; print(*_gpu())"
    environment = os.environ | {"LD_LIBRARY_PATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True)
    assert f"--ro-bind {tmp_path} {tmp_path} --setenv LD_LIBRARY_PATH {tmp_path}" in run.stdout


def test_a_word_that_would_be_split_is_refused() -> None:
    with pytest.raises(GraderFault, match="a word that a suite would split: 'two words'"):
        suite_argument(["bwrap", "two words"])


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_sandbox() == "bubblewrap is not installed; try: make doctor, which says how to install it"


def test_a_module_s_compiler_is_seen_inside_with_its_libraries(
    escape: PlantedCourse, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clusters have compilers in folders of their own, which `module load` puts into PATH and LD_LIBRARY_PATH."""
    module = tmp_path / "modules" / "gcc" / "12"
    for name in ("bin/g++", "lib64/libstdc++.so.6"):
        path = module / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\necho g++ of a module, with $LD_LIBRARY_PATH\n")
        path.chmod(0o755)
    source = escape.write("hand-in/one.cu", "").parent
    escape.write("build/cpu/grade-ada/one.sum.so", "")
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("PATH", f"{module}/bin:/usr/bin:/bin")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere:{module}/lib64")
    build = [*sandbox.build_prefix(escape.course, "cpu", "grade-ada", source, 60), "g++"]
    said = subprocess.run(build, cwd=escape.root, capture_output=True, text=True, check=False)
    assert said.stdout == f"g++ of a module, with {module}/lib64\n", said.stderr
    assert f"{module}/lib64" in sandbox.runner_prefix(escape.course, "cpu", "grade-ada", 60)
    monkeypatch.setenv("HOME", str(tmp_path))  # what is in the home folder stays unseen
    assert str(module) not in " ".join(sandbox.build_prefix(escape.course, "cpu", "grade-ada", source, 60))


# What bubblewrap prints, and what the kernel's settings are, where users may not make namespaces.
IN_A_CONTAINER = "bwrap: No permissions to create new namespace"
ON_UBUNTU_24_04 = "bwrap: setting up uid map: Permission denied"


@pytest.fixture(params=[IN_A_CONTAINER])
def _without_bubblewrap(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a system on which users may not make namespaces; the parameter is what bubblewrap prints there."""
    broken = tmp_path / "broken" / "bwrap"
    broken.parent.mkdir()
    broken.write_text(f"#!/bin/sh\necho '{request.param}' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:/usr/bin:/bin")


@pytest.mark.usefixtures("_without_bubblewrap")
def test_a_bubblewrap_that_does_not_work_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.walls.confine.landlock_version", lambda: 0)
    monkeypatch.setattr("grader.walls.sandbox._SYSCTLS", Path("/nowhere"))
    found = find_sandbox()
    assert found == (
        f"bubblewrap does not work here: {IN_A_CONTAINER}; this may be a container without the right to make "
        "namespaces, which its host grants"
    )


@pytest.mark.usefixtures("_without_bubblewrap")
@pytest.mark.parametrize("_without_bubblewrap", [ON_UBUNTU_24_04], indirect=True)
def test_on_ubuntu_24_04_a_report_names_the_weaker_walls_in_one_line(
    planted: PlantedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There AppArmor forbids namespaces to users; a hand-in is graded behind Landlock's walls."""
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    name = "kernel.apparmor_restrict_unprivileged_userns"
    (tmp_path / "kernel").mkdir()
    (tmp_path / name.replace(".", "/")).write_text("1\n")
    monkeypatch.setattr("grader.walls.sandbox._SYSCTLS", tmp_path)
    found = find_sandbox()
    assert isinstance(found, Fence)
    assert found.missing == (
        f"bubblewrap does not work here: {ON_UBUNTU_24_04}; AppArmor forbids namespaces to users; "
        f"as root: sysctl -w {name}=0"
    )
    planted.grade("--lab", "1")
    assert f"note: {found.note}" in capsys.readouterr().out.splitlines()


@pytest.fixture
def fence(_without_bubblewrap: None) -> Fence:
    """The fence that replaces bubblewrap."""
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    found = find_sandbox()
    assert isinstance(found, Fence)
    return found


def test_what_is_weaker_is_said(fence: Fence) -> None:
    assert fence.note.startswith("weaker walls (Landlock): no namespaces")
    assert ("TCP is open" in fence.note) == (landlock_version() < CLOSES_TCP)
    assert ("no other user" in fence.note) == (not fence.setpriv)
    assert fence.note.endswith("; why: make doctor")


def test_the_runner_cannot_get_past_the_fence(escape: PlantedCourse, fence: Fence) -> None:
    prefix = replace(fence, setpriv="").runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10)
    allowed = {"make a user namespace", "LACKS /tmp"}
    if os.geteuid() == 0:
        # The runner's filter forbids the first, and this fence does not change the user.
        allowed |= {"start 40 processes", "be root"}
    if landlock_version() < CLOSES_TCP:
        allowed.add("connect to a server")
    assert attempts(escape, prefix) <= allowed


def test_behind_the_fence_too_a_record_can_be_written(escape: PlantedCourse, fence: Fence) -> None:
    record_a_trace(escape, replace(fence, setpriv=""))  # another user cannot enter the folder of this test


@pytest.mark.parametrize("as_another", (False, True))
def test_behind_the_fence_too_it_may_name_its_threads(escape: PlantedCourse, fence: Fence, as_another: bool) -> None:
    if as_another and not fence.setpriv:
        pytest.skip("only root can become somebody else")
    made = fence if as_another else replace(fence, setpriv="")
    got = attempts(escape, on_a_gpu(escape, made))
    assert got >= MAY_ON_A_GPU
    assert not got & {"read the secret", "read /etc/passwd", "change the library", "set how the system dumps cores"}


def test_a_compiler_writes_to_its_own_folder_and_nowhere_else(escape: PlantedCourse, fence: Fence) -> None:
    source = escape.write("hand-in/one.cu", "").parent
    prefix = replace(fence, setpriv="").build_prefix(escape.course, "cpu", "grade-ada", source, 60)
    script = (
        'for f in build/cpu/grade-ada build/cpu/reference hand-in /tmp .; do echo >"$f/new" && echo "wrote $f"; done;'
        'cat reference/one.cu && echo "read"; [ "$TMPDIR" = "$PWD/build/cpu/grade-ada" ] && echo "scratch"'
    )
    done = subprocess.run(
        [*prefix, "/bin/sh", "-c", script], cwd=escape.root, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["wrote build/cpu/grade-ada", "scratch"], done.stderr


# Prints the numbers of its own process, of a child, and of one that has left the session and lost its parent.
FAMILY = """
echo $$
sleep 1000 & echo $!
setsid sh -c 'sleep 1000 & echo $!'
"""


def family(output: IO[str]) -> list[int]:
    numbers = [int(output.readline()) for _ in range(3)]
    assert [number for number in numbers if lives(number)] == numbers
    return numbers


def lives(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def assert_all_end(numbers: list[int]) -> None:
    deadline = time.monotonic() + 10
    while any(map(lives, numbers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [number for number in numbers if lives(number)]


@pytest.mark.parametrize("by_parent", [False, True], ids=["what starts it is killed", "who starts that is killed"])
def test_what_is_fenced_in_ends_with_what_started_it(fence: Fence, by_parent: bool) -> None:
    argv = fence.shell(FAMILY + "exec sleep 1000")
    if by_parent:
        argv = ["sh", "-c", '"$@" & wait', "sh", *argv]
    with subprocess.Popen(argv, stdout=-1, text=True) as process:
        assert process.stdout is not None
        numbers = family(process.stdout)
        process.kill()
        assert_all_end(numbers)


def test_what_is_fenced_in_ends_with_its_group(fence: Fence) -> None:
    argv = fence.shell(FAMILY + "exec sleep 1000")
    with subprocess.Popen(argv, stdout=-1, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        numbers = family(process.stdout)
        os.killpg(process.pid, signal.SIGKILL)
        assert_all_end(numbers)


def test_what_is_fenced_in_leaves_nothing_behind(fence: Fence) -> None:
    argv = fence.shell(FAMILY + "read line; exit 7")
    with subprocess.Popen(argv, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        numbers = family(process.stdout)
        process.stdin.write("now\n")
        process.stdin.flush()
        assert process.wait(timeout=10) == 7
        assert not [number for number in numbers if lives(number)]


def test_a_fence_tells_how_the_program_ended(fence: Fence) -> None:
    statuses = {"exit 3": 3, "kill -SEGV $$": 128 + signal.SIGSEGV, "kill -PIPE $$; exit 3": 128 + signal.SIGPIPE}
    assert {script: subprocess.run(fence.shell(script), check=False).returncode for script in statuses} == statuses
    # A descriptor that was passed to the program is closed when the program closes it, although the keeper still runs.
    reader, writer = os.pipe()
    with subprocess.Popen(fence.shell(f"exec {writer}>&-; sleep 1000"), pass_fds=[writer]) as process:
        os.close(writer)
        assert os.read(reader, 1) == b""
        assert process.poll() is None
        process.kill()
    os.close(reader)
