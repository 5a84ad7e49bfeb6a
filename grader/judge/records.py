"""Reads the records of a suite: the only way in which the grader learns what a suite found.

labs/support/suite/suite_record.c writes them, one line of JSON each, and describes them. A stream counts only as a
whole: every planned test has one outcome, and the last record has the numbers of the outcomes.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from grader.model.typed import check_types, from_table
from grader.model.types import ASPECTS, Failure, Meter, Outcome, Status, SuiteKind
from grader.model.words import message

SIZE_CAP = 64 << 20  # limit for the records of one suite, in characters

_Key = tuple[str, str, str]  # of a test: part, aspect, name


@dataclass(frozen=True, slots=True)
class TestsSeen:
    """The progress of a running suite."""

    total: int
    done: int
    failed: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a part whose tests have ended."""

    part: str
    outcome: str  # holds, fails, or none
    words: str  # may be empty
    lengths: str  # all lengths that were checked, if it holds


@dataclass(frozen=True, slots=True)
class Again:
    """What the CPU device says about the call that has just failed on a GPU."""

    words: str
    failure: Failure | None


@dataclass(slots=True)
class Records:
    """Takes the lines of a stream one by one. `seen` is called when a test has an outcome, and `told` with the event
    itself."""

    suite: SuiteKind
    seen: Callable[[TestsSeen], None] = lambda _: None
    told: Callable[[Outcome | Proof | Again], None] = lambda _: None
    meters: dict[str, list[Meter]] = field(default_factory=dict)  # for each part
    proofs: dict[str, tuple[str, str]] = field(default_factory=dict)  # for each part: the words, and all lengths
    _planned: dict[_Key, Outcome | None] = field(default_factory=dict)  # the outcome of each test that has one
    _running: _Key | None = None
    _ended: bool = False
    _size: int = 0
    _fault: str = ""

    @property
    def planned(self) -> tuple[_Key, ...]:
        """Part, aspect and name of each test, in order."""
        return tuple(self._planned)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes so far, in the order of the plan."""
        return tuple(outcome for outcome in self._planned.values() if outcome)

    @property
    def fault(self) -> str:
        """Why no suite of the course can have written this stream as a whole; empty for a complete stream."""
        if self._fault or self._ended:
            return self._fault
        where = f", in the test {' '.join(self._running)}" if self._running else ""
        return f"its records end after {len(self.outcomes)} of {len(self._planned)} tests{where}"

    def take(self, line: str) -> None:
        """After a record that is wrong, the others are ignored."""
        self._size += len(line)
        if self._fault:
            return
        try:
            if self._size > SIZE_CAP:
                raise ValueError(f"they are larger than {SIZE_CAP >> 20} MiB")
            if self._ended:
                raise ValueError("it comes after the end")
            table = json.loads(line)
            self._take(table.pop("record"), table)
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            self._fault = f"a record is cut off or malformed: {error!r}: {line[:120]}"

    def _take(self, record: str, table: dict[str, Any]) -> None:
        match record:
            case "planned":
                self._plan(**table)
            case "started":
                self._start(**table)
            case "passed" | "failed" | "not run":
                self._end_test(record, **table)
            case "meter":
                part = table.pop("part")
                check_types(part, str)
                self.meters.setdefault(part, []).append(from_table(Meter, table | {"suite": self.suite}))
            case "proof":
                proof = from_table(Proof, table)
                self.proofs[proof.part] = (proof.words, proof.lengths)
                self.told(proof)
            case "again":
                self.told(from_table(Again, table))
            case "end":
                self._end(table)
            case _:
                raise ValueError(f"no kind of record: {record!r}")

    def _plan(self, part: str, aspect: str, test: str) -> None:
        check_types((part, aspect, test), _Key)
        if aspect not in ASPECTS:
            raise ValueError(f"no aspect: {aspect!r}")
        if (part, aspect, test) in self._planned or self._running or self.outcomes:
            raise ValueError("it is planned twice, or too late")
        self._planned[part, aspect, test] = None

    def _start(self, part: str, aspect: str, test: str) -> None:
        if self._running or self._planned[part, aspect, test]:
            raise ValueError("another test is running, or it has ended before")
        self._running = (part, aspect, test)

    def _end_test(self, record: str, part: str, aspect: str, test: str, **more: Any) -> None:
        key = (part, aspect, test)
        if self._running != (None if record == "not run" else key) or self._planned[key]:
            raise ValueError("it is not the test that is running, or it has ended before")
        failure, status, words = None, Status.PASSED, ""
        if record == "failed":
            failure = from_table(Failure, more["failure"])
            status, words = failure.status, message(failure)
        elif record == "not run":
            status, words = Status.NOT_RUN, f"not run: {more['reason']}"
        seconds = None if record == "not run" else more["seconds"]
        outcome = Outcome(test, part, aspect, self.suite, status, words, seconds, failure)
        check_types(outcome, Outcome)
        self._planned[key] = outcome
        self._running = None
        outcomes = self.outcomes
        self.seen(TestsSeen(len(self._planned), len(outcomes), sum(one.failed for one in outcomes)))
        self.told(outcome)

    def _end(self, table: dict[str, Any]) -> None:
        found = Counter("not run" if one.left_out else "failed" if one.failed else "passed" for one in self.outcomes)
        if table != {name: found[name] for name in ("passed", "failed", "not run")}:
            raise ValueError(f"its numbers are not those of the tests, {dict(found)}")
        if missing := [" ".join(key) for key, outcome in self._planned.items() if outcome is None]:
            raise ValueError(f"{len(missing)} of {len(self._planned)} tests have no outcome, such as {missing[0]}")
        self._ended = True
