"""The page of a class, for the instructor."""

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from grader.export.choices import Choices
from grader.export.graded import Class
from grader.export.page import percent, render
from grader.export.summary import DOUBTFUL, Common, PartRate, TestRate, share, summarize
from grader.model.gradebook import Entry, Form, Gradebook
from grader.model.types import ASPECTS, FAST

MOST_FINDINGS = 10
HARDEST = 25  # tests that are shown at once; the others are folded


@dataclass(frozen=True, slots=True)
class _Row:
    """A hand-in in the table."""

    entry: Entry
    report: str  # address of the report, relative to the page; empty when there is none

    @property
    def who(self) -> str:
        return ", ".join(student.name or student.id for student in self.entry.students)

    @property
    def ids(self) -> str:
        """Further words by which the search finds a student."""
        words = (word for student in self.entry.students for word in (student.id, student.email))
        return ", ".join(word for word in words if word not in {"", self.entry.name})

    @property
    def days_late(self) -> int:
        """The largest number of days of any lab."""
        return max((lab.days_late for lab in self.entry.labs), default=0)

    @property
    def percent(self) -> int | None:
        return None if self.entry.score is None else percent(self.entry.score, self.entry.max_score)


@dataclass(frozen=True, slots=True)
class _Rate:
    """The result of a part, in percent of the hand-ins that were judged."""

    of: PartRate
    full: int
    mean: int  # mean of the points, in percent
    aspects: list[int | None]  # percentages in the order of the columns


@dataclass(frozen=True, slots=True)
class _Share:
    of: Common | TestRate
    count: int
    out_of: int
    percent: int
    who: list[tuple[str, str]]  # hand-ins of this row: text and address of each link


def html(of: Class, choices: Choices) -> str:
    """The page. `choices.reports` is the folder of the reports `<name>.html`, relative to the page; empty when there
    are no reports."""
    book = of.gradebook
    summary = summarize(book, of.graded())
    rows = [_row(entry, choices.reports) for entry in book.entries]
    links = {row.entry.name: (row.who, row.report) for row in rows}
    graded = sum(not _is_absent(entry) for entry in book.entries)
    columns = (*ASPECTS, FAST) if any(FAST in part.offered for part in summary.parts) else ASPECTS
    most = max((one.count for one in summary.bins), default=0)

    def shared(one: Common | TestRate, out_of: int) -> _Share:
        who = [links[entry.name] for entry in one.who]
        place = f"#lab{one.lab}"
        who = [(words, f"{quote(page)}{place}" if page else "") for words, page in who]
        return _Share(one, len(who), out_of, share(len(who), out_of), who)

    tests = [shared(one, one.tried) for one in summary.tests]
    return render(
        "class_and_tests.html.j2",
        book=book,
        noun="student" if _is_term(book) else "hand-in",
        statuses=Counter(entry.status.value for entry in book.entries).most_common(),
        summary=summary,
        bins=[(one, percent(one.count, most) if most else 0) for one in summary.bins],
        rates=[_rate(part, columns) for part in summary.parts],
        findings=[shared(one, graded) for one in summary.findings[:MOST_FINDINGS]],
        tests=tests[:HARDEST],
        further=tests[HARDEST:],
        marked=sum(one.is_doubtful for one in summary.tests[HARDEST:]),
        doubtful=DOUBTFUL,
        rows=rows,
        aspects=columns,
        late=any(lab.days_late for entry in book.entries for lab in entry.labs),
    )


def _is_term(book: Gradebook) -> bool:
    return any(entry.form is Form.ROSTER for entry in book.entries)


def _is_absent(entry: Entry) -> bool:
    """True when nothing of it was graded."""
    return entry.results is None and all(lab.origin is None for lab in entry.labs)


def _row(entry: Entry, reports: str) -> _Row:
    has_page = bool(reports) and (entry.results is not None or entry.form is Form.ROSTER)
    return _Row(entry, str(PurePosixPath(reports) / f"{entry.name}.html") if has_page else "")


def _rate(part: PartRate, columns: tuple[str, ...]) -> _Rate:
    return _Rate(
        part,
        share(part.full, part.tried),
        share(part.points, part.tried * part.max_score),
        [share(part.earned[name], part.tried) if name in part.offered else None for name in columns],
    )
