"""`make doctor`: lists what this machine has and lacks, and what to install.

It needs only Python's standard library, and an old version is enough. The walls of the sandbox are tested: a shell
behind them tries to get out. The exit status is 0 when both commands of README.md can work, 1 when `make check` cannot,
and 2 when `make grade` cannot either. Things that `make setup` installs do not count as missing for this. The students'
tree has no tests of the course, so there it does not look for what only `make check` needs.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEAST_PYTHON = (3, 10)
# In bytes; the disk holds build/ with its tests, and the memory the largest suite with its runner
LEAST_DISK, LEAST_MEMORY = 4 << 30, 2 << 30
MACHINES = ("x86_64", "amd64", "aarch64", "arm64")  # the same as in simt/core/arch.h
OWN_COPY = "the course's own copy"
SECONDS = 30  # time limit for each program that is run

GRADE, CHECK = "make grade SUBMISSION=reference", "make check"
STUDENT = "make test and make grade"  # the name of GRADE in the students' tree
HAS, LACKS, WEAKER, ABSENT = "ok", "MISSING", "weaker", "-"  # ABSENT is for optional things

# Commands for a shell behind the walls; status 0 means that the wall holds. OUTSIDE is this tree, and CALLER is the
# user who grades.
WALLS = {
    "no network": "seen=$(cat /proc/net/dev) && ! echo \"$seen\" | tail -n +3 | grep -qv '^ *lo:'",
    "no other process": '[ -d /proc/self ] && set -- /proc/[0-9]* && [ "$#" -le 8 ]',
    "no file of yours": '! cat "$OUTSIDE/Makefile"',
    "system read-only": "! (: >/usr/lib/.doctor) 2>/dev/null || ! rm -f /usr/lib/.doctor",
    "kernel settings read-only": "! (: >>/proc/sys/kernel/core_pattern) 2>/dev/null",
    "another user": '[ "$(id -u)" != 0 ] && [ "$(id -u)" != "$CALLER" ]',
    "no rights of root": (
        'while read -r name value; do [ "$name" != CapEff: ] || [ -z "$(echo "$value" | tr -d 0)" ] || exit 1; done '
        "</proc/self/status"
    ),
    "/tmp has a bound": "[ \"$(df -k /tmp | awk 'NR == 2 { print $2 }')\" -le 1100000 ]",
}


@dataclass(frozen=True)
class Item:
    """One thing that was checked."""

    group: str
    name: str
    state: str  # one of HAS, LACKS, WEAKER and ABSENT
    detail: str = ""  # what was found, or what is wrong
    fix: str = ""  # what to do about it
    stops: tuple[str, ...] = ()  # the commands that cannot work without it

    @property
    def line(self) -> str:
        """A line such as `MISSING  g++           try: apt-get install g++`."""
        words = "; ".join(filter(None, [self.detail, f"try: {self.fix}" if self.fix else ""]))
        return f"  {self.state:<8} {self.name:<26} {words}".rstrip()


def main() -> int:
    """Prints what was found, group by group, and then whether the two commands can work."""
    items = list(look(ROOT))
    for group in dict.fromkeys(item.group for item in items):
        print(group)
        for item in items:
            if item.group == group:
                print(item.line)
    print("README's commands")
    for command, name in ((GRADE, GRADE), (CHECK, CHECK)) if _has_tests(ROOT) else ((GRADE, STUDENT),):
        reasons = [item.name for item in items if command in item.stops]
        print(f"  {name}: " + (f"cannot work without: {', '.join(reasons)}" if reasons else "can work"))
    return verdict(items)


def _has_tests(root: Path) -> bool:
    """True in the instructor's tree."""
    return (root / "reference").is_dir()


def verdict(items: Iterable[Item]) -> int:
    """The exit status."""
    stopped = {command for item in items for command in item.stops}
    return 2 if GRADE in stopped else 1 if CHECK in stopped else 0


def look(root: Path) -> Iterator[Item]:
    """Checks everything, in the order in which it is needed."""
    yield from _machine(root)
    yield from _packages(root)
    yield from _python(root)
    yield from _sandbox(root)
    yield from _optional()


def _needed(
    group: str, name: str, good: bool, detail: str, fix: str, *, stops: tuple[str, ...] = (GRADE, CHECK)
) -> Item:
    """An item without which those commands cannot work."""
    return Item(group, name, HAS, detail) if good else Item(group, name, LACKS, detail, fix, stops)


def _better(group: str, name: str, good: bool, detail: str, fix: str) -> Item:
    """An item without which less is done, or with less protection."""
    return Item(group, name, HAS, detail) if good else Item(group, name, WEAKER, detail, fix)


def _machine(root: Path) -> Iterator[Item]:
    group, machine = "machine", platform.machine().lower()
    known = sys.platform == "linux" and machine in MACHINES
    yield _needed(group, "Linux on x86-64 or arm64", known, f"{sys.platform} {machine}", "another machine")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    yield _better(group, "memory", memory >= LEAST_MEMORY, _size(memory), f"{_size(LEAST_MEMORY)} and more")
    free = shutil.disk_usage(root).free
    yield _needed(group, "free disk space", free >= LEAST_DISK, _size(free), f"{_size(LEAST_DISK)} and more")
    lax = _read("/proc/sys/vm/overcommit_memory").strip() != "2"
    fix = "sysctl vm.overcommit_memory=0: the CPU device sets terabytes aside and uses few of them"
    yield _needed(group, "addresses to set aside", lax, "", fix)
    yield Item(group, "processors", HAS, str(len(os.sched_getaffinity(0))))


def _packages(root: Path) -> Iterator[Item]:
    """The packages that grader/setup installs, read from its own two lists; the second is for tests."""
    lists = re.findall(r"needs\+?=\((.*?)\)", _read(root / "grader" / "setup"), re.DOTALL)
    for position, words in enumerate(lists if _has_tests(root) else lists[:1]):
        for word in re.sub(r'#.*|"', "", words).split():
            what, _, names = word.rpartition(":")
            package = names.split("/")[0]
            is_file = what.startswith("/")
            found = any(map(_is_there, what.split("|"))) if is_file else shutil.which(what) is not None
            version = _version(what) if found and not is_file else ""
            if not found and (what.startswith(("/usr/include", "/usr/lib")) or what == "pkg-config") and _carried(root):
                found, version = True, OWN_COPY
            stops = (GRADE, CHECK) if position == 0 else (CHECK,)
            item = _installable("programs and libraries", package, found, version, names, stops=stops)
            # Without bubblewrap there may still be walls; they are looked at below.
            yield replace(item, state=WEAKER, stops=()) if what == "bwrap" and item.stops else item


def _carried(root: Path) -> bool:
    """True when the course comes with the libraries for this machine. grader/setup unpacks them for users who cannot
    install packages."""
    return (root / "grader" / "libraries" / f"{platform.machine()}.tar.xz").is_file()


def _is_there(pattern: str) -> bool:
    """True when a file matches the absolute pattern."""
    return next(Path("/").glob(pattern[1:]), None) is not None


def _installable(group: str, name: str, found: bool, detail: str, names: str, *, stops: tuple[str, ...]) -> Item:
    """An item that make setup installs where it can. `names` are those of grader/setup: one, or one for each package
    manager."""
    tools = re.findall(r'"(.*?)"', _read(ROOT / "grader" / "setup").partition("tools=(")[2].partition(")")[0])
    position = next((at for at, tool in enumerate(tools) if shutil.which(tool.split()[0])), 0)
    package = (names.split("/") * len(tools))[position]
    if _can_install():
        return _needed(group, name, found, detail, f"make setup, which installs {package}", stops=())
    return _needed(group, name, found, detail, f"{tools[position]} {package}, as root", stops=stops)


def _python(root: Path) -> Iterator[Item]:
    group, both = "Python", (GRADE, CHECK)
    good = sys.version_info >= LEAST_PYTHON
    fix = "Debian 12, Ubuntu 22.04, or python3 3.10 or later on the PATH"
    yield _needed(group, "3.10 or later", good, platform.python_version(), fix)
    has_venv = all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))
    has_pip = not has_venv and _carried(root) and importlib.util.find_spec("venv") is not None
    detail = OWN_COPY if has_pip else ""
    yield _installable(group, "venv", has_venv or has_pip, detail, "python3-venv/python3/python/python3", stops=both)
    interpreter = root / "build" / "venv" / "bin" / "python3"
    have = _installed(interpreter)
    files = (("requirements.txt", "make setup"), ("requirements-dev.txt", "make setup-dev"))
    for name, command in files if _has_tests(root) else files[:1]:
        wanted = _wanted(_read(root / "grader" / name))
        wrong = [f"{package} {version}" for package, version in wanted.items() if have.get(_plain(package)) != version]
        detail = f"{len(wanted) - len(wrong)} of {len(wanted)} packages"
        yield _better(group, name, not wrong, detail, f"{command}, with the network; it installs {', '.join(wrong)}")


def _wanted(requirements: str) -> dict[str, str]:
    """The packages that a file of requirements asks for on this Python, with their versions."""
    lines = re.findall(r'^([\w.-]+)==([^\s;]+)(?:; python_version (<|>=) "3\.11")?$', requirements, re.MULTILINE)
    old = sys.version_info < (3, 11)
    return {name: version for name, version, when in lines if when in ("", "<" if old else ">=")}


def _sandbox(root: Path) -> Iterator[Item]:
    """The sandbox. The reference does not need it, so nothing here stops README's commands, but a hand-in does need
    it."""
    group = "sandbox, for hand-ins"
    if sys.version_info < LEAST_PYTHON:
        yield Item(group, "bubblewrap", LACKS, "not tried with this Python")
        return
    from grader.walls.sandbox import Fence, Sandbox, find_sandbox

    sandbox = find_sandbox()
    if not isinstance(sandbox, Sandbox):
        yield Item(group, "bubblewrap", LACKS, sandbox, "hand-ins are graded with --no-sandbox only, at your own risk")
        return
    if isinstance(sandbox, Fence):
        yield Item(group, "bubblewrap", WEAKER, f"{sandbox.missing}; Landlock is in its place")
    else:
        yield Item(group, "bubblewrap", HAS, _version("bwrap"))
    if not _has_tests(root):  # students grade their own code; the walls are for code of others
        return
    environment = f"OUTSIDE={shlex.quote(str(root))} CALLER={os.geteuid()}; "
    for name, script in WALLS.items():
        stands = _status(sandbox.shell(environment + script)) == 0
        yield Item(group, name, HAS if stands else WEAKER, "" if stands else "does not hold")
    yield from _cgroups(group)
    kernel = _read("/proc/sys/kernel/seccomp/actions_avail")
    has_filter = "kill_process" in kernel
    yield Item(
        group,
        "filter of system calls",
        HAS if has_filter else WEAKER,
        "" if has_filter else "the kernel has no seccomp",
    )


def _cgroups(group: str) -> Iterator[Item]:
    """Whether all processes of a hand-in can be limited together and ended together."""
    from grader.walls.cgroup import CONTROLLERS, Cgroups, find_cgroups

    found = find_cgroups()
    known = isinstance(found, Cgroups)
    scope = "`systemd-run --user --scope -p Delegate=yes make grade ...`"
    # Root has the rights already, so the cause is the environment, usually a container.
    place = "grade in a virtual machine; a container hands control groups on only if it is started with --privileged"
    fix = place if os.geteuid() == 0 else f"grade as root, or in {scope}"
    why = "" if isinstance(found, Cgroups) else found
    yield _better(
        group, "ends by a control group", known, f"in {found.parent}" if isinstance(found, Cgroups) else why, fix
    )
    lacks = CONTROLLERS - (found.controllers if isinstance(found, Cgroups) else frozenset())
    detail = f"no controller {' and '.join(sorted(lacks))} is available: only limits of each process" if lacks else ""
    yield _better(group, "memory and processes bound", not lacks, detail, fix)


def _optional() -> Iterator[Item]:
    group = "optional"
    cards = _said(["nvidia-smi", "-L"])
    yield Item(group, "GPU", HAS if cards else ABSENT, cards or "none: DEVICE=cpu needs none")
    nvcc = _said(["nvcc", "--version"], last=True)
    yield Item(group, "CUDA Toolkit", HAS if nvcc else ABSENT, nvcc or "no nvcc: for DEVICE=cuda")
    slurm, munge = _said(["sinfo", "--version"]), shutil.which("munge") is not None
    detail = f"{slurm}, {'munge' if munge else 'no munge'}" if slurm else "no sinfo: EXECUTOR=slurm needs a cluster"
    fix = "make grade on a node of your cluster that has sbatch; to try it on this machine: grader/tests/slurm_here"
    yield Item(group, "Slurm", HAS if slurm else ABSENT, detail, "" if slurm or not _has_tests(ROOT) else fix)


# ---- asking ------------------------------------------------------------------------------------------------


def _can_install() -> bool:
    """True when grader/setup can install packages, by the same test."""
    return shutil.which("apt-get") is not None and (os.geteuid() == 0 or shutil.which("sudo") is not None)


def _version(program: str) -> str:
    """The first line that the program prints with --version; empty when there is none."""
    return _said([program, "--version"])


def _said(argv: list[str], last: bool = False) -> str:
    """The first line, or the last, that a program prints; empty when it does not exist, fails or prints nothing."""
    if shutil.which(argv[0]) is None:
        return ""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    return lines[-1 if last else 0] if lines and done.returncode == 0 else ""


def _status(argv: list[str]) -> int:
    try:
        return subprocess.run(argv, capture_output=True, timeout=SECONDS, check=False).returncode
    except (OSError, subprocess.SubprocessError):
        return -1


def _installed(interpreter: Path) -> dict[str, str]:
    """The packages of the environment in build/: name -> version. Empty when there is no environment."""
    script = "import importlib.metadata as m\nfor d in m.distributions(): print(d.metadata['Name'], d.version)"
    if not interpreter.exists():
        return {}
    try:
        done = subprocess.run(
            [str(interpreter), "-c", script], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    pairs = (line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return {_plain(name): version for name, version in pairs}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _size(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB"


if __name__ == "__main__":
    sys.exit(main())
