"""The errors that end a grading early, and helpers that make texts safe to print. Each message says what is wrong and
what to do."""

import errno


class GraderError(Exception):
    """Base of the errors that the command line reports without a traceback."""

    exit_status = 3


class UsageError(GraderError):
    """The command line, a lab.toml or a submission's path is wrong: exit status 2."""

    exit_status = 2


class GraderFault(GraderError):
    """The grader or something that it trusts failed: exit status 3. It never counts against a student."""

    exit_status = 3


class Refused(Exception):
    """A hand-in cannot be read or inspected. The message gives the reason, in words for its author."""


def describe_os_error(error: OSError) -> str:
    """The reason for the error and, for the usual ones, what to do about it."""
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{reason}; free some space and grade again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{reason}; check the owner and the permissions of the folder"
    return reason


def printable(text: str) -> str:
    """The text, with every character replaced that could harm a terminal, a page or a JSON file: control characters,
    escape sequences, and bytes of file names that are not UTF-8."""
    clean = text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in clean)
