"""Garbage for the readers of files that one program writes for another: each must accept its input, or refuse it with
the one error that it promises. What is accepted must be usable by the exporters."""

import contextlib
import json
from dataclasses import asdict, replace
from pathlib import Path

from grader.classes.intake import contents_of
from grader.classes.roster import METADATA, TIMES, find_hand_ins
from grader.export import FORMATS, OfOne
from grader.export.audience import Audience, for_audience
from grader.export.graded import Class, Graded
from grader.judge.records import Records
from grader.model import gradebook, results
from grader.model.errors import UsageError
from grader.model.typed import from_table, to_table
from grader.model.types import Failure, Status, SuiteKind
from grader.model.words import message
from grader.tests import formats
from grader.tests.classes.test_roster import GRADESCOPE
from grader.tests.exported import faulty, write_class
from grader.tests.exported import results as made
from grader.tests.garbage import damaged, damaged_json, feed
from grader.tests.planted import Row, found, meter, proof, race, stream
from grader.walls.cgroup import find_cgroups

ROWS = (
    Row("up", "correct"),
    Row("up", "clean", message=found(race(31, 29, count=4))),
    Row("down", "correct", "t", "wrong"),
)


def shown(graded: Graded) -> None:
    for name, exporter in FORMATS.items():
        if isinstance(exporter, OfOne):
            with contextlib.suppress(UsageError):
                formats.of_one(name, graded).encode()


def shown_of_class(book: gradebook.Gradebook, folder: Path) -> None:
    """Leaves out results.json, which the test above damages."""
    klass = Class(replace(book, entries=tuple(replace(entry, results=None) for entry in book.entries)), folder)
    for name, exporter in FORMATS.items():
        if not isinstance(exporter, OfOne):
            with contextlib.suppress(UsageError):
                formats.of_class(name, klass)


def test_results_are_refused_or_can_be_shown() -> None:
    good = [json.loads(results.to_json(one)) for one in (made(), faulty())]

    def take(text: str) -> None:
        try:
            taken = results.from_json(text)
        except ValueError:
            return
        for audience in Audience:
            shown(Graded(for_audience(taken, audience), audience, {}))
        results.to_json(taken).encode()

    feed(damaged_json(good), take)


def test_a_gradebook_is_refused_or_can_be_shown(tmp_path: Path) -> None:
    good = json.loads(write_class(tmp_path, 4).read_text(encoding="utf-8"))

    def take(text: str) -> None:
        try:
            book = gradebook.from_json(text)
        except ValueError:
            return
        gradebook.to_csv(book).encode()
        shown_of_class(book, tmp_path)

    feed(damaged_json([good]), take)


def test_records_of_failures_are_refused_or_have_words() -> None:
    good = [to_table(row.message) for row in ROWS if isinstance(row.message, Failure)]

    def take(text: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            message(from_table(Failure, json.loads(text))).encode()

    feed(damaged_json(good), take)


def test_the_records_of_a_suite_are_a_whole_or_refused() -> None:
    good = stream(ROWS, meter("up", "combines", 3, 4, size="5", formula="n") + proof("up", "checked", "all")).encode()

    def take(data: bytes) -> None:
        records = Records(SuiteKind.PUBLIC)
        for line in data.decode(errors="replace").split("\n")[:-1]:
            records.take(line)
        assert records.fault or len(records.outcomes) == len(ROWS)
        assert all(outcome.message.encode() or outcome.status is Status.PASSED for outcome in records.outcomes)

    feed(damaged([good]), take)


def test_what_the_reader_of_hand_ins_says_is_read_or_refused() -> None:
    good = [{"files": {"x.cu": "aW50"}, "ignored": [["b", "a link"]], "notes": ["x"], "refused": {"y.cu": "two"}}]

    def take(text: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
            contents_of(json.loads(text))

    feed(damaged_json(good), take)


def test_a_list_of_gradescope_is_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "submission_7").mkdir()
    (tmp_path / "submission_7" / "one.cu").write_text("int a;")

    def take(data: bytes) -> None:
        (tmp_path / METADATA).write_bytes(data)
        with contextlib.suppress(UsageError):
            (only,) = find_hand_ins(tmp_path, ["one.cu"])
            assert only.students
            assert all(isinstance(word, str) for student in only.students for word in asdict(student).values())

    feed(damaged([GRADESCOPE.encode()]), take)


def test_times_of_an_instructor_are_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "one.cu").write_text("int a;")

    def take(data: bytes) -> None:
        (tmp_path / TIMES).write_bytes(data)
        with contextlib.suppress(UsageError):
            (only,) = find_hand_ins(tmp_path, ["one.cu"])
            assert only.submitted is None or only.submitted.tzinfo

    feed(damaged([b'student,submitted\nada,2026-11-01T23:59:00+01:00\n"bob",2026-11-01 10:00Z\n']), take)


def test_the_kernel_s_lists_of_groups_are_read_whatever_they_hold(tmp_path: Path) -> None:
    files = {name: tmp_path / "proc" / name for name in ("mountinfo", "cgroup")}
    (tmp_path / "proc").mkdir()
    lines = f"30 20 0:26 / {tmp_path}/tree rw,nosuid shared:9 - cgroup2 cgroup2 rw\n", "0::/a/b\n"

    def take(data: bytes) -> None:
        for (name, path), good in zip(files.items(), lines, strict=True):
            path.write_bytes(data if data[:1] > b"~" or name == "cgroup" else good.encode())
        found = find_cgroups(tmp_path / "proc")
        assert isinstance(found, str)

    feed(damaged([line.encode() for line in lines]), take)
