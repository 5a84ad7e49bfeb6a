"""Restricts a program by Landlock, for machines on which bubblewrap cannot run. Landlock is a part of the kernel that
restricts access to files, and any process may apply it to itself.

    python3 -I -S grader/walls/confine.py OPTION... -- PROGRAM ARGUMENT...

    --read PATH         the program may read and run PATH and everything below it
    --write PATH        it may also change, create and remove files there
    --change PATH       it may write to existing files at or below PATH
    --list PATH         it may list the names in PATH and in all folders below it
    --set NAME=VALUE    sets a variable; the environment has no others

The program and all processes that it starts can open no other file. If the kernel supports it, they cannot make a TCP
connection or send a signal to a process outside. They gain no rights. The exit status is that of the program, or
128 plus the signal's number if a signal ended it. It is 125, and nothing is started, if the walls cannot be made.

There is no process namespace whose end would end all processes in it. Instead, a keeper process runs outside the
walls, between the caller and the program. A process whose parent dies becomes a child of the keeper, in whatever
session or group it is. When the program ends, this process is killed or the caller ends, the keeper kills all
processes that are left.
"""

import contextlib
import ctypes
import os
import signal
import stat
import struct
import sys
import time
from typing import NoReturn

# From linux/landlock.h. The numbers of the system calls are the same on all machines.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version of Landlock -> number of file rights that it has
_LIST = 1 << 3  # read a folder
_READ = 1 << 0 | 1 << 2 | _LIST  # execute, read a file
_CHANGE = 1 << 1 | 1 << 14  # write, truncate
_OF_A_FILE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # execute, write, read, truncate, ioctl
CLOSES_TCP = 4  # the first version that can forbid TCP connections
_NETWORK = 1 << 0 | 1 << 1  # bind and connect
_SCOPES = 1 << 0 | 1 << 1  # abstract sockets and signals, from version 6
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38

_CANNOT = 125
_POLL_SECONDS = 0.002

_DEVICES = (("--write", "/dev/null"), ("--read", "/dev/zero"), ("--read", "/dev/urandom"), ("--read", "/proc/self"))

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """The version of Landlock in this kernel; 0 if there is none."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, _VERSION)))


def _call(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def _lock_in(rules: list[tuple[str, str]]) -> None:
    """Restricts this process. OSError when that is not possible."""
    version = landlock_version()
    if version == 0:
        raise OSError("this kernel has no Landlock")
    rights = (1 << _RIGHTS_BY_VERSION.get(version, 16)) - 1
    words = [rights, _NETWORK if version >= CLOSES_TCP else 0, _SCOPES if version >= 6 else 0]
    size = 24 if version >= 6 else 16 if version >= CLOSES_TCP else 8
    attributes = struct.pack("=QQQ", *words)
    ruleset = _call("landlock_create_ruleset", _libc.syscall(_CREATE_RULESET, attributes, size, 0))
    for option, path in rules:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        allowed = {"--write": rights, "--read": _READ, "--list": _LIST, "--change": _CHANGE}[option]
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            allowed &= _OF_A_FILE
        rule = struct.pack("=Qi", allowed & rights, place)
        _call(path, _libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
        os.close(place)
    _call("prctl", _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _call("landlock_restrict_self", _libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _end_with(parent: int, number: signal.Signals) -> None:
    """Requests a signal for this process at the end of its parent."""
    _call("prctl", _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0))
    if os.getppid() != parent:
        sys.exit(_CANNOT)


def _become(rules: list[tuple[str, str]], program: list[str], environment: dict[str, str]) -> NoReturn:
    """Replaces this process by the program, behind the walls."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and the program would inherit that
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        _lock_in(rules)
        os.execve(program[0], program, environment)
    except OSError as error:
        os.write(2, f"confine: {error}\n".encode())
    os._exit(_CANNOT)


def _status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _let_go() -> None:
    """Closes the file descriptors that were meant for the program. The reader of a pipe sees its end only when every
    process has closed it."""
    for number in [int(entry.name) for entry in os.scandir("/proc/self/fd")]:
        with contextlib.suppress(OSError):  # the descriptor of the listing itself is closed already
            if number > 2:
                os.close(number)


def _keep(program: int) -> int:
    """The work of the keeper, whose signals are blocked. Returns the status of the program."""
    while signal.sigwait({signal.SIGCHLD, signal.SIGTERM}) == signal.SIGCHLD:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                return _status(ended[1])
    return 128 + signal.SIGKILL


def _kill_the_rest() -> None:
    """Kills the remaining processes level by level: when a process dies, its children become children of the keeper."""
    while True:
        for number in _children():
            # The number cannot belong to another process yet, because only the parent can free it
            os.kill(number, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(_POLL_SECONDS)
        except ChildProcessError:
            return


def _children() -> list[int]:
    own, found = os.getpid(), []
    for name in [entry.name for entry in os.scandir("/proc") if entry.name.isdecimal()]:
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:  # it has just ended
            continue
        if parent == own:
            found.append(int(name))
    return found


def _start_keeper(rules: list[tuple[str, str]], program: list[str], environment: dict[str, str]) -> int:
    """Starts the keeper and returns its process number."""
    starter = os.getpid()
    keeper = os.fork()
    if keeper:
        return keeper
    status = _CANNOT
    try:
        # A new session, so that a signal to the starter's group cannot end the keeper before its work is done
        os.setsid()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _call("prctl", _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
        _end_with(starter, signal.SIGTERM)
        number = os.fork()
        if number == 0:
            _become(rules, program, environment)
        _let_go()
        status = _keep(number)
        _kill_the_rest()
    except OSError as error:
        os.write(2, f"confine: {error}\n".encode())
    finally:
        os._exit(status)


def main(words: list[str]) -> int:
    """Starts the program and waits until all of its processes are gone."""
    end = words.index("--")
    options = list(zip(words[:end:2], words[1:end:2], strict=True))
    environment = dict(value.split("=", 1) for option, value in options if option == "--set")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _end_with(os.getppid(), signal.SIGKILL)
    rules = [*_DEVICES, *(pair for pair in options if pair[0] != "--set")]
    keeper = _start_keeper(rules, words[end + 1 :], environment)
    _let_go()
    return _status(os.waitpid(keeper, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
