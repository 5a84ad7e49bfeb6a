"""make sanitize: what NVIDIA's compute-sanitizer finds in the parts of labs, in the form of the CPU device's findings.

usage: sanitize.py BUILD WHO [--part PART] LAB...

Runs the public suite of each part with the runner under each of the four tools; the runs are spread over the GPUs and
take place at the same time. Prints a verdict for each part and tool, with the findings below it, and finally
`sanitize: N passed, N failed`. The exit status is 0, 1 if a tool or a suite reports something, or 2 without
compute-sanitizer.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sanitizer_log import Log, parse_log

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SHOWN = 4  # reports of one tool about a part
CUDA = Path("/usr/local/cuda/bin")


@dataclass(frozen=True)
class Job:
    """One tool on one part."""

    lab: str
    part: str
    tool: str
    gpu: int


def parts_of(lab: str, part: str) -> list[str]:
    folder = next(path for path in Path("labs").glob("[1-9]-*") if path.name[2:].replace("-", "_") == lab)
    names = re.findall(r'^name = "(.*)"$', (folder / "lab.toml").read_text(), re.MULTILINE)
    return [name for name in names if part in ("", name)]


def gpus() -> int:
    done = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=False)
    return max(1, len(done.stdout.splitlines()))


def run(job: Job, sanitizer: str, build: str, who: str) -> tuple[bool, str]:
    """Returns whether nothing was reported, and what to print."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "grader.judge.shown", f"{build}/bin/check_{job.lab}"]
        words += ["--submission", f"{build}/cuda/{who}"]
        words += ["--runner", f"{build}/cuda/runner", "--device", "cuda", "--no-guards", "--part", job.part]
        words += ["--enough", "1", "--sandbox", f"{sanitizer} --tool {job.tool} --log-file {folder}/%p.log"]
        environment = os.environ | {"CUDA_VISIBLE_DEVICES": str(job.gpu)}
        suite = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        log = Log()
        for path in sorted(Path(folder).glob("*.log")):
            parse_log(path.read_text(errors="replace"), log)
    good = suite.returncode == 0 and log.runs > 0 and not log.reports
    count = len(log.reports)
    lines = [f"  {'ok    ' if good else 'FAILED'} {job.tool:9}  {count} finding{'' if count == 1 else 's'}"]
    lines += [f"      {line}" for report in log.reports[:SHOWN] for line in report.text(job.tool).splitlines()]
    if len(log.reports) > SHOWN:
        lines.append(f"      ... and {len(log.reports) - SHOWN} more")
    if not good and not log.reports:
        lines += [f"      {line}" for line in failure_of(suite)]
    return good, "\n".join(lines)


def failure_of(suite: subprocess.CompletedProcess[str]) -> list[str]:
    """The begin of the first failure of a suite in whose runs the tool has reported nothing."""
    match = re.search(r"^  FAILED .*\n((?:      .*\n){1,2})", suite.stdout, re.MULTILINE)
    said = (match[1] if match else suite.stderr or suite.stdout).splitlines()[:2]
    return ["the suite has found what the tool does not report:", *(f"    {line.strip()}" for line in said)]


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("who")
    parser.add_argument("--part", default="")
    parser.add_argument("labs", nargs="+")
    options = parser.parse_args()
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=str(CUDA))
    if not sanitizer:
        print("sanitize: compute-sanitizer is not on the PATH; it comes with the CUDA Toolkit", file=sys.stderr)
        return 2
    count = gpus()
    pairs = [(lab, part) for lab in options.labs for part in parts_of(lab, options.part)]
    jobs = [
        Job(lab, part, tool, (len(TOOLS) * i + k) % count)
        for i, (lab, part) in enumerate(pairs)
        for k, tool in enumerate(TOOLS)
    ]
    passed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = pool.map(lambda job: run(job, sanitizer, options.build, options.who), jobs)
        for job, (good, text) in zip(jobs, results, strict=True):
            if job.tool == TOOLS[0]:
                print(f"\n{job.part}")
            print(text, flush=True)
            passed += good
    print(f"\nsanitize: {passed} passed, {len(jobs) - passed} failed")
    return 0 if passed == len(jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
