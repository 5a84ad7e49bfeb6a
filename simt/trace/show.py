"""Shows what a program did on the CPU device.

A FILE is a record, as SIMT_TRACE=FILE makes the device write it, or a trace that was made of one before. Prints the
table of its steps, and writes the trace, a page or a figure where the options say so."""

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import document
import figure
import terminal
from events import NothingLaunched, TraceError, read_record
from page import page

_HEAD = '["simt record"'


def load(path: Path, sources: list[Path], submission: str = "", telling: str = "") -> dict[str, Any]:
    """The trace in a file; a record is converted. Raises TraceError when the file is neither."""
    try:
        with path.open(encoding="utf-8") as file:
            is_record = file.read(len(_HEAD)) == _HEAD
            file.seek(0)
            found: Any = None if is_record else json.load(file)
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TraceError(f"{path} is neither a record nor a trace: SIMT_TRACE={path} ./program writes one") from error
    if not is_record:
        return check(found, path)
    case_file = path.with_name(path.name + ".case")
    case = json.loads(case_file.read_text(encoding="utf-8")) if case_file.exists() else None
    try:
        record = read_record(path)
    except NothingLaunched as error:
        raise (TraceError(_not_written(case, sources, submission)) if case else error) from error
    return document.build(record, case, read_sources(sources), telling)


def _not_written(case: dict[str, Any], sources: list[Path], submission: str) -> str:
    """For a part that launched nothing: its name and what to do."""
    files = " ".join(path.name if submission else str(path) for path in sources)
    size = f"SHAPE={case['rows']}x{case['columns']}" if "rows" in case else f"N={case['n']}"
    again = f"make run LAB={case['lab']} PART={case['part']} MONOID={case['monoid']} {size} SEED={case['seed']}"
    return (
        f"{case['part']} launched no kernel, so there is nothing to see\n"
        f"    try: write it in {files}, or look at what this says:\n"
        f"    {again} INPUT={case['input']}" + (f" SUBMISSION={shlex.quote(submission)}" if submission else "")
    )


def read_sources(paths: list[Path]) -> dict[str, str]:
    try:
        return {path.name: path.read_text(encoding="utf-8", errors="replace") for path in paths}
    except OSError as error:
        raise TraceError(f"cannot read the source {error.filename}: {error.strerror}") from error


def check(found: Any, path: Path) -> dict[str, Any]:
    """Returns a trace that this program can read; raises TraceError for any other document."""
    if not isinstance(found, dict) or found.get("format") != document.FORMAT:
        raise TraceError(f"{path} is no trace: its format is not {document.FORMAT}")
    if found.get("version") != document.VERSION:
        raise TraceError(
            f"{path} is a trace of version {found.get('version')}, and this reads version {document.VERSION}: "
            "make it again from its record"
        )
    return found


def write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TraceError(f"cannot write {path}: {error.strerror}") from error
    print(path, file=sys.stderr)


def run(arguments: argparse.Namespace) -> None:
    trace = load(arguments.file, arguments.source, arguments.submission, arguments.telling)
    console = terminal.console_of(arguments.width)
    if arguments.json:
        write(arguments.json, json.dumps(trace, separators=(",", ":")) + "\n")
    if arguments.html:
        write(arguments.html, page(trace))
    if arguments.svg:
        look = figure.Look(trace["title"], ranges=arguments.ranges, threads=arguments.threads)
        write(arguments.svg, figure.steps(trace, look))
    if arguments.step:
        terminal.walk(trace, console, arguments.ranges)
    elif not arguments.quiet:
        terminal.print_table(trace, console, arguments.ranges)


def main() -> int:
    parser = argparse.ArgumentParser(prog="show.py", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--source", type=Path, action="append", default=[], help="a source file that sites name")
    parser.add_argument("--submission", default="", help="the setting SUBMISSION of make, for the command in a message")
    parser.add_argument("--telling", default="", metavar="MONOID", help="one that shows the order of operands")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the trace")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page that shows the trace in any browser")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a figure of all steps")
    parser.add_argument("--threads", action="store_true", help="in a figure, which threads wrote, and lanes at work")
    parser.add_argument("--quiet", action="store_true", help="do not print the table")
    parser.add_argument("--step", action="store_true", help="go through the steps by key")
    parser.add_argument("--ranges", action="store_true", help="which inputs a value is made of, in the place of it")
    parser.add_argument("--width", type=int, help="columns of the table; 0: no limit (the terminal's)")
    try:
        run(parser.parse_args())
    except TraceError as error:
        print(f"trace: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("trace: the record is too long to be drawn; try: a smaller N", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
