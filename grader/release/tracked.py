"""Lists the files that belong to the course."""

import subprocess

from grader.model.errors import GraderFault
from grader.model.layout import Course

_GIT_SECONDS = 60


def tracked_files(course: Course) -> list[str]:
    """Paths relative to the root, sorted. With git these are its tracked files, so that stray files are left out;
    without git, all files. GraderFault when git fails."""
    if not (course.root / ".git").exists():
        return sorted(str(path.relative_to(course.root)) for path in course.root.rglob("*") if path.is_file())
    argv = ["git", "-C", str(course.root), "ls-files", "-z"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=_GIT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise GraderFault(f"git cannot list the course's files: {error}") from error
    return sorted(filter(None, done.stdout.split("\0")))
