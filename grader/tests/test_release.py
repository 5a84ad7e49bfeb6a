"""The students' tree: what it contains, and that it contains no solution."""

import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from grader.handin.discover import discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course
from grader.release.documents import EVERYTHING, Taken, anchors, for_students
from grader.release.leaks import essence, find_leaks, solution_lines
from grader.release.pack import INSTRUCTOR_ARCHIVE, MARKER, STUDENT_ARCHIVE, make_release
from grader.release.tracked import tracked_files
from grader.tests.planted import PlantedCourse
from grader.tests.real import COURSE

SECRET = "    launch_the_whole_thing_one(1, 2, 3);"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "released"


def shipped(target: Path) -> set[str]:
    return {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}


def test_students_get_all_but_the_secrets(planted: PlantedCourse, target: Path) -> None:
    for name in (
        "README.md",
        "labs/support/call/runner.c",
        "simt/device.c",
        "simt/tests/t.c",
        "grader/front/cli.py",
        "grader/PROOFS.md",
        "grader/TEACHING.md",
        "notes.txt",
    ):
        planted.write(name, name)
    planted.write("labs/1-one/check_one_hidden.c", "misplaced")
    planted.write("student/one.cu", f"void one(void)\n{{\n{SECRET}\n}}\n")  # the instructor has tried it out here
    assert planted.run("release", str(target)) == 0
    assert shipped(target) == {
        MARKER,
        "Makefile",
        "simt/include/compiler",
        "README.md",
        "grader/front/cli.py",
        "labs/1-one/lab.toml",
        "labs/2-two/lab.toml",
        "labs/support/call/runner.c",
        "simt/device.c",
        "student/one.cu",
        "student/two.cu",
    }
    assert (target / "student/one.cu").read_text() == "void one(void)\n{\n    /* TODO: add. */\n}\n"


def test_only_what_git_knows_is_shipped(planted: PlantedCourse, target: Path) -> None:
    planted.write("simt/device.c", "tracked")
    for argv in (["init", "-q"], ["add", "Makefile", "labs", "simt", "reference"]):
        subprocess.run(["git", "-C", str(planted.root), *argv], check=True)
    planted.write("simt/scratch.c", "lies about")
    assert planted.run("release", str(target)) == 0
    assert "simt/device.c" in shipped(target)
    assert "simt/scratch.c" not in shipped(target)


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        "launch_the_whole_thing_one(1,2,3);",
        f"x = 1;\n   {SECRET.strip()}  // copied\n",
        "\tlaunch_the_whole_thing_one( 1, 2,  3 );  /* as in reference/ */",
    ],
)
def test_a_solution_line_stops_the_release(
    planted: PlantedCourse, target: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.write("handouts/1-one.md", f"# One\n{text}\n")
    assert planted.run("release", str(target)) == 3
    said = capsys.readouterr().err
    assert "nothing was released: solutions would leak" in said
    assert "handouts/1-one.md:" in said
    assert "(from reference/one.cu:5)" in said
    assert not target.exists()
    assert {path.name for path in target.parent.iterdir()} == {"course"}


def test_a_copied_file_of_the_reference_stops_the_release(
    planted: PlantedCourse, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.write("labs/1-one/notes.c", (planted.root / "reference/check_one_hidden.c").read_text())
    assert planted.run("release", str(target)) == 3
    assert "labs/1-one/notes.c: the whole file   (from reference/check_one_hidden.c)" in capsys.readouterr().err


def test_a_line_that_also_stands_outside_of_the_regions_is_no_secret(planted: PlantedCourse, target: Path) -> None:
    planted.write("handouts/1-one.md", SECRET)
    assert find_leaks(planted.course, planted.root / "handouts") != []
    path = planted.root / "reference/two.cu"
    path.write_text(f"/* as lab 1 shows */\n{SECRET}\n{path.read_text()}")
    assert find_leaks(planted.course, planted.root / "handouts") == []


def test_short_lines_give_nothing_away(planted: PlantedCourse) -> None:
    planted.write("reference/one.cu", f"/* solution */\n__syncthreads();\n}} else {{\n{SECRET}\n/* end solution */\n")
    assert set(solution_lines(planted.course)) == {
        "launch_the_whole_thing_one(1,2,3);",
        "launch_the_whole_thing_two(1,2,3);",
    }
    assert essence("  a  =  b; /* why */ // or not") == "a=b;"


def test_an_earlier_release_is_replaced_and_nothing_else_is(
    planted: PlantedCourse, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target.mkdir()
    (target / "thesis.txt").write_text("years of work")
    assert planted.run("release", str(target)) == 2
    assert "is neither empty nor an earlier release; name a new folder" in capsys.readouterr().err
    (target / "thesis.txt").unlink()
    assert planted.run("release", str(target)) == 0
    planted.write("README.md", "new")
    assert planted.run("release", str(target)) == 0
    assert (target / "README.md").read_text() == "new"


def test_each_release_bears_the_mark_of_its_files(planted: PlantedCourse, target: Path) -> None:
    marks = []
    for text in ("one", "one", "two"):
        planted.write("README.md", text)
        assert planted.run("release", str(target)) == 0
        marks.append((target / MARKER).read_text(encoding="utf-8"))
    assert marks[0] == marks[1] != marks[2]


def test_a_release_stays_out_of_the_course(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    assert planted.run("release", str(planted.root / "labs/new")) == 2
    assert "is inside the course's own tree" in capsys.readouterr().err
    assert planted.run("release", str(planted.root.parent)) == 2
    assert planted.run("release", str(planted.root / "build/release")) == 0


def test_a_release_cannot_make_releases(planted: PlantedCourse, target: Path) -> None:
    for path in planted.course.reference.iterdir():
        path.unlink()
    planted.course.reference.rmdir()
    assert planted.run("release", str(target)) == 2


def test_a_document_for_students_is_less_what_is_for_instructors() -> None:
    text = (
        "# One\n<!-- instructor -->\nmake audit\n<!-- end instructor -->\nBoth.\n<!-- student\n## Points\n-->\n"
        "| a |\n<!-- instructor -->\n| secret |\n<!-- end instructor -->\n| b |\n"
    )
    assert for_students(text) == "# One\nBoth.\n## Points\n| a |\n| b |\n"
    for broken in ("<!-- instructor -->\nnever ends\n", "<!-- end instructor -->\n", "<!-- student\nnever ends\n"):
        with pytest.raises(UsageError, match="a mark without its counterpart"):
            for_students(broken)


def test_a_document_for_a_class_has_its_labs_and_parts_only() -> None:
    text = (
        "# One\n<!-- student, lab 1\nThe short way.\n-->\n<!-- student, no lab 1\nmake test LAB={lab}\n-->\n"
        "<!-- lab 1 -->\nLab 1 is short.\n<!-- end lab 1 -->\n"
        "## Part 1: up\n```sh\nmake test LAB=2 PART=up\nmake test LAB=1\n```\n\n"
        "<!-- part down -->\nTo go down:\n\n<!-- end part down -->\n"
        "## Part 2: down (fast)\nText.\n### Traps\nMore.\n## Part 3: up and down\nBoth.\n"
        "## Grade\n```sh\nmake run LAB=2 PART=down\n```\n\n<!-- printed -->\n```text\n1 2 3\n```\n\nDone.\n"
    )
    assert for_students(text, Taken((2, 3), frozenset({1}), frozenset({"down"}))) == (
        "# One\nmake test LAB=2\n## Part 1: up\n```sh\nmake test LAB=2 PART=up\n```\n\n"
        "## Part 3: up and down\nBoth.\n## Grade\nDone.\n"
    )
    whole = for_students(text)
    assert "The short way.\n" in whole
    assert "Lab 1 is short.\n" in whole
    assert "no lab 1" not in whole
    assert "make run LAB=2 PART=down\n```\n\n```text\n1 2 3" in whole
    assert whole.count("down") == 4
    for broken in ("<!-- lab 1 -->\n", "<!-- end part up -->\n", "<!-- student, no lab 1\n"):
        with pytest.raises(UsageError, match="a mark without its counterpart"):
            for_students(broken)


def test_rows_and_exercises_about_parts_that_are_left_out_are_removed_and_questions_keep_their_numbers() -> None:
    text = (
        "| part | idea |\n|---|---|\n| `up` | a |\n| `down` | b |\n| `up`, `down` | c |\n| `down`; `deep` | d |\n\n"
        "| part | idea |\n|---|---|\n| `down` | e |\n\n"
        "## Questions\n\n1. Is `up` slow?\n2. Is `down` slow,\n   for N = 3?\n"
        "3. Are `up` and `down`?\n4. Is a scan?\n\n"
        "## Answers\n\n1. No.\n2. Yes.\n\n   | `up` | 1 |\n\n3. Both.\n4. Rarely.\n\n"
        "## Going further\n\n- Write `down` again,\n  faster.\n- Write `up`.\n"
        "- Try `make run LAB=2 PART=deep N=3`.\n- Rest.\n"
    )
    taken = Taken((2,), left_out=frozenset({"down", "deep"}), parts=frozenset({"up"}))
    assert for_students(text, taken) == (
        "| part | idea |\n|---|---|\n| `up` | a |\n| `up`, `down` | c |\n\n"
        "## Questions\n\n1. Is `up` slow?\n2. This question is about a part that your class leaves out.\n"
        "3. Are `up` and `down`?\n4. Is a scan?\n\n"
        "## Answers\n\n1. No.\n2. Left out.\n\n3. Both.\n4. Rarely.\n\n"
        "## Going further\n\n- Write `up`.\n- Rest.\n"
    )
    assert for_students(text) == text


@pytest.mark.parametrize("name", ["reduce_tile", "scan_global", "compact_warp", "scan_single_pass", "lex"])
def test_no_page_has_a_command_a_row_or_an_exercise_of_a_part_that_is_left_out(name: str) -> None:
    """Printed messages may name the part, as examples."""
    every = frozenset(part.name for lab in discover_labs(COURSE) for part in lab.parts)
    taken = Taken(tuple(range(1, 9)), left_out=frozenset({name}), parts=every - {name})
    removed = 0
    for path in (COURSE.root / "README.md", *sorted((COURSE.root / "handouts").glob("*.md"))):
        whole, left = (
            re.sub(r"^```text\n.*?^```$", "", for_students(path.read_text(encoding="utf-8"), of), flags=re.M | re.S)
            for of in (EVERYTHING, taken)
        )
        traces = rf"PART={name}\b|^\| *`{name}` *\||^- [^`\n]*`{name}`[^`\n]*$|^\d+\. [^`\n]*`{name}`[^`\n]*\?"
        removed += len(re.findall(traces, whole, re.MULTILINE))
        assert re.findall(traces, left, re.MULTILINE) == [], path.name
    assert removed > 3


def test_a_link_to_a_heading_that_is_not_there_is_only_words(planted: PlantedCourse, target: Path) -> None:
    """This holds for links within the document too, and for a row with only such a link."""
    planted.write("handouts/1-one.md", "# One\n## Part 1: up\n```sh\n# not a heading\n```\n")
    links = "[a](1-one.md#part-1-up) [b](1-one.md#part-2-down) [c](1-one.md#not-a-heading) [d](#links) [e](#none)"
    rows = "| x | [gone](2-two.md#part) |\n| y | [gone](2-two.md), [one](1-one.md) |\n- [gone](2-two.md)\n"
    planted.write("handouts/README.md", f"# Links\n{links}\n{rows}")
    assert planted.run("release", str(target)) == 0
    assert (target / "handouts/README.md").read_text(encoding="utf-8") == (
        "# Links\n[a](1-one.md#part-1-up) b c [d](#links) e\n| y | gone, [one](1-one.md) |\n"
    )


def test_both_archives_hold_what_they_are_for(planted: PlantedCourse, target: Path, tmp_path: Path) -> None:
    planted.write("README.md", "<!-- instructor -->\nmake audit\n<!-- end instructor -->\nmake test\n")
    planted.write("handouts/1-one.md", "[gone](../reference/x.md), kept ([gone](tests/y.md)); [here](../README.md)\n")
    for place in ("first", "second"):
        assert planted.run("release", str(target), "--archives", str(tmp_path / place)) == 0
    student, instructor = (tmp_path / "first" / name for name in (STUDENT_ARCHIVE, INSTRUCTOR_ARCHIVE))
    with tarfile.open(student) as packed:
        names = {name.removeprefix("scan-labs-student/") for name in packed.getnames()}
        readme = packed.extractfile("scan-labs-student/README.md")
        assert readme is not None
        assert readme.read() == b"make test\n"
        handout = packed.extractfile("scan-labs-student/handouts/1-one.md")
        assert handout is not None
        assert handout.read() == b"gone, kept; [here](../README.md)\n"
    assert names == shipped(target)
    with tarfile.open(instructor) as packed:
        names = {name.removeprefix("scan-labs-instructor/") for name in packed.getnames()}
    assert {"reference/one.cu", "reference/check_one_hidden.c", "README.md"} <= names
    assert not [name for name in names if name.startswith("build/")]
    for path in (student, instructor):
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The students' tree of the real course."""
    target = tmp_path_factory.mktemp("release") / "course"
    make_release(COURSE, target)
    return target


def test_the_course_gives_nothing_away_and_would_be_caught(real: Path, tmp_path: Path) -> None:
    """The device's benchmark is lab 3 in other words. An alternative with other names is recognised too."""
    assert not (real / "simt/bench").exists()
    assert not (real / "reference").exists()
    for number, source in enumerate(
        (
            "simt/bench/blelloch.cu",
            "reference/trials/naive_scan/right/sections.cu",
            "reference/check_naive_scan_hidden.c",
            "reference/fast/compaction.cu",
        )
    ):
        place = tmp_path / str(number)
        place.mkdir()
        text = (COURSE.root / source).read_text()
        (place / "renamed.cu").write_text(re.sub(r"\b(tree|out|in|values|elem_t|sum)\b", r"my_\1", text) + "\n")
        assert find_leaks(COURSE, place), source


def assert_links_lead_somewhere(documents: list[Path]) -> None:
    """Checks that each link leads to an existing file, and to an existing heading if it names one."""
    for document in documents:
        for place, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", document.read_text(encoding="utf-8")):
            if "://" not in place:
                leads = document.parent / place if place else document
                assert leads.exists(), f"{document.name}: {place}"
                assert not anchor or anchor in anchors(leads.read_text(encoding="utf-8")), f"{document.name}: {anchor}"


@pytest.fixture(scope="module")
def without_lab_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The students' tree of a class that begins with lab 2 and leaves a part of it out."""
    top = tmp_path_factory.mktemp("class")
    course = Course(top / "course")
    for name in tracked_files(COURSE):
        if (COURSE.root / name).is_file() and not name.startswith("fuzz/"):
            (course.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(COURSE.root / name, course.root / name)
    text = '[[lab]]\nnumber = 2\nleave_out = ["scan_global"]\n[[lab]]\nnumber = 3\n'
    (course.root / "course.toml").write_text(text, encoding="utf-8")
    make_release(course, top / "released")
    return top / "released"


def first_command(release: Path) -> str:
    found = re.search(r"^```sh\n(.*)\n```$", (release / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_a_class_without_lab_one_reads_of_its_own_labs(real: Path, without_lab_one: Path) -> None:
    documents = [without_lab_one / "README.md", *sorted((without_lab_one / "handouts").glob("*.md"))]
    assert_links_lead_somewhere(documents)
    for document in documents:
        text = document.read_text(encoding="utf-8")
        for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            assert set(re.findall(r"LAB=(\d)", block)) <= {"2", "3"}, f"{document.name}: {block}"
            assert not re.search(r"PART=scan_global\b", block), f"{document.name}: {block}"
    assert (first_command(real), first_command(without_lab_one)) == ("make test LAB=1", "make test LAB=2")
    heads = re.findall(r"^## Part \d: (\w+)", (without_lab_one / "handouts/2-naive-scan.md").read_text(), re.MULTILINE)
    assert heads == ["scan_quadratic", "scan_double_buffered", "scan_in_place", "inclusive_to_exclusive"]
    assert "1-reduction" not in (without_lab_one / "handouts/README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_first_command_of_a_class_without_lab_one_works(without_lab_one: Path) -> None:
    """Nothing is written yet, which is right only for the two parts that have nothing to write for no elements. Tests
    of the part that is left out do not run."""
    (without_lab_one / "build").mkdir()
    (without_lab_one / "build/venv").symlink_to(COURSE.build / "venv")
    (without_lab_one / "build/.setup").touch()
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = first_command(without_lab_one).split()
    done = subprocess.run(command, cwd=without_lab_one, env=own, capture_output=True, text=True, check=False)
    assert re.search(r"^naive_scan: 2 passed, \d+ failed$", done.stdout, re.MULTILINE), done.stdout + done.stderr
    assert "scan_global" not in done.stdout


def test_the_documents_of_a_release_promise_what_is_there(real: Path) -> None:
    """Links lead to existing files, make has each named target, and no command for instructors is left."""
    documents = [real / "README.md", *sorted((real / "handouts").glob("*.md"))]
    assert_links_lead_somewhere(documents)
    targets = set()
    for document in documents:
        text = document.read_text(encoding="utf-8")
        targets |= set(re.findall(r"`make ([a-z][a-z_.-]*)", text)) | set(
            re.findall(r"^make ([a-z][a-z_.-]*)", text, re.M)
        )
    assert {"test", "run", "trace", "grade"} <= targets
    said = subprocess.run(["make", "-pqrR"], cwd=real, capture_output=True, text=True, check=False).stdout
    there = set(re.findall(r"^([a-z][a-z_.-]*):", said, re.MULTILINE))
    assert targets <= there, targets - there
    assert not {"check", "audit", "release", "autograder", "stubs"} & there
    assert "SUBMISSION=reference" not in documents[0].read_text(encoding="utf-8")


def test_what_remains_of_the_walls_is_not_for_students(real: Path) -> None:
    of_course, of_students = (root / "grader" / "TRUST.md" for root in (COURSE.root, real))
    assert "## What remains" in of_course.read_text()
    assert "## Walls" in of_students.read_text()
    assert "## What remains" not in of_students.read_text()


def test_a_release_says_that_it_has_no_reference(real: Path) -> None:
    (real / "build").mkdir(exist_ok=True)
    (real / "build/.setup").touch()
    command = ["make", "test", "LAB=1", "SUBMISSION=reference"]
    # Without the variables of a surrounding make
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=real, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("SUBMISSION=reference: there is no folder reference/ in this tree"), done.stderr
    assert not (real / "build/cpu").exists()


def test_a_corrected_release_unpacked_over_one_that_was_built_is_built_anew(real: Path, tmp_path: Path) -> None:
    """The files of an archive are older than anything built, so only the marker shows that they are different."""
    course = tmp_path / "course"
    shutil.copytree(real, course)
    kept = [course / "build" / name for name in ("venv/bin/python3", "grade/student/results.json")]
    built = course / "build/libsimt.a"
    for path in (*kept, built):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def make() -> None:
        subprocess.run(["make", "help"], cwd=course, check=True, capture_output=True)

    make()
    make()
    assert built.exists(), "nothing has changed"
    mark = (course / MARKER).read_text(encoding="utf-8")
    (course / MARKER).write_text(mark.replace(mark[-9:], "corrected"), encoding="utf-8")
    make()
    assert not built.exists()
    assert all(path.exists() for path in kept)
