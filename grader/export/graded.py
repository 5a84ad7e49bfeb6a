"""The input of an exporter: a results.json and the files that were graded."""

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path

from grader.export.audience import CATEGORY, Audience, for_audience
from grader.handin.archive import SIZE_CAP
from grader.model.errors import UsageError, describe_os_error
from grader.model.gradebook import Entry, Gradebook
from grader.model.gradebook import from_json as gradebook_from_json
from grader.model.results import from_json
from grader.model.types import Results

RESULTS_CAP = 256 << 20  # limit for one file, in bytes


@dataclass(frozen=True, slots=True)
class Graded:
    """One grading, as its audience may see it."""

    results: Results
    audience: Audience
    sources: dict[str, str]  # file name -> text; empty when the files are not available
    hidden: str = CATEGORY  # what a student may see of a hidden test: course.toml's hidden_tests
    entry: Entry | None = None  # entry of the gradebook, if it is one of a class

    @property
    def for_student(self) -> Results:
        """The results as a student may see them, for any audience."""
        if self.audience is Audience.STUDENT:
            return self.results
        return for_audience(self.results, Audience.STUDENT, self.hidden)


@dataclass(frozen=True, slots=True)
class Class:
    """One batch. The results of its hand-ins are read one at a time from their files, because a class may be large."""

    gradebook: Gradebook
    folder: Path  # folder of the gradebook
    hidden: str = CATEGORY  # what a student may see of a hidden test: course.toml's hidden_tests

    def results_of(self, entry: Entry) -> Results | None:
        """The results of a hand-in; None when nothing was graded. UsageError when the file cannot be read. For a
        student in a term's book, each lab comes from the hand-in that counts."""
        return _joined([results for results, _source in self._read(entry)])

    def load(self, entry: Entry, audience: Audience) -> Graded | None:
        """The input for an exporter of one grading. None when nothing was graded."""
        read = self._read(entry)
        results = _joined([results for results, _source in read])
        if results is None:
            return None
        sources = {name: text for of, source in read for name, text in _sources(of, source)}
        return Graded(for_audience(results, audience, self.hidden), audience, sources, self.hidden, entry)

    def _read(self, entry: Entry) -> list[tuple[Results, Path]]:
        """The results and the folder of the files: of the hand-in, or of each lab of a term's student. Only labs of the
        entry are in them."""
        if entry.results is not None:
            numbers = {grade.number for grade in entry.labs}
            return [(_only(read_results(self.folder / entry.results), numbers), self.folder / (entry.source or ""))]
        found: list[tuple[Results, Path]] = []
        for grade in entry.labs:
            if grade.origin is not None and grade.origin.results is not None:
                path = self.folder / grade.origin.results
                read = _only(read_results(path), {grade.number})
                files = tuple(lab.source for lab in read.labs if lab.source in read.submission.files)
                found.append((replace(read, submission=replace(read.submission, files=files)), path.parent / "src"))
        return found

    def graded(self) -> Iterator[tuple[Entry, Results | None]]:
        return ((entry, self.results_of(entry)) for entry in self.gradebook.entries)


def _only(results: Results, numbers: Set[int]) -> Results:
    return replace(results, labs=tuple(lab for lab in results.labs if lab.number in numbers))


def _joined(read: list[Results]) -> Results | None:
    """One grading of all labs."""
    labs = tuple(lab for results in read for lab in results.labs)
    return replace(read[-1], labs=labs) if read else None


def read_input(path: Path) -> Results | Gradebook:
    """Reads a results.json or a gradebook.json. UsageError when it is neither."""
    text = _read(path)
    try:
        table = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    is_gradebook = isinstance(table, dict) and "entries" in table
    try:
        return gradebook_from_json(text) if is_gradebook else from_json(text)
    except ValueError as error:
        raise UsageError(f"cannot read {path}: {error}\n    try: a results.json or a gradebook.json") from error


def read_gradebook(path: Path, why: str) -> Gradebook:
    """Reads a gradebook.json. UsageError when it is not one; `why` says why only a gradebook can be used."""
    book = read_input(path)
    if not isinstance(book, Gradebook):
        raise UsageError(f"{path} is a results.json; {why}: a gradebook.json")
    return book


def read_results(path: Path) -> Results:
    """Reads a results.json. UsageError when it is not one."""
    try:
        return from_json(_read(path))
    except ValueError as error:
        raise UsageError(f"cannot read {path}: {error}") from error


def load(results: Results, source: Path, audience: Audience, hidden: str = CATEGORY) -> Graded:
    """The results for this audience, with those graded files that are in the folder `source`."""
    return Graded(for_audience(results, audience, hidden), audience, dict(_sources(results, source)), hidden)


def _sources(results: Results, folder: Path) -> Iterator[tuple[str, str]]:
    for name in results.submission.files:
        path = folder / name
        if Path(name).name != name or path.is_symlink() or not path.is_file():
            continue
        try:
            with open(path, "rb") as stream:
                yield name, stream.read(SIZE_CAP).decode("utf-8", errors="replace")
        except OSError as error:
            raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > RESULTS_CAP:
            raise UsageError(f"{path} is larger than {RESULTS_CAP >> 20} MiB")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(f"cannot read {path}: it is not there\n    try: make grade first, which writes one") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}") from error
