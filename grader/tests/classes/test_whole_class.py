"""The class that `make check-class` grades: what is packed can be unpacked again, and errors in the results would be
found."""

import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

from grader.classes.intake import read_hand_in
from grader.classes.roster import find_hand_ins
from grader.handin.discover import discover_labs
from grader.tests.real import COURSE
from grader.tests.whole_class.__main__ import _is_right
from grader.tests.whole_class.compare import differences
from grader.tests.whole_class.hand_ins import DOWNLOADS, MIX, Made, make_class, write_mixed
from grader.tests.whole_class.measure import Stop, _control_group, _members, run
from grader.walls.cgroup import _remove_leftovers

SIZE = 42
PACKED = 4  # each fourth hand-in is packed and read


@pytest.fixture(scope="module", params=[False, True], ids=["one lab", "all labs"])
def made(request: pytest.FixtureRequest) -> list[Made]:
    return make_class(COURSE, SIZE, request.param, 1)


def test_most_kinds_are_there_and_nearly_all_files_differ(made: list[Made]) -> None:
    kinds = [kind.split(maxsplit=1)[0] for one in made for kind in one.kinds]
    assert set(kinds) <= set(MIX)
    assert {"reference", "alternative", "mutant", "stub", "shortcut", "broken"} <= set(kinds)
    contents = [content for one in made for content in one.files.values() if content]
    assert len(set(contents)) > 0.8 * len(contents)


@pytest.mark.parametrize("form", ["mixed", *DOWNLOADS])
def test_what_was_packed_is_taken(made: list[Made], form: str, tmp_path: Path) -> None:
    sources = [lab.source for lab in discover_labs(COURSE)]
    made = made[::PACKED]
    (write_mixed if form == "mixed" else DOWNLOADS[form])(tmp_path / "class", made)
    taken = [read_hand_in(hand_in, sources).files for hand_in in find_hand_ins(tmp_path / "class", sources)]
    # Canvas does not list students who handed in nothing
    wanted = [one.files for one in made if one.files or form != "canvas"]
    assert Counter(frozenset(files.items()) for files in taken) == Counter(frozenset(files.items()) for files in wanted)


def test_a_wrong_score_and_a_changed_message_are_seen() -> None:
    assert _is_right("reference ", 100, 100)
    assert not _is_right("alternative a", 99, 100)
    assert not _is_right("mutant m", 100, 100)
    assert not _is_right("cheat fork", 1, 100)
    assert not _is_right("mutant m", None, 100)
    one, other = ({"labs": [{"message": text, "seconds": time}]} for text, time in (("a", 1), ("b", 2)))
    assert list(differences(one, one | {"duration": 9})) == []
    assert list(differences(one, other)) == [".labs[0].message: 'a', 'b'"]


def test_a_command_is_measured_and_stopped(tmp_path: Path) -> None:
    spin = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"
    done = run([sys.executable, "-c", spin + "bytearray(b'x' * (64 << 20)); time.sleep(1)"], tmp_path, tmp_path / "log")
    assert done.status == 0
    assert done.cpu_seconds is None or 0.3 <= done.cpu_seconds < 3
    assert done.own_mb > 64
    talk = "import time\nfor i in range(100): print(f'[{i}]', flush=True); time.sleep(0.1)\n"
    for how in (signal.SIGKILL, signal.SIGTERM):
        stopped = run([sys.executable, "-c", talk], tmp_path, tmp_path / "log", Stop(3, how))
        assert stopped.status == -how
        assert 3 <= stopped.output.count("[") < 100


def test_a_process_that_is_left_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.tests.whole_class.measure.GONE_SECONDS", 0.3)
    done = run(["sh", "-c", "setsid sleep 2 & exit 0"], tmp_path, tmp_path / "log")
    if done.cpu_seconds is None:
        pytest.skip("counting what is left needs a control group that may be written to")
    assert done.left == 1


def test_other_graders_leave_the_group_of_what_is_measured() -> None:
    """The group is empty when the command has ended, but its counters have yet to be read."""
    with _control_group() as group:
        if group is None:
            pytest.skip("no control group can be made here")
        _remove_leftovers(group.parent)
        assert _members(group) == []
    assert not group.exists()
