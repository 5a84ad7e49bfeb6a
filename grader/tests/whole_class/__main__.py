"""`python -m grader.tests.whole_class`: grades a class of 300, made of all that the tree holds, and holds the grader to
what it promises: the rates, the memory, that what was stopped by Ctrl-C and by kill -9 goes on to the same gradebook,
that Slurm and the downloads of Canvas, Moodle and Gradescope give the same scores, and that all exporters are valid."""

import argparse
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model import gradebook
from grader.model.gradebook import Entry, Gradebook
from grader.model.layout import Course
from grader.tests.whole_class import slurm, valid
from grader.tests.whole_class.hand_ins import DOWNLOADS, Made, make_class, write_mixed
from grader.tests.whole_class.measure import Measured, Stop, run

COURSE = Course(Path(__file__).resolve().parents[3])
PLACE = COURSE.build / "whole-class"
RATE = {False: 15.0, True: 5.0}  # submissions a minute on two processors: of one lab each, of all labs
MOST_MB = 300.0  # of the grader itself
TIMEOUT = 1800  # seconds of a suite. Part of what a verdict is kept under: one second more, and all is graded anew
NAMES = "mixed"


@dataclass
class Tally:
    """What was checked."""

    passed: int = 0
    failed: int = 0

    def check(self, holds: bool, what: str, otherwise: str = "") -> None:
        """Counts one property, and says so."""
        self.passed += holds
        self.failed += not holds
        print(f"{'ok' if holds else 'NOT OK'}: {what}{'' if holds or not otherwise else f': {otherwise}'}", flush=True)


@dataclass(frozen=True, slots=True)
class Plan:
    """What the command line asks for."""

    made: list[Made]
    whole: bool
    seed: int
    jobs: int | None
    fresh: int  # makes keys of this run differ from those of earlier ones

    def grade(self, folder: Path, name: str, cold: int, *options: str) -> list[str]:
        """The command that grades a folder. Gradings of the same `cold` know each other's verdicts."""
        jobs = ["--jobs", str(self.jobs)] if self.jobs else []
        timeout = TIMEOUT + self.fresh + cold / 100
        return [
            *(sys.executable, "-m", "grader", "class", str(folder), "--name", name, "--seed", str(self.seed)),
            *("--timeout", f"{timeout:g}", *jobs, *options),
        ]


def main() -> int:
    """Exit status 0 when everything holds."""
    arguments = _arguments()
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's background job ignores it, and so do its children
    made = make_class(COURSE, arguments.size, arguments.labs == "all", arguments.seed)
    plan = Plan(made, arguments.labs == "all", arguments.seed, arguments.jobs, os.getpid() % 1000)
    tally = Tally()
    shutil.rmtree(PLACE, ignore_errors=True)
    for folder in (COURSE.build / "class").glob("whole-class-*"):
        shutil.rmtree(folder)
    write_mixed(PLACE / NAMES, made)
    _say_what_is_in_it(made)

    first = run(plan.grade(PLACE / NAMES, "whole-class-once", 0), COURSE.root, PLACE / "once.log")
    _check_run(tally, plan, first)
    if not _book_path("whole-class-once").exists():
        print(first.output[-4000:])
        return 1
    _check_scores(tally, made, _read("whole-class-once"))
    _check_downloads(tally, plan)
    if not arguments.no_stops:
        _check_stops(tally, plan)
    if arguments.slurm:
        _check_slurm(tally, plan, arguments.slurm)
    valid.check(tally.check, _book_path("whole-class-once"), PLACE / "exports")
    print(f"whole-class: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="whole_class", description=__doc__)
    parser.add_argument("--size", type=int, default=300, metavar="N", help="hand-ins (default: %(default)s)")
    parser.add_argument("--labs", choices=("one", "all"), default="one", help="in each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides who hands in what, and is the grading's")
    parser.add_argument("--jobs", type=int, metavar="N", help="labs at a time (default: the grader's)")
    parser.add_argument("--slurm", type=int, default=0, metavar="N", help="so many of them through Slurm as well")
    parser.add_argument("--no-stops", action="store_true", help="leave out what is stopped and goes on")
    return parser.parse_args()


def _say_what_is_in_it(made: list[Made]) -> None:
    counts: dict[str, int] = {}
    for one in made:
        for kind in one.kinds:
            counts[kind.split()[0]] = counts.get(kind.split()[0], 0) + 1
    print(
        f"{len(made)} hand-ins: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), flush=True
    )


def _check_run(tally: Tally, plan: Plan, measured: Measured) -> None:
    size, processors = len(plan.made), os.cpu_count() or 1
    rates = {"by the clock": 60 * size / measured.seconds}
    if measured.cpu_seconds is not None:  # others may be at work here: what they took, the grader has not
        rates[f"by {processors} processors' seconds"] = 60 * size * processors / measured.cpu_seconds
        print(f"processor seconds: {measured.cpu_seconds:.0f}, {measured.cpu_seconds / size:.1f} a submission")
    said = ", ".join(f"{rate:.1f} {by}" for by, rate in rates.items())
    print(f"cold, {processors} processors: {measured.seconds:.0f} s; submissions a minute: {said}")
    print(f"memory: grader {measured.own_mb:.0f} MB, with all that runs {measured.whole_mb:.0f} MB")
    tally.check(measured.status == 0, "the whole class is graded, without a fault", measured.output[-2000:])
    wanted = RATE[plan.whole] * processors / 2
    tally.check(max(rates.values()) >= wanted, f"{wanted:g} submissions a minute", said)
    tally.check(
        measured.own_mb < MOST_MB, f"the grader itself takes less than {MOST_MB:g} MB", f"{measured.own_mb:.0f}"
    )
    tally.check(measured.left == 0, "no process is left", str(measured.left))


def _check_scores(tally: Tally, made: list[Made], book: Gradebook) -> None:
    """Each gets what its kind says: everything, nothing, or less than everything."""
    entries = {entry.name[:8]: entry for entry in book.entries}
    tally.check(len(book.entries) == len(made), "each hand-in has its line", f"{len(book.entries)} of {len(made)}")
    sources = {lab.source: lab for lab in book.labs}
    wrong: list[str] = []
    for one in made:
        entry = entries[one.key]
        kinds = [kind for kind in one.kinds if kind != "nothing"]
        for kind, name in zip(kinds, one.files, strict=True):
            grade = next(grade for grade in entry.labs if grade.number == sources[name].number)
            if not _is_right(kind, grade.raw, grade.max_score):
                wrong.append(f"{entry.name}: {name}, {kind}: {grade.raw} of {grade.max_score}")
    tally.check(not wrong, "right ones have every point, stubs and cheats none, mutants not all", "\n".join(wrong))


def _is_right(kind: str, raw: int | None, most: int) -> bool:
    match kind.split(maxsplit=1)[0]:
        case "reference" | "alternative":
            return raw == most
        case "mutant" | "shortcut":
            return raw is not None and raw < most
        case _:
            return raw == 0


def _check_downloads(tally: Tally, plan: Plan) -> None:
    """The same hand-ins as three platforms hand them out: all verdicts are known, and all scores the same."""
    once = {entry.name[:8]: entry for entry in _read("whole-class-once").entries}
    by_id = {f"{4000 + one.number}": one.key for one in plan.made}
    for form, write in DOWNLOADS.items():
        write(PLACE / form, plan.made)
        name = f"whole-class-{form}"
        done = run(plan.grade(PLACE / form, name, 0), COURSE.root, PLACE / f"{form}.log")
        tally.check(
            "0 labs' files were graded now" in done.output, f"{form}: nothing is graded twice", done.output[-500:]
        )
        differ = [
            f"{entry.name}: {entry.score}, {once[key].score}"
            for entry in _read(name).entries
            if (key := _key(entry, by_id)) and [g.parts for g in entry.labs] != [g.parts for g in once[key].labs]
        ]
        tally.check(not differ, f"{form}: the same points", "\n".join(differ))


def _key(entry: Entry, by_id: dict[str, str]) -> str:
    who = entry.students[0].id
    return by_id.get(who, who)


def _check_stops(tally: Tally, plan: Plan) -> None:
    """Ctrl-C at a third, kill -9 at two thirds, then to the end."""
    name, size = "whole-class-stopped", len(plan.made)
    command = plan.grade(PLACE / NAMES, name, 1)
    # The second call counts from where the first one stopped.
    for number, (share, how) in enumerate(((3, signal.SIGINT), (3, signal.SIGKILL)), start=1):
        stop = Stop(max(size // share, 1), how)
        done = run(command, COURSE.root, PLACE / f"stop-{number}.log", stop)
        wanted = 130 if how is signal.SIGINT else -how
        tally.check(done.status == wanted, f"stopped by {how.name}", f"exit status {done.status}")
        tally.check(done.left == 0, f"no process is left after {how.name}", str(done.left))
    end = run(command, COURSE.root, PLACE / "stop-end.log")
    tally.check(end.status == 0, "the same command goes on to the end", end.output[-1000:])
    _check_same(tally, name, "stopped twice and resumed")


def _check_slurm(tally: Tally, plan: Plan, size: int) -> None:
    """So many of the hand-ins, through a Slurm of one node on this machine."""
    some = Plan(plan.made[:size], plan.whole, plan.seed, plan.jobs, plan.fresh)
    write_mixed(PLACE / "some", some.made)
    once, through = "whole-class-some", "whole-class-slurm"
    run(some.grade(PLACE / "some", once, 0), COURSE.root, PLACE / "some.log")
    with slurm.here(COURSE, PLACE) as why_not:
        if why_not:
            tally.check(False, "through Slurm", why_not)
            return
        command = some.grade(PLACE / "some", through, 2, "--executor", "slurm")
        done = run(command, COURSE.root, PLACE / "slurm.log")
        tally.check(done.status == 0, "graded through Slurm", done.output[-2000:])
    _check_same(tally, through, "through Slurm", once)


def _check_same(tally: Tally, name: str, how: str, other: str = "whole-class-once") -> None:
    """The gradebook to the byte, and all that is in results.json but times."""
    mine, theirs = (_book_path(one).read_bytes() for one in (name, other))
    same = mine.replace(f'"batch": "{name}"'.encode(), f'"batch": "{other}"'.encode()) == theirs
    tally.check(same, f"{how}: the same gradebook", f"{_book_path(name)} differs from {_book_path(other)}")
    differ = [
        f"{path.parent.name}: {where}"
        for path in sorted(_book_path(other).parent.glob("submissions/*/results.json"))
        for where in _differences(
            _table(path), _table(_book_path(name).parent / path.relative_to(_book_path(other).parent))
        )
    ]
    tally.check(not differ, f"{how}: the same tests and messages", "\n".join(differ[:10]))


_TIMES = {"started", "duration", "seconds"}


def _differences(a: Any, b: Any, where: str = "") -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b} - _TIMES):
            yield from _differences(a.get(key), b.get(key), f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _differences(x, y, f"{where}[{i}]")
    elif a != b:
        yield f"{where}: {str(a)[:200]!r}, {str(b)[:200]!r}"


def _table(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _book_path(name: str) -> Path:
    return COURSE.build / "class" / name / gradebook.JSON_NAME


def _read(name: str) -> Gradebook:
    return gradebook.from_json(_book_path(name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
