"""Prints the result on a terminal: a table by lab and part, with the first failure of each.

It only reads the model. A message may contain output of the submission, so control characters are replaced.
"""

import textwrap

from rich.console import Console
from rich.text import Text

from grader.model.types import (
    ASPECTS,
    BUBBLEWRAP,
    FAST,
    AspectResult,
    LabResult,
    PartResult,
    Results,
    Status,
    SuiteKind,
    columns_of,
)
from grader.model.words import UNJUDGED, own_words, tally

MESSAGE_LINES = 14  # lines shown of one message; results.json has the rest
IGNORED_SHOWN = 8
MAX_WIDTH = 120  # limit for the table's width on a wide terminal

_NAME = 24  # width that is enough for most names of parts
_LEAST_SUMMARY = 30  # a part's summary is shown if it gets at least this width
_CELL = 10  # width of an aspect's column
_LOST = 7
_MESSAGE_INDENT = "      "
_KEEP_WHOLE = "replay:"  # a line that begins with this is a command to copy, and is never broken
_REORDERING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F}

_STATUS_STYLE = {Status.PASSED: "green", Status.GRADER_FAULT: "magenta"}


class TerminalReport:
    """Prints one grading on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = min(console.width, MAX_WIDTH)
        self._columns: tuple[str, ...] = ASPECTS  # columns of the current lab

    def print(self, results: Results, results_path: str) -> None:
        """Prints the whole report. results_path is the path of results.json as the reader would type it."""
        self._head(results)
        for lab in results.labs:
            self._lab(lab)
        self._foot(results, results_path)

    # ---- head and foot ---------------------------------------------------------------------------------

    def _head(self, results: Results) -> None:
        submission = results.submission
        self._line(
            Text.assemble(
                (submission.name, "bold"), f"  on the {results.device} device, seed {results.seed}, {_suites(results)}"
            )
        )
        if results.device == "cuda":
            judged = "correct and fast" if FAST in columns_of(results.labs) else "correct only"
            self._wrapped(f"note: a GPU judges {judged}; clean and efficient are judged with DEVICE=cpu", "", "yellow")
        if not results.sandbox.used:
            self._wrapped(f"note: not sandboxed: {results.sandbox.note}", "", "yellow")
        elif results.sandbox.note != BUBBLEWRAP:
            self._wrapped(f"note: {results.sandbox.note}", "", "yellow")
        for entry in submission.ignored[:IGNORED_SHOWN]:
            self._wrapped(f"ignored: {entry.path} ({entry.reason})", "", "yellow")
        more = len(submission.ignored) - IGNORED_SHOWN
        if more > 0:
            self._line(Text(f"ignored: {more} more; results.json lists them", "yellow"))

    def _foot(self, results: Results, results_path: str) -> None:
        self._line(Text(""))
        self._line(self._row("Total", _points(results.score, results.max_score), _points_style(results)))
        if results.score is None:
            self._wrapped(
                "The grader could not judge everything, so there is no total. This is not the submission's "
                "fault: correct what is reported above, then grade again.",
                "",
                "magenta",
            )
        self._line(Text(f"results: {clean(results_path)}"))

    # ---- labs ------------------------------------------------------------------------------------------

    def _lab(self, lab: LabResult) -> None:
        self._line(Text(""))
        title = f"Lab {lab.number}  {lab.title}"
        row = self._row(title, _points(lab.score, lab.max_score), _points_style(lab))
        row.stylize("bold", 0, len(title))
        self._line(row)
        if lab.message:
            style = _STATUS_STYLE.get(lab.status, "red")
            self._line(Text(f"  {lab.status}", style))
            self._message(lab.message)
        if any(aspect.tests for part in lab.parts for aspect in part.aspects):
            self._parts(lab)

    def _parts(self, lab: LabResult) -> None:
        self._columns = columns_of([lab])
        heads = "".join(f"{aspect:>{_CELL}}" for aspect in self._columns) + f"{'lost':>{_LOST}}"
        self._line(Text(f"  {'part':<{self._name_width}}{heads}", "dim"))
        for part in lab.parts:
            self._part(part)

    def _part(self, part: PartResult) -> None:
        aspects = {aspect.name: aspect for aspect in part.aspects}
        line = Text(f"  {_shorten(part.name, self._name_width)}")
        room = self._name_width - max(len(part.name), _NAME) - 4
        if room >= _LEAST_SUMMARY:
            line.append(f"{'':<{max(_NAME - len(part.name), 0)}}  {_shorten(part.summary, room)}", "dim")
        line.pad_right(2 + self._name_width - len(line))
        for name in self._columns:
            aspect = aspects.get(name)
            cell = "" if aspect is None else _points(aspect.earned, aspect.points)
            line.append(f"{cell:>{_CELL}}", "" if aspect is None else _aspect_style(aspect))
        lost = 0 if part.score is None else part.max_score - part.score
        line.append(f"{-lost if lost else '':>{_LOST}}", "red")
        self._line(line)

        if part.proof:
            self._wrapped(part.proof, "    ", "dim")
        shown: set[str] = set()
        unjudged = [aspect for aspect in part.aspects if _is_unjudged(aspect)]
        for aspect in part.aspects:
            if aspect.first_failure is not None and aspect not in unjudged:
                self._failure(aspect, shown)
        self._aside(unjudged, UNJUDGED)
        self._aside([aspect for aspect in part.aspects if aspect.withheld], "passed; counts once the part is correct")

    def _failure(self, aspect: AspectResult, shown: set[str]) -> None:
        """Prints the first failing test of an aspect. A message is shown once; after similar findings only its first
        line is printed. `shown` has what the part's earlier aspects printed."""
        test = aspect.first_failure
        assert test is not None
        count = tally(aspect.tests)
        finding = test.message if test.failure is None else own_words(test.failure)
        abrupt = "" if test.status is Status.FAILED else f"{test.status}, "
        if (abrupt or finding) in shown:
            self._line(Text(f"    {aspect.name}: {count}, {abrupt}as above", "red"))
            return
        shown.add(abrupt or finding)
        findings = [] if test.failure is None else [one.alike for one in test.failure.findings]
        repeats = bool(findings) and not (test.failure and test.failure.said) and shown.issuperset(findings)
        shown.update(findings)
        hidden = ", hidden" if test.suite is SuiteKind.HIDDEN else ""
        title = clean(test.id).replace("_", " ")
        self._wrapped(f"{aspect.name}: {count}; the first: {title}{hidden}", "    ", "red")
        self._message(test.message.partition("\n")[0] if repeats else test.message)

    def _aside(self, aspects: list[AspectResult], remark: str) -> None:
        if aspects:
            self._line(Text(f"    {', '.join(aspect.name for aspect in aspects)}: {remark}", "dim"))

    # ---- lines -----------------------------------------------------------------------------------------

    @property
    def _name_width(self) -> int:
        return max(self._width - 2 - _CELL * len(self._columns) - _LOST, 12)

    def _row(self, left: str, right: str, style: str) -> Text:
        room = self._width - len(right) - 1
        return Text.assemble(f"{_shorten(left, room):<{room}} ", (right, style))

    def _message(self, message: str) -> None:
        lines = clean(message).splitlines()
        cut = lines if len(lines) <= MESSAGE_LINES else [*lines[: MESSAGE_LINES - 2], "...", lines[-1]]
        for line in cut:
            self._wrapped(line, _MESSAGE_INDENT, "")

    def _wrapped(self, line: str, indent: str, style: str) -> None:
        body = clean(line)
        own = body[: len(body) - len(body.lstrip())]
        if body.lstrip().startswith(_KEEP_WHOLE):
            self._line(Text(indent + body, style))
            return
        for piece in textwrap.wrap(
            body.strip(),
            width=self._width,
            initial_indent=indent + own,
            subsequent_indent=indent + own + "  ",
            break_long_words=True,
            break_on_hyphens=False,
        ) or [""]:
            self._line(Text(piece, style))

    def _line(self, text: Text) -> None:
        text.rstrip()
        self._console.print(text, soft_wrap=True, highlight=False, markup=False)


def clean(text: str) -> str:
    """Replaces characters that control a terminal or reverse text by '?'."""
    return "".join(
        character if (character.isprintable() and ord(character) not in _REORDERING) or character in "\n" else "?"
        for character in text.expandtabs(4).replace("\r\n", "\n")
    )


def _suites(results: Results) -> str:
    kinds = {kind for lab in results.labs for kind in lab.suites}
    if kinds == {SuiteKind.PUBLIC}:
        return "public tests only"
    return "public and hidden tests" if kinds else "no tests run"


def _points(score: int | None, max_score: int) -> str:
    return f"{'?' if score is None else score}/{max_score}"


def _points_style(result: LabResult | Results) -> str:
    if result.score is None:
        return "bold magenta"
    return "bold green" if result.score == result.max_score else "bold red"


def _aspect_style(aspect: AspectResult) -> str:
    if aspect.earned is None:
        return "magenta"
    return "green" if aspect.earned == aspect.points else "red"


def _is_unjudged(aspect: AspectResult) -> bool:
    """True when its first failure says only that the result is wrong, which `correct` has already reported."""
    return aspect.first_failure is not None and aspect.first_failure.unjudged


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."
