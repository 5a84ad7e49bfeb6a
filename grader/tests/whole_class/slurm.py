"""Runs a Slurm of one node on this machine during a block."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader.model.layout import Course

NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "squeue")


@contextlib.contextmanager
def here(course: Course, logs: Path) -> Iterator[str]:
    """Yields the reason why there is none, or an empty text when SLURM_CONF belongs to one."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        yield f"needs root and {', '.join(missing or NEEDED)}; apt-get install slurm-wlm munge"
        return
    script = course.root / "grader" / "tests" / "slurm_here"
    # Munge refuses a folder in which others may write
    folder = Path(tempfile.mkdtemp(prefix=".slurm-", dir=Path.home()))
    try:
        said = subprocess.run([script, "start", folder], capture_output=True, text=True, timeout=60, check=False)
        if said.returncode != 0:
            yield f"it does not start: {said.stderr.strip()[-500:]}"
            return
        os.environ["SLURM_CONF"] = said.stdout.strip().removeprefix("SLURM_CONF=")
        yield ""
    finally:
        os.environ.pop("SLURM_CONF", None)
        subprocess.run([script, "stop", folder], check=False, timeout=60)
        with contextlib.suppress(OSError):
            shutil.copytree(folder / "log", logs / "slurm-logs", dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
