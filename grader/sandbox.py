"""Locks a submission in: bubblewrap for what runs it and for what compiles it.

The runner sees the folder of its .so files, itself and the system's libraries, all read-only; an empty /tmp;
no network, no other process, no home, no environment. Resource limits stand inside. Addresses are not
limited, because the CPU device reserves terabytes of them without using them; RLIMIT_DATA bounds what is
really writable.

The compiler sees what a build of one lab reads and nothing else, because an #include or an .incbin reads whatever
the compiler may read.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.errors import GraderFault
from grader.layout import Course

INSIDE = "/scan"  # the course's root as the runner sees it

MEMORY_BYTES = 24 << 30  # RLIMIT_DATA of the runner; its bookkeeping takes a few GiB of addresses
COMPILER_MEMORY_BYTES = 4 << 30  # RLIMIT_AS of each compiler process
FILE_BYTES = 1 << 30  # largest file, shared memory included
TMP_BYTES = 64 << 20  # of the runner's private /tmp
COMPILER_TMP_BYTES = 1 << 30  # and of the compiler's
PROCESSES = {"cpu": 32, "cuda": 512}  # the CUDA driver starts threads
OPEN_FILES = 1024

# The kernel's settings in /proc/sys belong to root, and root may be who grades.
_READ_ONLY_MOUNTS = ("--remount-ro", "/", "--remount-ro", "/proc", "--remount-ro", "/dev")

_PROBE_SECONDS = 20
_RUN_FOLDERS = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64")
_BUILD_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
_CUDA_FOLDERS = ("/sys", "/proc/driver/nvidia", "/usr/local/cuda", "/opt/cuda")


@dataclass(frozen=True)
class Sandbox:
    """A bubblewrap that was seen to work on this machine."""

    bwrap: str
    prlimit: str
    has_size: bool  # --size, from 0.7.0
    has_disable_userns: bool  # --disable-userns, from 0.8.0

    def runner_prefix(self, course: Course, device: str, who: str, cpu_seconds: int) -> list[str]:
        """What stands before the runner's own command line. Paths in that command line are relative to the
        course's root, and so are those here: start it there. No word holds white space."""
        return [
            *self._walls(),
            *_read_only(_RUN_FOLDERS),
            *_read_only(("/etc/ld.so.cache",)),
            *_read_only((self.prlimit,)),
            *(_gpu() if device == "cuda" else ()),
            *self._private_tmp(TMP_BYTES),
            *_mount("--ro-bind", course.relative(course.built(device, who)), INSIDE),
            *_mount("--ro-bind", course.relative(course.runner(device)), INSIDE),
            *(*_READ_ONLY_MOUNTS, "--chdir", INSIDE, "--"),
            *(self.prlimit, f"--nproc={PROCESSES[device]}", f"--fsize={FILE_BYTES}", "--core=0"),
            *(f"--cpu={cpu_seconds}", f"--data={MEMORY_BYTES}", f"--nofile={OPEN_FILES}", "--"),
        ]

    def build_prefix(self, course: Course, device: str, who: str, source: Path) -> list[str]:
        """What stands before a make that builds a submission. The tree stays at its own place."""
        target = course.built(device, who)
        gpu = _read_only(("/opt/cuda",)) if device == "cuda" else ()
        return [
            *self._walls(),
            *("--setenv", "PATH", _tools_path()),
            *_read_only((*_BUILD_FOLDERS, "/etc/ld.so.cache")),
            *gpu,
            *self._private_tmp(COMPILER_TMP_BYTES),
            *(word for path in _for_the_compiler(course, device) for word in ("--ro-bind", str(path), str(path))),
            *("--ro-bind", str(source), str(source)),
            *("--bind", str(target), str(target)),
            *(*_READ_ONLY_MOUNTS, "--chdir", str(course.root), "--"),
            *(self.prlimit, f"--as={COMPILER_MEMORY_BYTES}", f"--fsize={FILE_BYTES}", "--core=0", "--"),
        ]

    def _walls(self) -> list[str]:
        walls = [
            *(self.bwrap, "--die-with-parent", "--new-session", "--clearenv"),
            *("--unshare-user", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
            *("--unshare-cgroup-try", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"),
            *("--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"),
            *("--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C.UTF-8"),
        ]
        return [*walls, "--disable-userns"] if self.has_disable_userns else walls

    def _private_tmp(self, size_bytes: int) -> list[str]:
        size = ["--size", str(size_bytes)] if self.has_size else []
        return [*size, "--tmpfs", "/tmp"]

    @cached_property
    def probe(self) -> list[str]:
        """A command line that ends with 0 when the walls can be put up."""
        return [
            *self._walls(),
            *_read_only((*_RUN_FOLDERS, "/etc/ld.so.cache", self.prlimit)),
            *self._private_tmp(TMP_BYTES),
            *(*_READ_ONLY_MOUNTS, "--", self.prlimit, "--core=0", "--", self.prlimit, "--version"),
        ]


def find_sandbox() -> Sandbox | str:
    """The sandbox of this machine, or why there is none and what to do about it."""
    bwrap, prlimit = shutil.which("bwrap"), shutil.which("prlimit")
    if bwrap is None:
        return "bubblewrap is not installed; try: apt-get install bubblewrap"
    if prlimit is None:
        return "prlimit is not installed; try: apt-get install util-linux"
    try:
        usage = subprocess.run([bwrap, "--help"], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
        options = usage.stdout + usage.stderr
        sandbox = Sandbox(bwrap, prlimit, "--size " in options, "--disable-userns" in options)
        run = subprocess.run(sandbox.probe, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here: {error}"
    if run.returncode != 0:
        said = (run.stderr.strip() or f"exit status {run.returncode}").splitlines()[0]
        return (
            f"bubblewrap does not work here: {said}; unprivileged user namespaces may be switched off "
            "(see sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces and "
            "kernel.apparmor_restrict_unprivileged_userns)"
        )
    return sandbox


def suite_argument(prefix: Iterable[str]) -> str:
    """The prefix as the one word that a suite's --sandbox takes; the suite splits it at spaces."""
    words = list(prefix)
    for word in words:
        if not word or any(character.isspace() for character in word):
            raise GraderFault(f"the sandbox's command line has a word that a suite would split: {word!r}")
    return " ".join(words)


def _read_only(paths: Iterable[str]) -> Iterator[str]:
    """Binds what there is; keeps symbolic links such as /lib -> usr/lib."""
    for path in paths:
        if Path(path).is_symlink() and not path.startswith("/usr/"):
            yield from ("--symlink", str(Path(path).readlink()), path)
        elif Path(path).exists():
            yield from ("--ro-bind", path, path)


def _mount(option: str, relative: str, inside: str) -> tuple[str, str, str]:
    return option, relative, f"{inside}/{relative}"


def _tools_path() -> str:
    """The caller's PATH, as far as the compiler's sandbox has it: nvcc may be anywhere below these."""
    folders = os.environ.get("PATH", os.defpath).split(":")
    return ":".join(folder for folder in folders if folder.startswith((*_BUILD_FOLDERS, "/opt/cuda")))


def _gpu() -> Iterator[str]:
    for node in sorted(Path("/dev").glob("nvidia*")):
        yield from ("--dev-bind", str(node), str(node))
    yield from _read_only(_CUDA_FOLDERS)


def _for_the_compiler(course: Course, device: str) -> Iterator[Path]:
    """All that a build of one lab reads, beside the submission: make's own files, the headers that a lab may use,
    the translator, what judges calls and tells errors, and the parts that are linked with it. No suite, test, solution
    or other submission."""
    yield course.root / "Makefile"
    for pattern in ("*/*.mk", "*/*/*.mk", "labs/*/*.h", "labs/*/parts.c", "labs/*/*.cu", "simt/exports.list"):
        for path in sorted(course.root.glob(pattern)):
            if "tests" not in path.parts and not path.name.startswith("check_"):
                yield path
    yield from (
        path
        for path in (
            course.root / "simt" / "include",
            course.root / "simt" / "spaces",
            course.root / "labs" / "support" / "diagnose.py",
            course.build / "bin" / "cudac",
            course.build / "pch",
            course.build / device / "parts",
        )
        if path.exists()
    )
