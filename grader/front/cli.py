"""The command line: `python3 -m grader grade | class | stubs | release | audit | export | report ...`."""

import argparse
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

from grader.audit.report_audit import AuditProgress, count_line, print_matrix, to_table
from grader.audit.report_audit import to_json as audit_to_json
from grader.audit.run import Options as AuditOptions
from grader.audit.run import audit, default_jobs
from grader.classes.similar_command import add_parser as add_similar_parser
from grader.export.board_command import add_parser as add_board_parser
from grader.export.command import add_parsers as add_export_parsers
from grader.export.overview_command import add_parser as add_progress_parser
from grader.export.report_terminal import TerminalReport
from grader.front.autograder import add_parsers as add_autograder_parsers
from grader.front.cli_class import EPILOG as CLASS_EPILOG
from grader.front.cli_class import console_of, default_at_once, grade_class, progress_on_stderr
from grader.front.cli_term import add_parser as add_term_parser
from grader.judge.grade import FIXED_SEED, SEED_LIMIT, Options, grade, require_gpu
from grader.judge.progress import LiveProgress, PlainProgress, Progress
from grader.judge.settings import class_labs
from grader.judge.show import Asked, Trace, show
from grader.judge.suites import SUITE_SECONDS
from grader.model.errors import GraderError
from grader.model.findings import KINDS
from grader.model.layout import DEVICES, Course
from grader.model.results import to_json, write_atomically, write_results
from grader.release.pack import make_release, write_archives
from grader.release.stubs import check_stubs, write_stubs
from grader.walls.machine import jobs_at_once
from grader.walls.process import Stopped

EXIT_FULL_SCORE, EXIT_POINTS_LOST, EXIT_USAGE, EXIT_FAULT = 0, 1, 2, 3
EXIT_STOPPED = 130

# Number of suites that run at once. It is larger than the number of processors of a small machine, since a suite and
# its runner wait for each other, and not larger than a GPU's memory allows.
_LEAST_AT_ONCE, _MOST_AT_ONCE = 4, 8

_GRADE_EPILOG = """\
SUBMISSION is `student` (the default: the files in student/), `reference`, a folder that someone handed in, or
one or more .cu files with a lab's file name. Exit status: 0 full score, 1 points lost, 2 wrong usage,
3 a fault of the grader or the suites, which is nobody's score."""

_AUDIT_EPILOG = """\
The mutants are in reference/trials/<lab>/wrong/, the shortcuts in shortcuts/ and the alternatives in right/ next to it
(grader/audit/trials.py describes the format); the operators of --made are in grader/audit/operators.py. Exit
status: 0 when every mutant loses points, 98 % of them by the finding that they ask for, no shortcut has any, and
everything right keeps all of them; 1 when not; 2 when a mutant or a shortcut is broken."""


def main(argv: Sequence[str], root: Path | None = None) -> int:
    """Runs one command and returns the exit status. `root` is the course's tree, by default the one that contains this
    package."""
    course = Course((root or Path(__file__).parents[2]).resolve())
    os.umask(0o022)  # in the sandbox another user runs, who must be able to read what is compiled and run
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a message must not fail because of the terminal's character set
    arguments = _parser().parse_args(argv)
    command: Callable[[Course, argparse.Namespace], int] = arguments.command
    try:
        with _ended_by_sigterm():
            return command(course, arguments)
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return error.exit_status
    except (KeyboardInterrupt, Stopped):
        print("grader: stopped; no results were written", file=sys.stderr)
        return EXIT_STOPPED
    except BrokenPipeError:  # the reader of the output has ended, so nothing more can be printed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAULT


def _grade(course: Course, arguments: argparse.Namespace) -> int:
    options = Options(
        submission=arguments.submission,
        labs=[number for numbers in arguments.lab for number in numbers],
        seed=arguments.seed,
        device=arguments.device,
        public_only=arguments.public_only,
        sandbox=not arguments.no_sandbox,
        name=arguments.name,
        timeout=arguments.timeout,
        jobs=arguments.jobs,
    )
    to_stdout = arguments.json == Path("-")
    shown: contextlib.AbstractContextManager[Progress] = progress_on_stderr(PlainProgress, LiveProgress)
    with shown as progress:
        results = grade(course, options, Path.cwd(), progress, threading.Event())
    path = course.workplace(results.submission.name) / "results.json"
    write_results(path, results)
    if to_stdout:
        sys.stdout.write(to_json(results))
    elif arguments.json is not None:
        write_atomically(Path.cwd() / arguments.json, to_json(results).encode())
    TerminalReport(console_of(sys.stderr if to_stdout else sys.stdout)).print(results, course.relative(path))
    if results.score is None:
        return EXIT_FAULT
    return EXIT_FULL_SCORE if results.score == results.max_score else EXIT_POINTS_LOST


def _stubs(course: Course, arguments: argparse.Namespace) -> int:
    if arguments.check:
        drift = check_stubs(course)
        sys.stdout.write(drift)
        if drift:
            print("grader: student/ is not what reference/ gives; try: make stubs", file=sys.stderr)
        return EXIT_POINTS_LOST if drift else EXIT_FULL_SCORE
    written, kept = write_stubs(course, force=arguments.force)
    for path in written:
        print(f"wrote {course.relative(path)}")
    for path in kept:
        print(f"kept  {course.relative(path)}: it was edited; --force overwrites it", file=sys.stderr)
    return EXIT_POINTS_LOST if kept else EXIT_FULL_SCORE


def _show(course: Course, arguments: argparse.Namespace) -> int:
    labs = [number for numbers in arguments.lab for number in numbers]
    trace = Trace((course.root / arguments.trace[0]), arguments.trace[1]) if arguments.trace else None
    options = tuple(arguments.suite)
    asked = Asked([arguments.submission], labs, arguments.seed, options, not arguments.no_sandbox, trace)
    return EXIT_FULL_SCORE if show(course, asked, Path.cwd()) else EXIT_POINTS_LOST


def _require_gpu(course: Course, arguments: argparse.Namespace) -> int:
    require_gpu()
    return EXIT_FULL_SCORE


def _print_left_out(course: Course, arguments: argparse.Namespace) -> int:
    for lab in class_labs(course):
        if lab.stem == arguments.lab and lab.left_out:
            print(f"--leave-out {','.join(lab.left_out)}")
    return EXIT_FULL_SCORE


def _release(course: Course, arguments: argparse.Namespace) -> int:
    target = Path.cwd() / arguments.folder
    count = make_release(course, target)
    print(f"released {count} files to {arguments.folder}; no solution is among them, in no other words either")
    if arguments.archives is not None:
        for path in write_archives(course, target, Path.cwd() / arguments.archives):
            print(f"packed {course.relative(path)}")
    return EXIT_FULL_SCORE


def _audit(course: Course, arguments: argparse.Namespace) -> int:
    options = AuditOptions(
        labs=[number for numbers in arguments.lab for number in numbers],
        part=arguments.part,
        names=arguments.name,
        kinds=arguments.kind,
        sample=arguments.sample,
        made=arguments.made,
        draw=arguments.draw,
        seed=arguments.seed,
        jobs=arguments.jobs,
        full=arguments.full,
        keep=arguments.keep,
        exhaustive=arguments.exhaustive,
    )
    with AuditProgress(console_of(sys.stderr)) as progress:
        result = audit(course, options, progress.begin, progress.seen, threading.Event())
    path = course.workplace("audit") / "audit.json"
    write_atomically(path, audit_to_json(result).encode())
    write_atomically(path.with_name("smallest.md"), to_table(result).encode())
    print_matrix(console_of(sys.stdout), result)
    if arguments.sample or arguments.made:
        print(count_line(result))
    if any(verdict.broken for verdict in result.verdicts):
        return EXIT_USAGE
    return EXIT_FULL_SCORE if result.passed else EXIT_POINTS_LOST


def _add_show_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    shown = commands.add_parser("show", help="run the public suites of a hand-in, and show what they print")
    shown.set_defaults(command=_show)
    shown.add_argument("submission", metavar="SUBMISSION", help="a folder, or a .cu file")
    shown.add_argument("--lab", type=_lab_numbers, action="append", default=[], metavar="N", help="again for more")
    shown.add_argument("--seed", type=_number, default=FIXED_SEED, metavar="S", help="(default: %(default)s)")
    shown.add_argument("--no-sandbox", action="store_true", help="run it without one, at your own risk")
    shown.add_argument("--trace", nargs=2, metavar=("FILE", "BUILD"), help="record this build, such as sum.8, in FILE")
    shown.add_argument("--suite", nargs=argparse.REMAINDER, default=[], help="what follows are options of a suite")


def _add_jobs(parser: argparse.ArgumentParser, default: int, what: str) -> None:
    parser.add_argument(
        "--jobs", type=_count, default=default, metavar="N", help=f"{what} at the same time (default: %(default)s)"
    )


def _add_audit_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    audited = commands.add_parser(
        "audit", help="grade all mutants, shortcuts and alternatives of the reference", epilog=_AUDIT_EPILOG
    )
    audited.set_defaults(command=_audit)
    audited.add_argument(
        "--lab", type=_lab_numbers, action="append", default=[], metavar="N", help="only this lab; may be repeated"
    )
    audited.add_argument("--part", default="", metavar="PART", help="only the mutants of this part")
    audited.add_argument("--name", default="", metavar="TEXT", help="only those with TEXT in their name")
    audited.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=KINDS,
        metavar="KIND",
        help="only mutants that expect this kind, such as race; may be repeated",
    )
    audited.add_argument(
        "--exhaustive", action="store_true", help="compare the smallest wrong calls with a search through all calls"
    )
    audited.add_argument("--draw", type=_count, default=0, metavar="N", help="only N mutants, drawn with the seed")
    audited.add_argument(
        "--made",
        type=_count,
        default=0,
        metavar="N",
        help="instead, N mutants that operators make, drawn with the seed",
    )
    audited.add_argument(
        "--sample", action="store_true", help="one mutant and one shortcut of each kind, and no alternatives"
    )
    audited.add_argument("--seed", type=_number, default=FIXED_SEED, metavar="S", help="(default: %(default)s)")
    audited.add_argument(
        "--full", action="store_true", help="run the hidden suites too, even if the public one has killed the mutant"
    )
    audited.add_argument("--keep", action="store_true", help="keep what was built, in build/cpu/grade-audit-*")
    _add_jobs(audited, default_jobs(), "trials")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grader", description="Grades the labs of Scan Labs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    graded = commands.add_parser("grade", help="grade a submission", epilog=_GRADE_EPILOG)
    graded.set_defaults(command=_grade)
    graded.add_argument("submission", nargs="*", metavar="SUBMISSION", help="what to grade (default: student)")
    graded.add_argument("--json", type=Path, metavar="FILE", help="write the results there too; - for stdout")
    graded.add_argument("--name", metavar="NAME", help="results go to build/grade/NAME (default: the folder's name)")
    _add_run_options(graded, "fixed for student and reference, fresh for a hand-in")
    _add_jobs(graded, jobs_at_once(least=_LEAST_AT_ONCE, most=_MOST_AT_ONCE), "builds and suites")

    _add_show_parser(commands)

    whole = commands.add_parser("class", help="grade a folder of hand-ins", epilog=CLASS_EPILOG)
    whole.set_defaults(command=grade_class)
    whole.add_argument("folder", type=Path, metavar="FOLDER", help="the hand-ins")
    whole.add_argument("--again", action="store_true", help="grade known files again too, with the recorded seed")
    whole.add_argument(
        "--executor", choices=("local", "slurm"), default="local", help="where labs are graded (default: %(default)s)"
    )
    whole.add_argument("--name", metavar="NAME", help="results go to build/class/NAME (default: the folder's name)")
    _add_run_options(whole, "drawn once for a class and recorded")
    _add_jobs(whole, default_at_once(), "labs")

    add_term_parser(commands)

    stubs = commands.add_parser("stubs", help="make student/*.cu from reference/*.cu")
    stubs.set_defaults(command=_stubs)
    stubs.add_argument("--check", action="store_true", help="write nothing; show what differs, exit 1 if anything does")
    stubs.add_argument("--force", action="store_true", help="overwrite edited files too")

    _add_audit_parser(commands)

    gpu = commands.add_parser("need-gpu", help="fail with a message if there is no GPU for DEVICE=cuda")
    gpu.set_defaults(command=_require_gpu)

    left_out = commands.add_parser("left-out", help="print a suite's option for the parts that course.toml leaves out")
    left_out.set_defaults(command=_print_left_out)
    left_out.add_argument("lab", metavar="LAB", help="its source's name without .cu: naive_scan")

    add_export_parsers(commands)
    add_progress_parser(commands)
    add_autograder_parsers(commands)
    add_similar_parser(commands)
    add_board_parser(commands)

    release = commands.add_parser("release", help="make the students' tree")
    release.set_defaults(command=_release)
    release.add_argument("folder", type=Path, metavar="DIR", help="a new folder, or an earlier release")
    release.add_argument(
        "--archives", type=Path, metavar="DIR", help="also write archives of it and of the instructor's tree there"
    )
    return parser


def _add_run_options(parser: argparse.ArgumentParser, seed: str) -> None:
    """Adds the options for running suites, which are the same for all commands that do."""
    parser.add_argument(
        "--lab", type=_lab_numbers, action="append", default=[], metavar="N", help="only this lab; may be repeated"
    )
    parser.add_argument(
        "--seed", type=_seed, metavar="S", help=f"a number, or `random` for a fresh one (default: {seed})"
    )
    parser.add_argument("--device", choices=DEVICES, default="cpu", help="where kernels run (default: cpu)")
    parser.add_argument("--public-only", action="store_true", help="leave the hidden suites out")
    parser.add_argument(
        "--no-sandbox", action="store_true", help="run the code without a sandbox, with all your rights"
    )
    parser.add_argument(
        "--timeout",
        type=_positive,
        default=float(SUITE_SECONDS),
        metavar="SECONDS",
        help=f"deadline of one suite (default: {SUITE_SECONDS})",
    )


def _lab_numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a lab's number") from None


def _seed(text: str) -> int | str:
    if text == "random":
        return text
    if not text.isdecimal() or int(text) >= SEED_LIMIT:
        raise argparse.ArgumentTypeError(f"{text!r} is neither `random` nor a number from 0 to {SEED_LIMIT - 1}")
    return int(text)


def _number(text: str) -> int:
    seed = _seed(text)
    if isinstance(seed, str):
        raise argparse.ArgumentTypeError("a number: an audit is to be repeatable")
    return seed


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Makes SIGTERM end a grading as Ctrl-C does, with its child processes."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
