"""`python -m grader.tests.whole_class`: grades a class of 300, made from everything in the tree, and checks the
grader's promises. These are the rates and the memory; that a grading continues after Ctrl-C and after kill -9 to the
same gradebook; that Slurm and the downloads of Canvas, Moodle and Gradescope give the same scores; and that all exports
are valid."""

import argparse
import os
import shutil
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from grader.model.gradebook import Entry, Gradebook
from grader.tests.whole_class import compare, slurm, valid
from grader.tests.whole_class.compare import COURSE, Tally, book_path, read_book
from grader.tests.whole_class.hand_ins import DOWNLOADS, Made, make_class, write_mixed
from grader.tests.whole_class.measure import Measured, Stop, run

PLACE = COURSE.build / "whole-class"
RATE = {False: 15.0, True: 2.5}  # submissions a minute on two processors, with one lab each and with all labs
MOST_MB = 300.0  # limit for the memory of the grader itself
# Time limit of a suite in seconds; it is part of the key of a verdict, so another value would grade everything again
TIMEOUT = 1800
NAMES = "mixed"
ONCE = "whole-class-once"


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings from the command line."""

    made: list[Made]
    whole: bool
    seed: int
    jobs: int | None
    fresh: int  # makes the keys of this run differ from those of earlier ones

    def grade(self, folder: Path, name: str, cold: int, *options: str) -> list[str]:
        """The command that grades a folder. Gradings with the same `cold` share their verdicts."""
        jobs = ["--jobs", str(self.jobs)] if self.jobs else []
        timeout = TIMEOUT + self.fresh + cold / 100
        return [
            *(sys.executable, "-m", "grader", "class", str(folder), "--name", name, "--seed", str(self.seed)),
            *("--timeout", f"{timeout:g}", *jobs, *options),
        ]


def main() -> int:
    """Runs all checks. The exit status is 0 when everything holds."""
    arguments = _arguments()
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's background job ignores SIGINT, and its children would too
    made = make_class(COURSE, arguments.size, arguments.labs == "all", arguments.seed)
    plan = Plan(made, arguments.labs == "all", arguments.seed, arguments.jobs, os.getpid() % 1000)
    tally = Tally()
    shutil.rmtree(PLACE, ignore_errors=True)
    for folder in (COURSE.build / "class").glob("whole-class-*"):
        shutil.rmtree(folder)
    write_mixed(PLACE / NAMES, made)
    _say_what_is_in_it(made)

    first = run(plan.grade(PLACE / NAMES, ONCE, 0), COURSE.root, PLACE / "once.log")
    _check_run(tally, plan, first)
    if not book_path(ONCE).exists():
        print(first.output[-4000:])
        return 1
    _check_scores(tally, made, read_book(ONCE))
    _check_downloads(tally, plan)
    if not arguments.no_stops:
        _check_stops(tally, plan)
    if arguments.slurm:
        _check_slurm(tally, plan, arguments.slurm)
    valid.check(tally.check, book_path(ONCE), PLACE / "exports")
    print(f"whole-class: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="whole_class", description=__doc__)
    parser.add_argument("--size", type=int, default=300, metavar="N", help="hand-ins (default: %(default)s)")
    parser.add_argument("--labs", choices=("one", "all"), default="one", help="in each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed for the hand-ins and for the grading")
    parser.add_argument("--jobs", type=int, metavar="N", help="labs at a time (default: the grader's)")
    parser.add_argument("--slurm", type=int, default=0, metavar="N", help="also grade this many of them through Slurm")
    parser.add_argument("--no-stops", action="store_true", help="leave out the gradings that are stopped and continued")
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
    if measured.cpu_seconds is not None:  # processor time counts only this command, because others may use the machine
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
    """Each hand-in gets the points of its kind: all, none, or fewer than all."""
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
    """Grades the same hand-ins as three platforms export them: all verdicts are known, and all scores are equal."""
    once = {entry.name[:8]: entry for entry in read_book(ONCE).entries}
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
            for entry in read_book(name).entries
            if (key := _key(entry, by_id)) and [g.parts for g in entry.labs] != [g.parts for g in once[key].labs]
        ]
        tally.check(not differ, f"{form}: the same points", "\n".join(differ))


def _key(entry: Entry, by_id: dict[str, str]) -> str:
    who = entry.students[0].id
    return by_id.get(who, who)


def _check_stops(tally: Tally, plan: Plan) -> None:
    """Stops it by Ctrl-C at a third and by kill -9 at two thirds, and then lets it end."""
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
    compare.check_same(tally, name, ONCE, "stopped twice and resumed")


def _check_slurm(tally: Tally, plan: Plan, size: int) -> None:
    """Grades some of the hand-ins through a Slurm of one node on this machine."""
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
    compare.check_same(tally, through, once, "through Slurm")


if __name__ == "__main__":
    sys.exit(main())
