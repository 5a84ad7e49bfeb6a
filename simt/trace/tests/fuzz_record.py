"""Feeds garbage to the reader of records, which must read it or refuse it with its own error."""

import contextlib
from pathlib import Path

from document import build
from events import TraceError, read_record

from grader.tests.garbage import damaged, feed

SEEDS = Path(__file__).parent / "seeds"


def test_a_record_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "record"

    def take(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(TraceError):
            build(read_record(path), None, {})

    feed(damaged([found.read_bytes() for found in sorted(SEEDS.iterdir())]), take)
