"""Puts the programs that run and that compile a submission into a sandbox made by bubblewrap.

The runner can read the folder of its .so files, its own program and the system's libraries, and nothing else. It has an
empty /tmp, and no network, other processes, home folder or environment. Resource limits hold inside. The address space
is not limited, because the CPU device reserves terabytes of it without using them; RLIMIT_DATA bounds the memory that
can really be written.

The compiler can read only what a build of one lab needs, because an #include or .incbin reads any file that the
compiler may read.

Neither has the rights of the user who grades. For an ordinary user, the sandbox is a user namespace, which has no
rights outside. For root, bubblewrap needs none: it makes the sandbox as root, and the program inside runs under a
separate user number, which owns only the files that it is given. There is one such number for the compilers of a
grading and one for the runner of each suite.

If bubblewrap cannot run and the kernel has Landlock, Landlock is used instead (grader/walls/confine.py), and a note
lists what it does not protect: see Fence.

If control groups can be made (grader/walls/cgroup.py), each build and each suite's runner gets its own.
"""

import contextlib
import ctypes
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from grader.model.errors import GraderFault, describe_os_error
from grader.model.layout import Course
from grader.walls import confine
from grader.walls.cgroup import Cgroups, Limits, find_cgroups

TREE = Path(__file__).parents[2]
INSIDE = "/scan"  # the path of the course's root in the runner's sandbox

# RLIMIT_DATA of the runner. The CPU device reserves 8 GiB of addresses for its own table and uses little of it.
MEMORY_BYTES = {"cpu": 11 << 30, "cuda": 24 << 30}
# RLIMIT_AS of each compiler process; g++ takes 0.1 GiB for the largest lab of the reference.
COMPILER_MEMORY_BYTES = {"cpu": 2 << 30, "cuda": 4 << 30}
FILE_BYTES = 1 << 30  # limit for one file, shared memory included
# The same for a compiler: a lab is built for many monoids, and no output reaches a tenth of it
COMPILER_FILE_BYTES = 64 << 20
TMP_BYTES = 64 << 20  # size of the runner's private /tmp
COMPILER_TMP_BYTES = 1 << 30  # size of the compiler's private /tmp
PROCESSES = {"cpu": 32, "cuda": 512}  # the CUDA driver starts threads
OPEN_FILES = 1024

# Limits for all processes of a runner, or of a build, together, if there are control groups.
RUNNER_LIMITS = {"cpu": Limits(8 << 30, 64), "cuda": Limits(32 << 30, 1024)}
BUILD_LIMITS = Limits(8 << 30, 512)

# User numbers that no system gives to users or containers. Processes with the same number are counted together for
# --nproc.
FIRST_USER, USERS, USERS_OF_A_GRADING = 1_900_000_000, 1 << 27, 1 << 10
_users = itertools.count(1)  # number 0 is for compilers

_READ_ONLY_MOUNTS = ("--remount-ro", "/", "--remount-ro", "/dev")
# Makes the kernel's settings in /proc read-only: they belong to root, and the user who grades may be root.
_READ_ONLY_PROC = ("--remount-ro", "/proc")

# For compilers, which read any file that a source includes: no pipe or terminal, from which reading never ends.
_NOTHING_THAT_WAITS = (
    *("--tmpfs", "/proc", "--tmpfs", "/dev"),
    *(word for name in ("null", "urandom") for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
)

_PROBE_SECONDS = 20
_LAST_SECONDS = 5
_RUN_FOLDERS = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64")
_BUILD_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
_TOOLS = ("make", "gcc", "g++", "python3", "nvcc")
DRIVER = "libcuda.so.1"  # the driver of the GPU
# Settings of the kernel that forbid namespaces to users: name, value, the value that allows them, and in words.
_SYSCTLS = Path("/proc/sys")
_SWITCHES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0", "AppArmor forbids namespaces to users"),
    ("kernel.unprivileged_userns_clone", "0", "1", "the kernel forbids namespaces to users"),
    ("user.max_user_namespaces", "0", "10000", "the kernel allows no namespaces of users"),
)
_CUDA_FOLDERS = ("/sys", "/proc/driver/nvidia", "/usr/local/cuda", "/opt/cuda")


@dataclass(frozen=True)
class Sandbox:
    """A bubblewrap that works on this machine, as a trial has shown."""

    bwrap: str
    prlimit: str
    has_size: bool  # it has --size, from version 0.7.0
    has_disable_userns: bool  # it has --disable-userns, from version 0.8.0
    setpriv: str = ""  # when root grades: the program that changes the user; else empty
    cgroups: Cgroups | None = None  # set if groups can be made

    has_tmp: ClassVar[bool] = True  # it has a private /tmp

    def group(self, limits: Limits, course: Course) -> contextlib.AbstractContextManager[list[str]]:
        """Yields the words to put before one of the prefixes below. What is started with them must end before this
        context does."""
        return self.cgroups.group(limits, course.root) if self.cgroups else contextlib.nullcontext([])

    def runner_prefix(
        self, course: Course, device: str, who: str, cpu_seconds: int, record: Path | None = None
    ) -> list[str]:
        """The words to put before the command line of a runner. Paths are relative to the course's root, so it must be
        started there. No word contains white space. With `record`, an empty file, the files of the submission are those
        that record a trace, and `record` is the only file that the runner can write to."""
        seen = [course.built("trace" if record else device, who), course.runner(device)]
        return self._run_prefix(course, device, seen, cpu_seconds, record)

    def _run_prefix(
        self, course: Course, device: str, seen: list[Path], cpu_seconds: int, record: Path | None = None
    ) -> list[str]:
        """`seen` are the files of the course that can be read inside."""
        user = _next_user()
        traced: list[str] = []
        if record:
            if self.setpriv:
                os.chown(record, user, user)
            name = course.relative(record)
            traced = ["--setenv", "SIMT_TRACE", name, *_mount("--bind", name, INSIDE)]
        mounts = [
            *traced,
            *self._run_mounts(),
            *(_gpu() if device == "cuda" else ()),
            *(word for path in seen for word in _mount("--ro-bind", course.relative(path), INSIDE)),
        ]
        limits = [
            # A process that exceeds the first of the two CPU limits gets SIGXCPU, from which the suite can conclude
            # that the limit was reached; SIGKILL would leave this open.
            *(f"--nproc={PROCESSES[device]}", f"--fsize={FILE_BYTES}", "--core=0"),
            *(
                f"--cpu={cpu_seconds}:{cpu_seconds + _LAST_SECONDS}",
                f"--data={MEMORY_BYTES[device]}",
                f"--nofile={OPEN_FILES}",
            ),
        ]
        return self._locked_in(mounts, INSIDE, user, limits, names_threads=device == "cuda")

    def build_prefix(
        self, course: Course, device: str, who: str, source: Path, cpu_seconds: int, *, traced: bool = False
    ) -> list[str]:
        """The words to put before a make that builds a submission; cpu_seconds is the limit of each process. The tree
        keeps its path. With `traced`, make can read what it built before and writes objects that record a trace.
        GraderFault when the rights to the folders cannot be changed."""
        room = "trace" if traced else device
        target = course.built(room, who)
        user = _user(0)  # labs of a submission compile at the same time into one folder
        if self.setpriv:
            _hand_over(source, target, user)
        mounts = [
            *("--setenv", "PATH", _tools_path()),
            *_read_only((*_BUILD_FOLDERS, "/etc/ld.so.cache")),
            *(_read_only(("/opt/cuda",)) if device == "cuda" else ()),
            *self._private_tmp(COMPILER_TMP_BYTES),
            *(_NOTHING_THAT_WAITS if device == "cpu" else ()),
            *_read_only(map(str, _tool_folders())),
            *_library_path(),
            *(word for path in _for_the_compiler(course, room) for word in ("--ro-bind", str(path), str(path))),
            *("--ro-bind", str(source), str(source)),
            *(("--ro-bind", str(course.built(device, who)), str(course.built(device, who))) if traced else ()),
            *("--bind", str(target), str(target)),
        ]
        return self._locked_in(mounts, str(course.root), user, compiler_limits(device, cpu_seconds))

    @cached_property
    def probe(self) -> list[str]:
        """A command that exits with 0 if the walls can be made."""
        return [*self._locked_in(self._run_mounts(), "/", _next_user(), ["--core=0"]), self.prlimit, "--version"]

    def shell(self, script: str) -> list[str]:
        """A command that runs a shell behind the walls, with the system's programs, to test the walls."""
        mounts = [
            *("--setenv", "PATH", "/usr/bin:/bin:/usr/sbin:/sbin"),
            *_read_only((*_BUILD_FOLDERS, "/etc/ld.so.cache")),
            *self._private_tmp(TMP_BYTES),
        ]
        return [*self._locked_in(mounts, "/", _next_user(), ["--core=0"]), "sh", "-c", script]

    def _locked_in(
        self, mounts: list[str], folder: str, user: int, limits: list[str], names_threads: bool = False
    ) -> list[str]:
        """Makes the walls around these mounts. The command that follows runs in `folder` under these limits and, when
        root grades, as `user`. names_threads: the program may write its threads' names to /proc, which the driver of a
        GPU needs."""
        opened = _with_open_parents(mounts) if self.setpriv else mounts
        proc = _read_only(_settings()) if names_threads else _READ_ONLY_PROC
        inside = [*_READ_ONLY_MOUNTS, *proc, "--chdir", folder, "--", *self._as_somebody_else(user)]
        return [*self._walls(), *opened, *inside, self.prlimit, *limits, "--"]

    def _walls(self) -> list[str]:
        walls = [
            *(self.bwrap, "--die-with-parent", "--new-session", "--clearenv"),
            *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *("--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev"),
            *("--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C.UTF-8"),
        ]
        if self.setpriv:
            return walls
        no_more = ["--disable-userns"] if self.has_disable_userns else []
        return [*walls, "--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", *no_more]

    def _as_somebody_else(self, user: int) -> list[str]:
        if not self.setpriv:
            return []
        return [
            *(self.setpriv, "--reuid", str(user), "--regid", str(user), "--clear-groups", "--no-new-privs"),
            *("--inh-caps=-all", "--bounding-set=-all", "--"),
        ]

    def _run_mounts(self) -> list[str]:
        """The mounts that every program except a compiler needs."""
        system = _read_only((*_RUN_FOLDERS, "/etc/ld.so.cache", self.prlimit, self.setpriv))
        libraries = _library_path()
        return [
            *system,
            *self._private_tmp(TMP_BYTES),
            *_read_only(libraries[2:] and libraries[2].split(":")),
            *libraries,
        ]

    def _private_tmp(self, size_bytes: int) -> list[str]:
        size = ["--size", str(size_bytes)] if self.has_size else []
        return ["--perms", "1777", *size, "--tmpfs", "/tmp"] if self.setpriv else [*size, "--tmpfs", "/tmp"]


@dataclass(frozen=True)
class Fence(Sandbox):
    """Landlock instead of bubblewrap. A program can open the same files as behind bubblewrap's walls and no others.
    There are no namespaces, so it runs in the course's own folder and can find out that other files and processes
    exist."""

    missing: str = ""  # the reason why there is no bubblewrap

    has_tmp: ClassVar[bool] = False

    @property
    def note(self) -> str:
        """The walls that are missing, in one line; grader/TRUST.md lists them and those that remain."""
        tcp = "" if confine.landlock_version() >= confine.CLOSES_TCP else ", TCP is open"
        user = "" if self.setpriv else ", no other user"
        return f"weaker walls (Landlock): no namespaces{tcp}{user}; why: make doctor"

    def runner_prefix(
        self, course: Course, device: str, who: str, cpu_seconds: int, record: Path | None = None
    ) -> list[str]:
        """The same as in a sandbox. Paths below the course's root, whose name may have a space, are made relative."""
        root = f"{course.root}/"
        return [word.removeprefix(root) for word in super().runner_prefix(course, device, who, cpu_seconds, record)]

    def _locked_in(
        self, mounts: list[str], folder: str, user: int, limits: list[str], names_threads: bool = False
    ) -> list[str]:
        rules = ["--change", "/proc/self/task"] if names_threads else []
        scratch = ""  # folder for files that may be written
        for i, word in enumerate(mounts):
            if word == "--ro-bind":
                rules += ["--read", mounts[i + 1]]
            elif word in ("--bind", "--dev-bind"):
                rules += ["--write", mounts[i + 1]]
                scratch = mounts[i + 1] if word == "--bind" and Path(mounts[i + 1]).is_dir() else scratch
            elif word == "--setenv":
                rules += ["--set", f"{mounts[i + 1]}={mounts[i + 2]}"]
        rules += ["--set", "LC_ALL=C.UTF-8"]
        if scratch:  # a build: make searches for names, and reads the lists of headers whose names it finds
            rules += ["--set", f"TMPDIR={scratch}", "--list", folder]
            for pattern in ("*/*.d", "*/*/*.d", "*/*/*/*.d"):
                rules += [word for path in Path(folder, "build").glob(pattern) for word in ("--read", str(path))]
        start = [sys.executable, "-I", "-S", confine.__file__]
        return [*start, *rules, "--", *self._as_somebody_else(user), self.prlimit, *limits, "--"]


def compiler_limits(device: str, cpu_seconds: int) -> list[str]:
    """Options of prlimit for each process of a build. At the first of the two CPU limits, SIGXCPU comes, and compilers
    name it in their output."""
    cpu = f"--cpu={cpu_seconds}:{cpu_seconds + 5}"
    return [f"--as={COMPILER_MEMORY_BYTES[device]}", f"--fsize={COMPILER_FILE_BYTES}", cpu, "--core=0"]


def find_sandbox() -> Sandbox | str:
    """Returns the sandbox of this machine, or a Fence when bubblewrap cannot run, or the reason why there is neither
    and what to do."""
    found = _find_bubblewrap()
    if isinstance(found, Sandbox):
        return found
    prlimit, setpriv = shutil.which("prlimit"), shutil.which("setpriv") if _others_may_enter(TREE) else None
    if prlimit is None or confine.landlock_version() == 0:
        return found
    fence = Fence("", prlimit, False, False, (setpriv or "") if os.geteuid() == 0 else "", missing=found)
    try:
        subprocess.run(fence.probe, capture_output=True, timeout=_PROBE_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return found
    cgroups = find_cgroups()
    return replace(fence, cgroups=cgroups) if isinstance(cgroups, Cgroups) else fence


def _others_may_enter(place: Path) -> bool:
    """True when another user can reach this folder by its path, without a mount."""
    return all(folder.stat().st_mode & 0o001 for folder in (place, *place.parents))


def _find_bubblewrap() -> Sandbox | str:
    bwrap, prlimit = shutil.which("bwrap"), shutil.which("prlimit")
    if bwrap is None:
        return "bubblewrap is not installed; try: make doctor, which says how to install it"
    if prlimit is None:
        return "prlimit is not installed; it comes with util-linux"
    try:
        usage = subprocess.run([bwrap, "--help"], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
        options = usage.stdout + usage.stderr
        sandbox = Sandbox(
            bwrap, prlimit, "--size " in options, "--disable-userns" in options, _setpriv_of_root(options)
        )
        run = subprocess.run(sandbox.probe, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
        if run.returncode != 0 and sandbox.setpriv:  # for example root in a container that may not mount
            sandbox = replace(sandbox, setpriv="")
            run = subprocess.run(sandbox.probe, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here: {error}"
    if run.returncode != 0:
        said = (run.stderr.strip() or f"exit status {run.returncode}").splitlines()[0]
        return f"bubblewrap does not work here: {said}; {_why_not()}"
    cgroups = find_cgroups()
    return replace(sandbox, cgroups=cgroups) if isinstance(cgroups, Cgroups) else sandbox


def _why_not() -> str:
    """What keeps users from making namespaces, and what an administrator can do."""
    for name, forbids, allows, why in _SWITCHES:
        with contextlib.suppress(OSError):
            if (_SYSCTLS / name.replace(".", "/")).read_text().strip() == forbids:
                return f"{why}; as root: sysctl -w {name}={allows}"
    return "this may be a container without the right to make namespaces, which its host grants"


def _setpriv_of_root(options: str) -> str:
    """The program that changes the user, when root grades and the tools are installed; else empty."""
    return (shutil.which("setpriv") or "") if os.geteuid() == 0 and "--perms" in options else ""


def _user(number: int) -> int:
    return FIRST_USER + (os.getpid() * USERS_OF_A_GRADING + number) % USERS


def _next_user() -> int:
    return _user(next(_users))


def _hand_over(source: Path, target: Path, user: int) -> None:
    """Makes `source` readable for all, and gives `target` with its contents to the user."""
    try:
        for path in (source, *source.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        for path in (target, *target.rglob("*")):
            with contextlib.suppress(FileNotFoundError):  # a compiler's temporary file that has just been removed
                os.chown(path, user, user, follow_symlinks=False)
    except OSError as error:
        raise GraderFault(f"cannot hand {target} over to the compiler: {describe_os_error(error)}") from error


def suite_argument(prefix: Iterable[str]) -> str:
    """The prefix as the one word that the suite's --sandbox takes. The suite splits it at spaces."""
    words = list(prefix)
    for word in words:
        if not word or any(character.isspace() for character in word):
            raise GraderFault(f"the sandbox's command line has a word that a suite would split: {word!r}")
    return " ".join(words)


def _read_only(paths: Iterable[str]) -> Iterator[str]:
    """Mounts the existing paths read-only and keeps symbolic links such as /lib -> usr/lib."""
    for path in filter(None, paths):
        if Path(path).is_symlink() and not path.startswith("/usr/"):
            yield from ("--symlink", str(Path(path).readlink()), path)
        elif Path(path).exists():
            yield from ("--ro-bind", path, path)


def _with_open_parents(words: list[str]) -> Iterator[str]:
    """Yields the same mounts, with their parent folders made so that every user may enter them. Root's bubblewrap would
    make them for root alone."""
    seen = {"/"}
    for i, word in enumerate(words):
        if word in ("--ro-bind", "--bind", "--dev-bind", "--symlink"):
            for parent in reversed(Path(words[i + 2]).parents):
                if str(parent) not in seen:
                    seen.add(str(parent))
                    yield from ("--perms", "0755", "--dir", str(parent))
        yield word


def _mount(option: str, relative: str, inside: str) -> tuple[str, str, str]:
    return option, relative, f"{inside}/{relative}"


def _tools_path() -> str:
    """The caller's PATH, limited to the folders that the compiler's sandbox has. nvcc may be anywhere below these."""
    folders = os.environ.get("PATH", os.defpath).split(":")
    shown = (*_BUILD_FOLDERS, "/opt/cuda", *map(str, _tool_folders()))
    return ":".join(folder for folder in folders if folder.startswith(shown))


def _tool_folders() -> list[Path]:
    """The folders of compilers that are not the system's, such as /opt/gcc/12 with bin/g++, which environment modules
    put into PATH. None contains the caller's home folder or this tree, or is inside the home folder."""
    home = Path.home()
    found = [Path(where) for where in map(shutil.which, _TOOLS) if where]
    folders = {path.parent.parent: path for path in (*found, *(path.resolve() for path in found))}
    return [
        folder
        for folder, path in folders.items()
        if not any(path.is_relative_to(known) for known in _BUILD_FOLDERS)
        and not any(kept.is_relative_to(folder) for kept in (home, TREE))
        and not folder.is_relative_to(home)
    ]


def _library_path() -> list[str]:
    """Options that set LD_LIBRARY_PATH to the part of the caller's that belongs to these folders, whose compilers make
    programs that need their libraries. Empty without any."""
    tools = _tool_folders()
    libraries = [
        folder
        for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":")
        if any(folder and Path(folder).is_relative_to(tool) for tool in tools) and not any(map(str.isspace, folder))
    ]
    return ["--setenv", "LD_LIBRARY_PATH", ":".join(libraries)] if libraries else []


def _gpu() -> Iterator[str]:
    for node in (*sorted(Path("/dev").glob("nvidia*")), *Path("/dev").glob("dxg")):  # dxg: WSL2
        yield from ("--dev-bind", str(node), str(node))
    yield from _read_only(_CUDA_FOLDERS)
    folder = _driver_folder()
    if folder and not folder.startswith(_RUN_FOLDERS):
        yield from (*_read_only([folder]), "--setenv", "LD_LIBRARY_PATH", folder)


def _settings() -> Iterator[str]:
    """The entries of /proc that can be written and do not belong to a process."""
    for entry in sorted(Path("/proc").iterdir()):
        if not entry.name.isdecimal() and not entry.is_symlink() and (entry.is_dir() or entry.stat().st_mode & 0o222):
            yield str(entry)


def _driver_folder() -> str:
    """The folder in which the loader finds the driver's library; in a container it is usually outside of the system's
    folders. Empty without a driver."""
    try:
        ctypes.CDLL(DRIVER)
        mapped = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return ""
    return next((str(Path(name).parent) for line in mapped if DRIVER[:-1] in (name := line.split()[-1])), "")


def _for_the_compiler(course: Course, room: str) -> Iterator[Path]:
    """The files that a build of one lab reads in addition to the submission: make's own files, the headers that a lab
    may use, the translator, the programs that inspect calls and report errors, and the tables of parts that are linked
    with it. It contains no suite, test, solution or other submission."""
    yield course.root / "Makefile"
    # build/ is left out because other gradings make and remove folders there.
    folders = [folder for folder in sorted(course.root.iterdir()) if folder.is_dir() and folder != course.build]
    found = [path for folder in folders for pattern in ("*.mk", "*/*.mk") for path in sorted(folder.glob(pattern))]
    of_labs = ("labs/[0-9]*/*.h", "labs/[0-9]*/lab.toml", "labs/include/*", "labs/stock/*.h", "labs/*/*.cu")
    for pattern in (*of_labs, "simt/exports.list"):
        found += sorted(course.root.glob(pattern))
    yield from (path for path in found if "tests" not in path.parts and not path.name.startswith("check_"))
    yield from (
        path
        for path in (
            course.root / "simt" / "include",
            course.root / "simt" / "spaces",
            course.root / "labs" / "support" / "tools" / "diagnose.py",
            course.build / "bin" / "cudac",
            course.build / "pch",
            course.build / room / "parts",
        )
        if path.exists()
    )
