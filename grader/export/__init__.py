"""Exporters: each reads the model (results.json or gradebook.json) and makes one file from it. None changes the model,
and none reads anything that the file's readers may not see (audience.py).

The table below declares for each format what it shows and how its file names end. Each format has a test of the same
name in grader/tests/formats/, whose `valid` decides what the format's reader accepts. The checks of all formats fail
for a format that has no such test.
"""

from collections.abc import Callable
from dataclasses import dataclass

from grader.export.autolab import autolab
from grader.export.canvas import anonymous, canvas, comments
from grader.export.choices import Choices as Choices
from grader.export.classroom50 import classroom50
from grader.export.github import job_summary
from grader.export.graded import Class, Graded
from grader.export.gradescope import gradescope
from grader.export.html_class import html as html_class
from grader.export.html_report import html as html_report
from grader.export.moodle import feedback, moodle
from grader.export.problems import problems
from grader.model.errors import UsageError
from grader.model.gradebook import Form


@dataclass(frozen=True, slots=True)
class OfOne:
    """An exporter of one grading."""

    summary: str
    write: Callable[[Graded, Choices], str]
    suffix: str = ".txt"  # of the file's name
    first_only: bool = False  # True: it shows the first failure of each part instead of all


@dataclass(frozen=True, slots=True)
class OfClass:
    """An exporter of a class, for the instructor."""

    summary: str
    write: Callable[[Class, Choices], str | bytes]
    suffix: str = ".csv"  # of the file's name
    only: Form | None = None  # the service whose student numbers it needs
    of_term: bool = False  # True: it finds these numbers in a term's book, too
    fills_in: bool = False  # True: it needs no numbers when it is given a worksheet to fill in

    def make(self, klass: Class, choices: Choices) -> str | bytes:
        """Makes the file. UsageError when a hand-in did not come from the service that the format is for."""
        known = {self.only, Form.ROSTER} if self.of_term else {self.only}
        for entry in klass.gradebook.entries if self._needs_numbers(choices) else ():
            if entry.form not in known:
                advice = "\n    try: --worksheet, with the one that you download" if self.fills_in else ""
                words = f"{entry.name} was not downloaded from {self.only}: its student's number is not known"
                raise UsageError(words + advice)
        return self.write(klass, choices)

    def _needs_numbers(self, choices: Choices) -> bool:
        return self.only is not None and not (self.fills_in and choices.worksheet)


FORMATS: dict[str, OfOne | OfClass] = {
    "html": OfOne("a page: source with findings, points, meters, how to repeat", lambda g, _: html_report(g), ".html"),
    "gradescope": OfOne("Gradescope's results.json", gradescope, ".json"),
    "autolab": OfOne("what Autolab reads: words, and JSON as the last line", lambda g, _: autolab(g)),
    "github": OfOne("Markdown for GITHUB_STEP_SUMMARY", lambda g, _: job_summary(g), ".md"),
    "classroom50": OfOne("Classroom 50's result.json, made by its runner", classroom50, ".json"),
    "problems": OfOne("file:line:column: error: words, for editors", problems, first_only=True),
    "class": OfClass("a page of a class: scores, parts, findings, tests", html_class, ".html"),
    "canvas": OfClass("CSV for Canvas's gradebook", canvas),
    "canvas-comments": OfClass("comments for Canvas's API, as JSON", comments, ".json", Form.CANVAS, True),
    "canvas-anonymous": OfClass("grades and comments for anonymous hand-ins", anonymous, ".zip", Form.CANVAS),
    "moodle": OfClass("Moodle's grading worksheet, filled in", moodle, only=Form.MOODLE, fills_in=True),
    "moodle-feedback": OfClass("a zip file of the students' pages for Moodle", feedback, ".zip", Form.MOODLE, True),
}
