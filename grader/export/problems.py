"""Prints findings as a compiler prints errors, one line each: `file:line:column: level: message`. Editors and problem
matchers read this. `problem-matcher.json` in this folder describes the form for GitHub Actions."""

from collections.abc import Iterator

from grader.export.annotate import remarks
from grader.export.choices import Choices
from grader.export.graded import Graded
from grader.export.report_terminal import clean
from grader.export.text import failed, sentence
from grader.model.types import LabResult, Outcome, SuiteKind


def problems(graded: Graded, choices: Choices) -> str:
    """The lines. choices.prefix is the folder of the files, such as `student/`. A failure without a line is reported at
    line 1."""
    return "".join(f"{line}\n" for lab in graded.results.labs for line in _lab(lab, choices.prefix))


def _lab(lab: LabResult, prefix: str) -> Iterator[str]:
    said = remarks(lab)
    for remark in said:
        detail = "; ".join(filter(None, (line.strip() for line in remark.detail.splitlines())))
        words = f"{remark.title}{': ' if detail else ''}{detail}"
        place = f"{prefix}{remark.file}:{remark.line}:{remark.column}"
        yield _line(place, remark.level, words, ", ".join(remark.parts))
    if lab.message and not said:
        yield _line(f"{prefix}{lab.source}:1:1", "error", f"{lab.status}: {lab.message}", "")
    named = {part for remark in said for part in remark.parts}
    for part in lab.parts:
        for aspect in part.aspects:
            tests = failed(aspect, SuiteKind.PUBLIC) or failed(aspect, SuiteKind.HIDDEN)
            if tests and part.name not in named:
                yield _line(f"{prefix}{lab.source}:1:1", "error", _words(tests[0]), part.name)
                break


def _words(test: Outcome) -> str:
    return f"{sentence(test)}: {test.message}"


def _line(place: str, level: str, words: str, source: str) -> str:
    told = "; ".join(filter(None, (piece.strip() for piece in clean(words).splitlines())))
    return f"{place}: {level}: {told}{f' [{source}]' if source else ''}"
