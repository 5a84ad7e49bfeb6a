"""Which trials a run of the project's own tests takes. To build and run all trials takes an hour, so `make check`
takes a sixth of them, and of whole programs and of commands in documents, too. Which sixth depends on the commit, and
`PORTION=all make check` takes all. A trial belongs to a sixth by its name alone, so a new trial does not move others.

`python3 -m grader.audit.portion NAME...` prints the names that belong to the portion."""

import os
import sys
import zlib

from grader.model.errors import UsageError

PORTION = "PORTION"  # `all`, or the number of a portion from 0 and the number of portions: 1/3


def is_taken(name: str) -> bool:
    """True if the trial belongs to the portion that the environment names. Without one, all trials belong to it."""
    words = os.environ.get(PORTION, "all")
    if words == "all":
        return True
    index, slash, portions = words.partition("/")
    if not (slash and index.isdigit() and portions.isdigit() and int(index) < int(portions)):
        raise UsageError(f"{PORTION}={words}: write `all`, or a portion from 0 and their number, as in 1/3")
    return zlib.crc32(name.encode()) % int(portions) == int(index)


if __name__ == "__main__":
    print(*filter(is_taken, sys.argv[1:]))
