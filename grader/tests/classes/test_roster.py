"""Folders of hand-ins as Gradescope, Canvas and Moodle write them, and as people make them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.classes.intake import read_hand_in
from grader.classes.roster import METADATA, TIMES, HandIn, find_hand_ins
from grader.model.errors import UsageError
from grader.model.gradebook import Form, Student
from grader.tests.classes.test_archive import zipped

SOURCES = ["naive_scan.cu", "one.cu"]

GRADESCOPE = """\
---
submission_7:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0815'
    :email: ada@example.org
  - :name: Bob
    :sid:
    :email: bob@example.org
  :created_at: 2026-10-18 04:05:06.123456000 Z
  :score: 90.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    tests: [1, 2]
submission_9:
  :submitters: []
  :created_at: nonsense
"""


def write(path: Path, text: str = "mine") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def found(folder: Path) -> dict[str, HandIn]:
    return {hand_in.name: hand_in for hand_in in find_hand_ins(folder, SOURCES)}


def files(hand_in: HandIn) -> dict[str, bytes]:
    return read_hand_in(hand_in, SOURCES).files


@pytest.mark.parametrize("wrapped", ["", "assignment_5_export"])
def test_an_export_of_gradescope(tmp_path: Path, wrapped: str) -> None:
    top = tmp_path / wrapped
    write(top / METADATA, GRADESCOPE)
    write(top / "submission_7" / "one.cu")
    write(top / "submission_9" / METADATA, "mine, and nobody reads it")
    write(top / "submission_11" / "one.cu")
    write(top / "__MACOSX" / "x")
    batch = found(tmp_path)
    assert sorted(batch) == ["submission_11", "submission_7", "submission_9"]
    ada = batch["submission_7"]
    assert ada.students == (
        Student("0815", "Ada Lovelace", "ada@example.org"),
        Student("bob@example.org", "Bob", "bob@example.org"),
    )
    assert (ada.form, ada.submission_id) == (Form.GRADESCOPE, "7")
    assert ada.submitted == datetime(2026, 10, 18, 4, 5, 6, 123456, tzinfo=UTC)
    assert files(ada) == {"one.cu": b"mine"}
    assert batch["submission_9"].submitted is None
    assert batch["submission_11"].students == (Student("submission_11", "submission_11", ""),)


@pytest.mark.parametrize("text", ["just words", "- a\n- b\n", "a: [", "x: " + "[" * 5000, "a: 2026-99-99\n"])
def test_a_list_that_is_not_gradescope_s(tmp_path: Path, text: str) -> None:
    write(tmp_path / METADATA, text)
    write(tmp_path / "submission_7" / "one.cu")
    with pytest.raises(UsageError, match="is not what Gradescope writes"):
        find_hand_ins(tmp_path, SOURCES)


def test_a_download_of_canvas(tmp_path: Path) -> None:
    write(tmp_path / "lovelaceada_4711_9001_naive_scan-1.cu", "first")
    write(tmp_path / "lovelaceada_4711_9005_naive_scan-2.cu", "second")
    write(tmp_path / "lovelaceada_4711_9006_one.cu", "one")
    write(tmp_path / "smithbob_LATE_4712_9002_one.cu")
    write(tmp_path / ".DS_Store")
    batch = found(tmp_path)
    assert {name: hand_in.marked_late for name, hand_in in batch.items()} == {
        "lovelaceada_4711": False,
        "smithbob_4712": True,
    }
    assert batch["lovelaceada_4711"].students == (Student("4711", "lovelaceada", ""),)
    assert files(batch["lovelaceada_4711"]) == {"naive_scan.cu": b"second", "one.cu": b"one"}


def test_a_download_of_canvas_without_names(tmp_path: Path) -> None:
    write(tmp_path / "anon_x7Kf2_9001_one.cu", "on time")
    write(tmp_path / "LATE_anon_B4n9c_9002_one.cu")
    write(tmp_path / "the_team_LATE_4713_9003_one.cu")
    batch = found(tmp_path)
    assert {name: (hand_in.form, hand_in.marked_late) for name, hand_in in batch.items()} == {
        "anon_x7Kf2": (Form.CANVAS, False),
        "anon_B4n9c": (Form.CANVAS, True),
        "the_team_4713": (Form.CANVAS, True),
    }
    assert batch["anon_x7Kf2"].students == (Student("anon_x7Kf2", "anon_x7Kf2", ""),)
    assert files(batch["anon_x7Kf2"]) == {"one.cu": b"on time"}


SCORES = (
    "username,first_name,last_name,email,section,score,max_score,datetime,submission_tag,submitted_by,review_url,late,"
    "override\nAda,Ada,Lovelace,ada@example.org,b,100,100,2026-11-01T12:00:00Z,submit/x,Ada,,false,\n"
    "b-ada,,,,,,,,,,,,\n"
)


def test_clones_of_classroom_50(tmp_path: Path) -> None:
    """Neither points nor times are taken from the clones, because students can write both."""
    write(tmp_path / "scores.csv", SCORES)
    write(tmp_path / "cs-hello-ada" / "student" / "one.cu")
    write(tmp_path / "cs-hello-ada" / "result.json", "{}")
    write(tmp_path / "cs-hello-b-ada" / "student" / "one.cu", "hers")
    write(tmp_path / "cs-hello-stranger" / "one.cu")
    batch = found(tmp_path)
    assert {name: hand_in.form for name, hand_in in batch.items()} == {
        "Ada": Form.CLASSROOM50,
        "b-ada": Form.CLASSROOM50,
        "cs-hello-stranger": Form.FOLDER,
    }
    assert batch["Ada"].students == (Student("Ada", "Ada Lovelace", "ada@example.org"),)
    assert batch["b-ada"].students == (Student("b-ada", "b-ada", ""),)
    assert (batch["Ada"].submitted, files(batch["b-ada"])) == (None, {"one.cu": b"hers"})


def test_a_list_of_another_s_scores_makes_no_clones(tmp_path: Path) -> None:
    write(tmp_path / "scores.csv", "student,points\nada,3\n")
    write(tmp_path / "cs-hello-ada" / "one.cu")
    assert found(tmp_path)["cs-hello-ada"].form is Form.FOLDER


def test_a_download_of_moodle(tmp_path: Path) -> None:
    write(tmp_path / "Ada Lovelace_815_assignsubmission_file_" / "lab" / "one.cu")
    write(tmp_path / "Ada Lovelace_815_assignsubmission_onlinetext_" / "onlinetext.html")
    write(tmp_path / "Bob_816_assignsubmission_file_naive_scan.cu", "flat")
    write(tmp_path / "Carl_817_assignsubmission_onlinetext_" / "onlinetext.html")
    batch = {hand_in.students[0].id: hand_in for hand_in in find_hand_ins(tmp_path, SOURCES)}
    assert sorted(batch) == ["815", "816", "817"]
    assert batch["815"].students[0].name == "Ada Lovelace"
    assert files(batch["815"]) == {"one.cu": b"mine"}
    assert files(batch["816"]) == {"naive_scan.cu": b"flat"}
    assert "no file was handed in" in read_hand_in(batch["817"], SOURCES).trouble


def test_folders_archives_and_files_of_one_s_own(tmp_path: Path) -> None:
    write(tmp_path / "Ada L" / "one.cu")
    write(tmp_path / "bob.tar.gz")
    write(tmp_path / "carl.7z")
    write(tmp_path / "dora_naive_scan.cu", "dora's")
    write(tmp_path / "eve_naive_scan.cu.txt", "eve's")
    write(tmp_path / "answers.docx")
    write(tmp_path / "grades.csv")
    by_student = {hand_in.students[0].id: hand_in for hand_in in find_hand_ins(tmp_path, SOURCES)}
    assert {student: hand_in.form for student, hand_in in by_student.items()} == {
        "Ada L": Form.FOLDER,
        "bob": Form.ARCHIVE,
        "carl": Form.ARCHIVE,
        "dora": Form.FILE,
        "eve": Form.FILE,
        "answers.docx": Form.FILE,
    }
    assert files(by_student["dora"]) == {"naive_scan.cu": b"dora's"}
    assert files(by_student["eve"]) == {"naive_scan.cu": b"eve's"}
    assert "an archive of a kind that is not read" in read_hand_in(by_student["carl"], SOURCES).trouble
    assert "answers.docx: not the name of a lab's file" in read_hand_in(by_student["answers.docx"], SOURCES).trouble


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_source_in_utf_16_is_graded_in_utf_8(tmp_path: Path, codec: str) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "one.cu").write_bytes("\ufeffint a; // \u00e4".encode(codec))
    contents = read_hand_in(found(tmp_path)["ada"], SOURCES)
    assert contents.files == {"one.cu": "int a; // \u00e4".encode()}
    assert contents.notes == ("one.cu was saved as UTF-16, and is graded in UTF-8",)
    (tmp_path / "ada" / "one.cu").write_bytes(b"\xff\xfe\x00\xd8a")  # not text, in spite of its byte order mark
    assert files(found(tmp_path)["ada"]) == {"one.cu": b"\xff\xfe\x00\xd8a"}


def test_names_stay_apart(tmp_path: Path) -> None:
    for name in ("ada", "ada.zip", "Ada", "$(touch x)", "a b", "a_b", "\u00e4", "-rf"):
        write(tmp_path / name / "one.cu") if not name.endswith("zip") else write(tmp_path / name)
    names = [hand_in.name for hand_in in find_hand_ins(tmp_path, SOURCES)]
    assert len({name.lower() for name in names}) == 8
    for name in names:
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        assert name[0].isalnum()


def test_another_lab_s_file_is_told_as_that(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "one.cu")
    contents = read_hand_in(find_hand_ins(tmp_path, SOURCES)[0], ["naive_scan.cu"], SOURCES)
    assert "one.cu: the file of another lab" in contents.trouble


@pytest.mark.parametrize(
    ("make", "said"),
    [("nothing", "is not there"), ("file", "is a file: unpack it"), ("folder", "there is no hand-in in")],
)
def test_a_folder_without_hand_ins(tmp_path: Path, make: str, said: str) -> None:
    folder = tmp_path / "batch"
    if make == "file":
        write(folder)
    elif make == "folder":
        write(folder / "grades.csv")
    with pytest.raises(UsageError, match=said):
        find_hand_ins(folder, SOURCES)


def test_an_instructor_says_when_hand_ins_came(tmp_path: Path) -> None:
    write(tmp_path / "smithbob_LATE_4712_9002_one.cu")
    write(tmp_path / "ada" / "one.cu")
    write(tmp_path / "carl" / "one.cu")
    write(tmp_path / TIMES, "\ufeffstudent,submitted\n4712,2026-11-01T23:59:00+01:00\n ada , 2026-11-02 10:00:00Z\n\n")
    batch = found(tmp_path)
    assert {name: hand_in.submitted for name, hand_in in batch.items()} == {
        "ada": datetime(2026, 11, 2, 10, tzinfo=UTC),
        "carl": None,
        "smithbob_4712": datetime(2026, 11, 1, 22, 59, tzinfo=UTC),
    }


@pytest.mark.parametrize("line", ["ada", "ada,yesterday", "ada,2026-11-01T23:59:00", "ada,2026-11-01T23:59:00Z,x"])
def test_a_time_that_cannot_be_read(tmp_path: Path, line: str) -> None:
    write(tmp_path / "ada" / "one.cu")
    write(tmp_path / TIMES, f"student,submitted\n{line}\n")
    with pytest.raises(UsageError, match=r"submitted\.csv:2: .* is not a student and a time with its zone"):
        find_hand_ins(tmp_path, SOURCES)


def test_labs_of_one_hand_in_may_come_at_different_times(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "one.cu")
    lines = "student,lab,submitted\nada,2,2026-11-01T23:00:00Z\nada,1,2026-10-01T23:00:00Z\nada,,2026-12-01T23:00:00Z\n"
    write(tmp_path / TIMES, lines)
    ada = found(tmp_path)["ada"]
    assert ada.submitted == datetime(2026, 12, 1, 23, tzinfo=UTC)
    assert ada.submitted_labs == {1: datetime(2026, 10, 1, 23, tzinfo=UTC), 2: datetime(2026, 11, 1, 23, tzinfo=UTC)}


@pytest.mark.parametrize("line", ["ada,x,2026-11-01T23:59:00Z", "ada,2,2026-11-01T23:59:00"])
def test_a_line_with_a_lab_that_cannot_be_read(tmp_path: Path, line: str) -> None:
    write(tmp_path / "ada" / "one.cu")
    write(tmp_path / TIMES, f"student,lab,submitted\nada,1,2026-11-01T23:59:00Z\n{line}\n")
    with pytest.raises(UsageError, match=r"submitted\.csv:3: .* is not a student, a lab and a time with its zone"):
        find_hand_ins(tmp_path, SOURCES)


def test_a_time_of_somebody_who_handed_in_nothing_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "one.cu")
    write(tmp_path / TIMES, "student,submitted\nada,2026-11-01T23:59:00Z\nadaa,2026-11-01T23:59:00Z\n")
    with pytest.raises(UsageError, match=r"submitted\.csv:3: there is no hand-in of 'adaa'"):
        find_hand_ins(tmp_path, SOURCES)


def test_two_hand_ins_of_one_student_know_of_each_other(tmp_path: Path) -> None:
    write(tmp_path / "ada" / "one.cu")
    write(tmp_path / "ada.zip")
    write(tmp_path / "bob" / "one.cu")
    write(tmp_path / TIMES, "student,submitted\nada.zip,2026-11-02T23:59:00Z\nada,2026-11-01T23:59:00Z\n")
    batch = {hand_in.origin: hand_in for hand_in in find_hand_ins(tmp_path, SOURCES)}
    assert {origin: one.twins for origin, one in batch.items()} == {"ada": ("ada.zip",), "ada.zip": ("ada",), "bob": ()}
    assert batch["ada.zip"].submitted == datetime(2026, 11, 2, 23, 59, tzinfo=UTC), "a file is named more exactly"


@pytest.mark.parametrize("packed", [False, True])
def test_a_second_download_beside_the_file_is_reported(tmp_path: Path, packed: bool) -> None:
    """It may be the one that the student meant."""
    held = {"one.cu": "first", "one (1).cu": "second", "old/one.cu": "older"}
    if packed:
        zipped(tmp_path / "ada.zip", held)
    else:
        for name, text in held.items():
            write(tmp_path / "ada" / name, text)
    contents = read_hand_in(find_hand_ins(tmp_path, SOURCES)[0], SOURCES)
    place = "ada.zip/" if packed else ""
    assert contents.files == {"one.cu": b"first"}
    assert contents.notes == (f"{place}one (1).cu: not graded, because there is one.cu",)
    assert [entry.path for entry in contents.ignored] == [f"{place}old/one.cu", f"{place}one (1).cu"]
