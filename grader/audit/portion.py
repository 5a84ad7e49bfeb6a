"""Which trials a run of the project's own tests takes. To build and run all trials takes an hour, so `make check`
takes a ninth of them, and of whole programs and of commands in documents, too, and a third of the findings. Which ones
depends on the commit, and `PORTION=all make check` takes all. A trial belongs to a portion by its name alone, so a new
trial does not move others.

`python3 -m grader.audit.portion [--third] NAME...` prints the names that belong to the portion, or to the third of all
that contains it."""

import os
import sys
import zlib

from grader.model.errors import UsageError

PORTION = "PORTION"  # `all`, or the number of a portion from 0 and the number of portions: 1/3


def is_taken(name: str, third: bool = False) -> bool:
    """True if the trial belongs to the portion that the environment names, or to the third of all trials with every
    third portion. Without one, all trials belong to it."""
    words = os.environ.get(PORTION, "all")
    if words == "all":
        return True
    index, slash, portions = words.partition("/")
    if not (slash and index.isdigit() and portions.isdigit() and int(index) < int(portions)):
        raise UsageError(f"{PORTION}={words}: write `all`, or a portion from 0 and their number, as in 1/3")
    count = 3 if third else int(portions)
    return zlib.crc32(name.encode()) % count == int(index) % count


if __name__ == "__main__":
    third = sys.argv[1:2] == ["--third"]
    print(*(name for name in sys.argv[1 + third :] if is_taken(name, third)))
