"""Exporters: each reads the model (results.json or gradebook.json) and gives one text. None changes it, and none reads
anything that its reader may not see (audience.py)."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.export.autolab import autolab
from grader.export.github import classroom, job_summary
from grader.export.graded import Class, Graded
from grader.export.gradescope import AFTER_DUE_DATE, gradescope
from grader.export.html_class import html as html_class
from grader.export.html_report import html as html_report
from grader.export.lms import canvas, moodle
from grader.export.problems import problems


@dataclass(frozen=True, slots=True)
class Choices:
    """What the command line asks of those exporters that leave something open."""

    labs: tuple[int, ...] = ()  # of a gradebook; empty: all
    columns: tuple[tuple[int, str], ...] = ()  # Canvas's names of labs
    visibility: str = AFTER_DUE_DATE  # Gradescope's, of what hidden tests decide
    prefix: str = ""  # before the file names that editors read
    reports: str = ""  # folder of the students' pages, from the page of the class


@dataclass(frozen=True, slots=True)
class OfOne:
    """An exporter of one grading."""

    summary: str
    write: Callable[[Graded, Choices], str]


@dataclass(frozen=True, slots=True)
class OfClass:
    """An exporter of a class, for its instructor."""

    summary: str
    write: Callable[[Class, Choices], str]


FORMATS: dict[str, OfOne | OfClass] = {
    "html": OfOne("a page: source with findings, points, meters, how to repeat", lambda g, _: html_report(g)),
    "gradescope": OfOne("Gradescope's results.json", lambda g, c: gradescope(g, c.visibility)),
    "autolab": OfOne("what Autolab reads: words, and JSON as the last line", lambda g, _: autolab(g)),
    "github": OfOne("Markdown for GITHUB_STEP_SUMMARY", lambda g, _: job_summary(g)),
    "classroom": OfOne("JSON for GitHub Classroom's reporter", lambda g, _: classroom(g)),
    "problems": OfOne("file:line:column: error: words, for editors", lambda g, c: problems(g, c.prefix)),
    "class": OfClass("a page of a class: scores, parts, findings, tests", lambda k, c: html_class(k, c.reports)),
    "canvas": OfClass("CSV for Canvas's gradebook", lambda k, c: canvas(k.gradebook, c.labs, dict(c.columns))),
    "moodle": OfClass("CSV for Moodle's grading worksheet", lambda k, c: moodle(k.gradebook, c.labs)),
}
