"""What is taken from a hand-in, and what is not."""

import os
from pathlib import Path

import pytest

from grader.handin.archive import SIZE_CAP
from grader.handin.discover import discover_labs
from grader.handin.submission import Staged, Submission, resolve_submission, stage
from grader.model.errors import UsageError
from grader.model.types import Status
from grader.tests.planted import PlantedCourse


@pytest.fixture
def hand_in(planted: PlantedCourse) -> Path:
    """A folder with a good file, next to the course."""
    folder = planted.root.parent / "ada"
    folder.mkdir()
    (folder / "one.cu").write_text("void one(void) {}\n")
    return folder


def staged(planted: PlantedCourse, folder: Path) -> tuple[Submission, Staged]:
    submission = resolve_submission(planted.course, [str(folder)], None, planted.root)
    return submission, stage(planted.course, submission, discover_labs(planted.course))


def reasons(result: Staged) -> dict[str, str]:
    return {entry.path: entry.reason for entry in result.ignored}


def test_only_the_labs_own_files_are_copied(planted: PlantedCourse, hand_in: Path) -> None:
    for name in ("Makefile", "monoid.h", "ONE.cu", ".one.cu.swp"):
        (hand_in / name).write_text("mine")
    (hand_in / "labs").mkdir()
    _submission, result = staged(planted, hand_in)
    assert result.files == ("one.cu",)
    assert [path.name for path in result.source.iterdir()] == ["one.cu"]
    assert reasons(result) == {
        "Makefile": "not the name of a lab's file",
        "monoid.h": "not the name of a lab's file",
        "ONE.cu": "not the name of a lab's file",
        ".one.cu.swp": "not the name of a lab's file",
        "labs": "a folder",
    }


def test_a_symbolic_link_is_not_followed(planted: PlantedCourse, hand_in: Path) -> None:
    (hand_in / "one.cu").unlink()
    (hand_in / "one.cu").symlink_to(planted.root / "reference/one.cu")
    status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(hand_in))
    assert status == 1
    assert results.score == 0
    assert results.labs[0].status is Status.MISSING
    assert results.labs[0].message == "one.cu was handed in, but not taken: a symbolic link"
    assert not (planted.root / "build/grade/ada/src/one.cu").exists()


def test_a_link_left_in_the_pristine_tree_is_replaced(planted: PlantedCourse, hand_in: Path) -> None:
    source = planted.root / "build/grade/ada/src"
    source.mkdir(parents=True)
    victim = planted.write("victim", "untouched")
    (source / "one.cu").symlink_to(victim)
    (source / "left.cu").write_text("of an earlier hand-in")
    staged(planted, hand_in)
    assert victim.read_text() == "untouched"
    assert [path.name for path in source.iterdir()] == ["one.cu"]
    assert not (source / "one.cu").is_symlink()


def test_a_link_to_the_reference_is_not_the_reference(planted: PlantedCourse, hand_in: Path) -> None:
    link = hand_in.parent / "grace"
    link.symlink_to(planted.root / "reference")
    submission = resolve_submission(planted.course, [str(link)], None, planted.root)
    assert (submission.kind, submission.own) == ("hand-in", False)


def test_a_name_that_is_no_text_is_graded_like_others(planted: PlantedCourse, hand_in: Path) -> None:
    odd = Path(os.fsdecode(bytes(hand_in.parent) + b"/odd \xff\x1b[31m & $(touch x)"))
    hand_in.rename(odd)
    Path(os.fsdecode(bytes(odd) + b"/\xfe.txt")).write_text("x")
    status, results = planted.grade("--lab", "1", "--no-sandbox", "--name", "odd", of=str(odd), name="odd")
    assert status == 0
    assert results.submission.path.endswith("odd \ufffd\ufffd[31m & $(touch x)")
    assert [entry.path for entry in results.submission.ignored] == ["\ufffd.txt"]


def test_files_may_come_in_one_word_and_have_spaces_in_their_names(planted: PlantedCourse, hand_in: Path) -> None:
    spaced = hand_in.parent / "ada king"
    hand_in.rename(spaced)
    (spaced / "two.cu").write_text("void two(void) {}\n")
    assert resolve_submission(planted.course, [str(spaced)], None, planted.root).path == spaced
    several = resolve_submission(planted.course, ["ada king/one.cu"], None, spaced.parent)
    assert several.files == (spaced / "one.cu",)
    both = resolve_submission(planted.course, ["one.cu two.cu"], None, spaced)
    assert both.files == (spaced / "one.cu", spaced / "two.cu")


def test_what_was_compiled_of_a_hand_in_is_gone_after_it(planted: PlantedCourse, hand_in: Path) -> None:
    planted.grade("--lab", "1", "--no-sandbox", of=str(hand_in))
    assert not (planted.root / "build/cpu/grade-ada").exists()
    assert (planted.root / "build/grade/ada/results.json").exists()
    planted.grade("--lab", "1", "--no-sandbox")
    # The user's own code is built again only when it changes
    assert (planted.root / "build/cpu/grade-student").exists()


def test_only_regular_files_are_read(planted: PlantedCourse, hand_in: Path) -> None:
    os.mkfifo(hand_in / "two.cu")  # opening it would wait for a writer
    assert reasons(staged(planted, hand_in)[1]) == {"two.cu": "not a regular file"}
    (hand_in / "two.cu").unlink()
    (hand_in / "two.cu").mkdir()
    assert reasons(staged(planted, hand_in)[1]) == {"two.cu": "not a regular file"}


def test_a_file_has_a_size_limit(planted: PlantedCourse, hand_in: Path) -> None:
    (hand_in / "two.cu").write_bytes(b" " * SIZE_CAP)
    assert staged(planted, hand_in)[1].files == ("one.cu", "two.cu")
    (hand_in / "two.cu").write_bytes(b" " * (SIZE_CAP + 1))
    result = staged(planted, hand_in)[1]
    assert result.files == ("one.cu",)
    assert reasons(result) == {"two.cu": "larger than 1024 KiB"}
    assert not (result.source / "two.cu").exists()


def test_a_lab_that_was_not_handed_in_is_missing(planted: PlantedCourse, hand_in: Path) -> None:
    status, results = planted.grade("--no-sandbox", of=str(hand_in))
    assert status == 1
    assert [(lab.status, lab.score) for lab in results.labs] == [(Status.PASSED, 100), (Status.MISSING, 0)]
    assert results.labs[1].message == "two.cu is not in the submission"


def test_files_named_one_by_one_are_graded_in_their_labs_only(planted: PlantedCourse, hand_in: Path) -> None:
    status, results = planted.grade("--no-sandbox", of=str(hand_in / "one.cu"), name="ada")
    assert status == 0
    assert [lab.number for lab in results.labs] == [1]


def test_an_unchanged_file_keeps_its_time_and_a_changed_one_does_not(planted: PlantedCourse, hand_in: Path) -> None:
    copy = staged(planted, hand_in)[1].source / "one.cu"
    os.utime(copy, (1, 1))
    staged(planted, hand_in)
    assert copy.stat().st_mtime == 1
    (hand_in / "one.cu").write_text("changed")
    os.utime(hand_in / "one.cu", (0, 0))  # older than what make has built
    staged(planted, hand_in)
    assert copy.stat().st_mtime > 1


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("ada", "ada"),
        ("ada lovelace", "ada_lovelace-"),
        ("student", "hand-in-student"),
        ("..x", "x-"),
        ("-", "submiss"),
    ],
)
def test_a_results_folder_is_safe_and_the_hand_ins_own(planted: PlantedCourse, given: str, name: str) -> None:
    folder = planted.root.parent / "all" / given
    folder.mkdir(parents=True)
    (folder / "one.cu").write_text("")
    submission, result = staged(planted, folder)
    assert submission.name.startswith(name)
    assert submission.who == f"grade-{submission.name}"
    assert result.source.parent.parent == planted.root / "build/grade"


def test_the_courses_own_folders_are_known_by_path_too(planted: PlantedCourse) -> None:
    for argument in ("student", "./student", str(planted.root / "student")):
        assert resolve_submission(planted.course, [argument], None, planted.root).kind == "student"
    assert resolve_submission(planted.course, [], None, Path("/")).kind == "student"
    assert resolve_submission(planted.course, ["reference"], None, Path("/")).kind == "reference"


@pytest.mark.parametrize(("kind", "said"), [("student", "try: make stubs"), ("reference", "no reference solution")])
def test_a_tree_without_that_solution(planted: PlantedCourse, kind: str, said: str) -> None:
    (planted.root / kind).rename(planted.root / "elsewhere")
    with pytest.raises(UsageError, match=said):
        resolve_submission(planted.course, [kind], None, planted.root)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "there is no submission 'nobody'\n    try: student, reference, the path of a folder"),
        (["empty"], "nothing to grade in"),
        (["outer"], "try: grade {root}/outer/inner/deep, where two.cu is"),
        (["empty", "outer"], "empty is a folder: grade one folder at a time"),
        (["outer/inner/deep/notes.txt"], "give the file the lab's own name"),
        (["student/one.cu", "twin/one.cu"], "one.cu is named twice"),
    ],
)
def test_what_cannot_be_graded(planted: PlantedCourse, arguments: list[str], said: str) -> None:
    (planted.root / "empty").mkdir()
    for name in ("outer/inner/deep/two.cu", "outer/inner/deep/notes.txt", "twin/one.cu"):
        planted.write(name, "")
    with pytest.raises(UsageError) as caught:
        submission = resolve_submission(planted.course, arguments, None, planted.root)
        stage(planted.course, submission, discover_labs(planted.course))
    assert said.format(root=planted.root) in str(caught.value)


def test_a_folder_that_cannot_be_read(planted: PlantedCourse, hand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    submission = resolve_submission(planted.course, [str(hand_in)], None, planted.root)
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(UsageError, match=r"cannot read .*ada: Permission denied; check the owner"):
        stage(planted.course, submission, discover_labs(planted.course))


def test_a_file_that_cannot_be_read_is_reported(
    planted: PlantedCourse, hand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(path: str | Path, flags: int) -> int:
        if str(path).endswith("ada/one.cu"):
            raise PermissionError(13, "Permission denied")
        return real(path, flags)

    (hand_in / "two.cu").write_text("")
    monkeypatch.setattr(os, "open", refuse)
    result = staged(planted, hand_in)[1]
    assert result.files == ("two.cu",)
    assert reasons(result) == {"one.cu": "cannot be read: Permission denied"}


def test_dot_files_of_ones_own_are_not_worth_a_word(planted: PlantedCourse) -> None:
    planted.write("student/.stubs.sha256", "")
    planted.write("student/notes.md", "")
    assert reasons(staged(planted, planted.root / "student")[1]) == {"notes.md": "not the name of a lab's file"}


def test_what_stands_beside_the_reference_is_no_news(planted: PlantedCourse) -> None:
    assert reasons(staged(planted, planted.root / "reference")[1]) == {}
