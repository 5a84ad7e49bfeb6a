"""Fills the table of all parts in grader/PROOFS.md: how each is proved or why it is only tested, and what that takes
for the reference.

usage: proofs.py [--check]

Each row is what `make prove` says about the part. With --check, nothing is written: rows of parts that are only tested,
and those of other parts that belong to PORTION, are compared with a new run, except for the seconds. The exit status is
1 if they differ.
"""

import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.audit.portion import is_taken  # noqa: E402
from grader.handin.discover import Lab, discover_labs  # noqa: E402
from grader.judge.records import Proof, Records  # noqa: E402
from grader.model.errors import UsageError  # noqa: E402
from grader.model.layout import Course  # noqa: E402
from grader.model.types import SuiteKind  # noqa: E402

PAGE = ROOT / "grader" / "PROOFS.md"
BUILD = ROOT / "build"
_TABLE = re.compile(r"(<!-- proofs -->\n\n).*?(?=<!-- end proofs -->)", re.DOTALL)
_COST = re.compile(r"\n(\d+) calls in \d+ s$")
_HEAD = (
    "| lab | part | by | for the reference, `make prove` says | calls | CPU seconds |",
    "|---|---|---|---|---|---|",
)
_TESTED = "only tested: "


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of a part."""

    lab: Lab
    part: str
    words: str
    calls: str = ""
    seconds: str = ""

    @property
    def by(self) -> str:
        if self.words.startswith(_TESTED):
            return "tests"
        if self.words.startswith("explored"):
            return "all schedules"
        if self.words.endswith(", for all inputs"):
            return "random inputs"
        return "fingerprints" if self.lab.stem == "reduction" else "intervals"

    def without_seconds(self) -> str:
        claim = self.words.removeprefix(_TESTED)
        return f"| {self.lab.number} | `{self.part}` | {self.by} | {claim} | {self.calls} |"

    def __str__(self) -> str:
        return f"{self.without_seconds()} {self.seconds} |".replace("|  ", "| ").replace("|  ", "| ")


def prove(lab: Lab, part: str) -> Row:
    """Runs the proof of the reference's part. UsageError when the suite's records are not whole."""
    found: list[Proof] = []
    records = Records(SuiteKind.PUBLIC, told=lambda event: found.append(event) if isinstance(event, Proof) else None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        command = [BUILD / "bin" / f"check_{lab.stem}", "--prove", "--part", part, "--records", str(file.fileno())]
        command += ["--submission", BUILD / "cpu" / "reference", "--runner", BUILD / "cpu" / "runner"]
        subprocess.run(command, cwd=ROOT, pass_fds=[file.fileno()], check=False)
        file.seek(0)
        for line in file:
            records.take(line)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if records.fault or len(found) != 1:
        raise UsageError(f"{part}: the suite says nothing about its proof: {records.fault}")
    words = found[0].words
    cost = _COST.search(words)
    if not cost:
        return Row(lab, part, words)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Row(lab, part, words[: cost.start()], cost[1], f"{seconds:.0f}" if seconds >= 1 else "< 1")


def build() -> None:
    """Builds the reference as `make prove` does. UsageError when that fails."""
    command = ["make", "--no-print-directory", "-j2", "build-lab", "WHO=reference", "SRC=reference", "BUILDS=proved"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"the reference does not build: {done.stderr}")


def check(labs: tuple[Lab, ...], text: str) -> int:
    """Compares the rows of the page. Returns the exit status."""
    rows = [line for line in text.splitlines() if re.match(r"\| \d", line)]
    wanted = [(lab, part.name) for lab in labs for part in lab.parts]
    same, failed = 0, False
    for lab, part in wanted:
        row = next((row for row in rows if row.startswith(f"| {lab.number} | `{part}` | ")), "")
        if " | tests | " not in row and not is_taken(f"proofs/{part}"):
            continue
        new = prove(lab, part)
        if row.startswith(new.without_seconds().replace("|  |", "| |")):
            same += 1
        else:
            failed = True
            print(f"not ok: {part}\n  {PAGE.relative_to(ROOT)} has: {row}\n  make prove says: {new}")
    if len(rows) != len(wanted):
        failed = True
        print(f"not ok: {PAGE.relative_to(ROOT)} has {len(rows)} rows, and there are {len(wanted)} parts")
    print(f"{same} rows of {PAGE.relative_to(ROOT)} say what make prove says")
    return int(failed)


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    try:
        labs = discover_labs(Course(ROOT))
        build()
        if sys.argv[1:] == ["--check"]:
            return check(labs, text)
        rows = [str(prove(lab, part.name)) for lab in labs for part in lab.parts]
    except UsageError as error:
        print(f"proofs: {error}", file=sys.stderr)
        return 2
    table = "\n".join((*_HEAD, *rows, "", ""))
    PAGE.write_text(_TABLE.sub(lambda match: match[1] + table, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
