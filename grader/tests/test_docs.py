"""Every command in README.md, CONTRIBUTING.md, the grader's pages and the handouts works as it is written there."""

import functools
import os
import re
import subprocess
from pathlib import Path

import pytest

from grader.audit.portion import is_taken
from grader.release.documents import anchors
from grader.tests.real import gdb_calls_functions

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300

# These commands run all tests, including this one, so they are not run here.
ALL = {"make check", "make grade SUBMISSION=reference"}


def commands(document: Path) -> list[str]:
    """The lines of the document's ```sh blocks, with continued lines joined."""
    found: list[str] = []
    for block in re.findall(r"^```sh\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split(" #")[0].strip().replace("{lab}", "2")  # a release inserts the number of its first lab
            if command:
                found.append(command)
    return found


DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "grader" / "CLASS.md",
    ROOT / "grader" / "EXPORT.md",
    ROOT / "grader" / "INSTRUCTORS.md",
    ROOT / "grader" / "PROOFS.md",
    ROOT / "grader" / "TEACHING.md",
    *sorted((ROOT / "handouts").glob("*.md")),
    ROOT / "simt" / "trace" / "TRACE.md",
    ROOT / "simt" / "trace" / "RECORD.md",
]
# Commands about a reader's own program. They run one after the other in a folder that has such a program.
OWN = [command for document in DOCUMENTS[-2:] for command in commands(document) if re.search(r"\bprogram\b", command)]
# Grading is shown for every lab and tried for one of them: test_end_to_end.py has its tests.
OTHER_LABS = {f"make grade LAB={lab}" for lab in range(1, 9) if lab != 2}
SHOWN = sorted({command for document in DOCUMENTS for command in commands(document)} - ALL - OTHER_LABS - set(OWN))
# Each command builds and tests what a reader's would, so a run takes those that belong to PORTION.
TAKEN = [command for command in SHOWN if is_taken(command)]


@functools.cache
def outcome(command: str) -> subprocess.CompletedProcess[str]:
    """Runs the command as for a student whose solution is complete."""
    environment = {**os.environ, "SUBMISSION": "reference", "COLUMNS": "0"}  # COLUMNS=0: lines are not broken
    if "build/grade/reference/results.json" in command:  # replaces the results of earlier runs of these tests
        outcome("make grade LAB=2").check_returncode()
    if "build/grade/one_part_done/" in command:
        outcome("make grade SUBMISSION=grader/tests/submissions/one_part_done")
    if re.search("build/class/class/|grader/tests/term/|make regrade", command):
        outcome("make grade SUBMISSIONS=grader/tests/class LAB=2").check_returncode()
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", TAKEN)
def test_a_command_of_the_documents_works(command: str) -> None:
    """A hand-in that loses points ends with status 1, as documented."""
    done = outcome(command)
    expected = 2 if "SUBMISSION=grader/tests" in command else 0  # make turns every failure into status 2
    assert done.returncode == expected, done.stdout + done.stderr


@pytest.mark.slow
def test_the_commands_for_a_program_of_one_s_own_work(tmp_path: Path) -> None:
    for folder in ("build", "simt"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "program.cu").write_text(
        "#include <cuda_runtime.h>\n"
        "__global__ void count(int *cells) { cells[threadIdx.x] = threadIdx.x; }\n"
        "int main() { int *cells; cudaMalloc(&cells, 16); count<<<1, 4>>>(cells); return cudaFree(cells); }\n",
        encoding="ascii",
    )
    said = ""
    for command in OWN:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said += done.stdout
    assert len(OWN) == 4
    assert re.search(r"^ +1 +2 +cells +0\* +1\* +2\* +3\*$", said, re.MULTILINE)
    assert "<title>count: trace</title>" in (tmp_path / "program.html").read_text(encoding="utf-8")
    assert (tmp_path / "run.record").read_text(encoding="ascii").endswith('["close"]\n')


def printed(document: Path) -> list[tuple[list[str], str]]:
    """The blocks that a comment marks as printed, each with the commands of the ```sh block before it."""
    found, last = [], ""
    blocks = re.finditer(
        r"^(<!-- printed -->\n)?```(\w*)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    for mark, language, text in (block.groups() for block in blocks):
        if language == "sh":
            last = text
        elif mark:
            found.append(([line.split(" #")[0].strip() for line in last.splitlines()], text))
    return found


def first_not_said(block: str, said: str) -> str | None:
    """The first line of a block that is not in the output, in the same order; `...` matches anything."""
    rest = (" ".join(line.split()) for line in said.splitlines())
    for line in (" ".join(line.split()) for line in block.splitlines()):
        wanted = re.compile(".*".join(re.escape(piece) for piece in line.split("...")))
        if line not in ("", "...") and not any(wanted.fullmatch(other) for other in rest):
            return line
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "document", [document for document in DOCUMENTS if is_taken(document.stem)], ids=lambda document: document.stem
)
def test_what_the_documents_show_is_printed(document: Path) -> None:
    if document.stem == "debugger" and not gdb_calls_functions():
        pytest.skip("gdb cannot call functions on this processor")
    for shown, block in printed(document):
        said = "".join(outcome(command).stdout for command in shown)
        assert first_not_said(block, said) is None, f"after {shown} in {document}:\n{said}"


def test_blocks_that_are_printed_are_found_and_stale_lines_in_them() -> None:
    assert sum(len(printed(document)) for document in DOCUMENTS) >= 30
    said = "slot  in\n   0   7\n   1   8\nmeters: combines 3"
    assert first_not_said("slot in\n  ...\n1 8\nmeters: ... 3", said) is None
    assert first_not_said("slot in\n1 8\n0 7", said) == "0 7"
    assert first_not_said("meters: combines 4", said) == "meters: combines 4"


def numbers(document: Path) -> list[tuple[str, list[str], str]]:
    """For each comment `numbers of COMMAND: 285 4.8`: the command, the numbers, and the text up to a blank line."""
    page = document.read_text(encoding="utf-8")
    marks = re.finditer(r"^<!-- numbers of ([^:\n]+): ([\d. -]+) -->\n", page, re.MULTILINE)
    return [(mark[1], mark[2].split(), page[mark.end() :].partition("\n\n")[0]) for mark in marks]


def is_in(number: str, text: str) -> bool:
    """True when the text has this number as a whole: 28 is not in 285, nor in 2.28."""
    return re.search(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\d)", text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_numbers_of_a_text_are_those_of_its_command(document: Path) -> None:
    for command, claimed, text in numbers(document):
        said = outcome(command)
        assert said.returncode == 0, said.stderr
        shown = "\n".join(line for line in text.splitlines() if not line.startswith("<!--"))
        assert [number for number in claimed if not is_in(number, said.stdout)] == [], f"{command}:\n{said.stdout}"
        assert [number for number in claimed if not is_in(number, shown)] == [], f"{command}:\n{shown}"


def test_marked_numbers_are_found_and_others_are_not() -> None:
    assert sum(len(numbers(document)) for document in DOCUMENTS) >= 40
    assert is_in("28", "(28)")
    assert is_in("1.5", "is 1.5.")
    assert not any(is_in("28", text) for text in ("285", "128", "2.28", "28.5", "n28"))


def tables(document: Path) -> list[tuple[str, str]]:
    """For each comment `rows of make trace ...`: the command and the table of steps below it."""
    page = document.read_text(encoding="utf-8")
    return re.findall(r"^<!-- rows of (make trace [^\n]+) -->\n```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def cells(line: str) -> list[str]:
    """The longest sequence of numbers in a line with a few blanks between them. Dots are cells that are no longer
    needed."""
    runs = re.findall(r"(?:(?:-?\d+|\.)(?:\s{1,5}|$))+", line.replace("*", ""))
    return max((run.split() for run in runs), key=len, default=[])


def first_not_traced(table: str, traced: str) -> str | None:
    """The first row of a table of steps that is not in the trace, in the same order."""
    lines = [line for line in table.splitlines() if not line.startswith(("place", "slot"))]
    width = min(len(cells(line)) for line in lines)  # a label may end with a number, and not every label does
    rest = (cells(line)[-width:] for line in traced.splitlines() if len(cells(line)) >= width)
    for line in lines:
        wanted = cells(line)[-width:]
        if not any(all(a in (".", b) for a, b in zip(wanted, shown, strict=True)) for shown in rest):
            return line
    return None


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_tables_of_steps_are_what_a_trace_shows(document: Path) -> None:
    for command, table in tables(document):
        traced = outcome(command).stdout
        assert first_not_traced(table, traced) is None, f"after {command}:\n{traced}"


def test_a_row_that_no_trace_shows_is_found() -> None:
    assert sum(len(tables(document)) for document in DOCUMENTS) >= 7
    traced = (
        "        in     3   1   7   0\n   2   57      1  tile   4*  1   7*  0\n   3   57      2  tile  11*  1   7   0\n"
    )
    table = (
        "place     0  1  2  3\nin        3  1  7  0\nstride 1  4  .  7  .   threads 0 1 add\nstride 2  11  .  .  .\n"
    )
    assert first_not_traced(table, traced) is None
    assert first_not_traced(table.replace("7  .  ", "8  .  "), traced) == "stride 1  4  .  8  .   threads 0 1 add"
    assert first_not_traced("in  3  1  7  0\nnext  7  0  3  1\n", traced) == "next  7  0  3  1"


def test_a_replay_line_builds_one_monoid_only() -> None:
    """This keeps the answer quick when a student edits the line that a message names and replays it. All builds are
    eight, and three of them once more for proofs."""

    def would_do(*words: str) -> str:
        command = ["make", "--dry-run", "--no-print-directory", *words]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False).stdout

    run = would_do("run", "LAB=2", "PART=scan_in_place", "MONOID=interval", "N=5", "TILE=64", "SUBMISSION=reference")
    assert "build-lab AFTER=own-suites WHO=reference BUILDS=interval.64\n" in run
    for builds, most in (("BUILDS=interval.64", 1), ("BUILDS=sum", 1), ("BUILDS=", 11), ("BUILDS=none", 8)):
        made = would_do("lab-objects", "LAB=2", "WHO=reference", builds, "-W", "reference/naive_scan.cu")
        assert len(set(re.findall(r"-o (\S*naive_scan\.[\w.]+\.so)", made))) == most, builds


@pytest.mark.parametrize(
    ("goal", "lab", "part", "tile", "builds"),
    [
        ("test", "reduction", "mean", "", "float_sum float_sum.64 float_sum.1024"),
        ("test", "reduction", "mean", "64", "float_sum.64"),
        ("test", "reduction", "mean", "512", "float_sum"),
        (
            *("test", "reduction", "reduce", ""),
            "sum max product float_sum fingerprint fingerprint.64 fingerprint.1024",
        ),
        ("test", "summed_area_table", "sat", "", "sum sum.64 sum.1024"),
        ("test", "summed_area_table", "scan_rows", "", "sum affine interval interval.64 interval.1024"),
        ("test", "applications", "lex", "", "sum sum.64 sum.1024"),
        ("test", "naive_scan", "scan_in_place", "64", "interval.64"),
        ("prove", "naive_scan", "scan_in_place", "64", "interval.64 interval.64.checked"),
        (
            *("prove", "naive_scan", "scan_in_place", ""),
            "interval interval.64 interval.1024 interval.checked interval.64.checked interval.1024.checked",
        ),
        ("run", "reduction", "mean", "", "float_sum"),
        ("run", "reduction", "reduce", "", "sum"),
        ("run", "reduction", "reduce", "1024", "fingerprint.1024"),
        ("run", "naive_scan", "scan_in_place", "", "interval"),
        ("meters", "reduction", "mean", "", "float_sum"),
    ],
)
def test_a_part_is_built_for_its_own_monoids(goal: str, lab: str, part: str, tile: str, builds: str) -> None:
    source = f"reference/{lab}.cu"
    settings = (f"LAB={lab}", f"PART={part}", f"TILE={tile}", "SUBMISSION=reference", "-W", source)
    command = ["make", "--dry-run", "--no-print-directory", goal, *settings]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    made = done.stdout + done.stderr  # compilers' messages are printed on stderr
    assert set(re.findall(rf"-o \S*/{lab}\.([\w.]+)\.so", made)) == set(builds.split()), made
    # Further monoids that a proof needs, if the part has one.
    proved = any(build.startswith(("interval", "fingerprint")) for build in builds.split())
    assert (re.search(r"(reduction|naive_scan)(\.\d+)?\.generic", made) is not None) == (
        proved and goal != "run" and lab in ("reduction", "naive_scan")
    )


def test_a_part_of_one_monoid_is_shown_with_that_one() -> None:
    for lab, part, monoid in (("1", "mean", "float_sum"), ("1", "reduce", "sum"), ("8", "histogram", "sum")):
        for goal, words in (("meters", "--dry-run"), ("trace", "--dry-run")):
            command = ["make", words, goal, f"LAB={lab}", f"PART={part}", "SUBMISSION=reference"]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
            assert re.findall(r"--monoid (\w+)", done.stdout) == [monoid], done.stdout + done.stderr


def test_make_meters_explains_every_meter() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "simt/meters").glob("*.c"))
    table = (ROOT / "labs/support/suite/suite_totals.c").read_text(encoding="utf-8")
    explained = re.findall(r'^    \{"([^"]+)",', table, re.MULTILINE)
    assert set(re.findall(r'\.meter = "([^"]+)"', sources)) <= set(explained)
    assert [meter for meter in explained if f'"{meter}"' not in sources] == []


def test_the_list_of_targets_fits_80_columns() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    goals = [line.split()[1] for line in lines if line.startswith("  make ")]
    assert {"test", "run", "trace", "meters", "debug", "grade", "doctor"} <= set(goals)
    assert lines[-1].startswith("Settings: LAB=2 PART=")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("test LAB=2 n=33", "n=33 does nothing in make test. It takes:"),
        ("test lab=2", "lab=2 does nothing in make test; try: LAB=2."),
        ("run LAB=2 part=scan_in_place", "part=scan_in_place does nothing in make run; try: PART=scan_in_place."),
        ("run LAB=2 PART=scan_in_place n=33", "n=33 does nothing in make run; try: N=33."),
        ("grade PART=scan_in_place", "PART=scan_in_place does nothing in make grade. It takes:"),
        ("test LAB=2 N=5", "N=5 does nothing in make test. It takes:"),
        ("handouts LAB=2", "LAB=2 does nothing in make handouts. It takes no settings."),
        ("report LAB=2", "LAB=2 does nothing in make report. It takes: FROM SUBMISSION."),
        ("report from=x.json", "from=x.json does nothing in make report; try: FROM=x.json."),
        ("build PART=scan_in_place", "PART=scan_in_place does nothing in make build. It takes: BUILDS DEVICE LAB."),
        ("picture N=5", "N=5 does nothing in make picture. It takes: DEVICE SUBMISSION."),
        ("doctor SUBMISSION=reference", "SUBMISSION=reference does nothing in make doctor. It takes no settings."),
        ("board SUBMISSIONS=all", "SUBMISSIONS=all does nothing in make board. It takes: FROM."),
        ("test LAB=1 reduce_tile", "reduce_tile is a part; try: make test LAB=1 PART=reduce_tile"),
        ("test PART=reduce", "name the lab of PART=reduce: make test LAB=2 PART=scan_in_place"),
        ("prove PART=reduce", "name the lab of PART=reduce: make prove LAB=2 PART=scan_in_place"),
    ],
)
def test_a_setting_that_does_nothing_is_an_error(words: str, said: str) -> None:
    command = ["make", "--no-print-directory", *words.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.slow
def test_a_lab_without_proofs_says_why() -> None:
    command = ["make", "--no-print-directory", "prove", "LAB=4", "PART=scatter", "SUBMISSION=reference"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("\nscatter\n  only tested: nothing checks that a thread looks only at")


@pytest.mark.slow
def test_any_folder_can_be_tested(tmp_path: Path) -> None:
    """Behind the walls of a grading, with the suite's own output and a status that make passes on."""
    folder = tmp_path / "a hand-in"
    folder.mkdir()
    source = (ROOT / "reference/compaction.cu").read_text(encoding="utf-8")
    (folder / "compaction.cu").write_text(source)

    def ask(goal: str, *settings: str) -> subprocess.CompletedProcess[str]:
        command = ["make", "--no-print-directory", goal, "LAB=4", "PART=scatter", f"SUBMISSION={folder}", *settings]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)

    tested, called, traced = ask("test"), ask("run", "N=5"), ask("trace", "TILE=8")
    assert tested.returncode == 0
    assert (traced.returncode, traced.stdout.splitlines()[-1]) == (0, "right on this input"), traced.stderr
    assert re.search(r"^compaction: \d+ passed, 0 failed$", tested.stdout, re.MULTILINE)
    assert (called.returncode, called.stdout.splitlines()[-1]) == (0, "right on this input")
    (folder / "compaction.cu").write_text(source.replace("void scatter(", "void scatter_nothing("))
    assert ask("run", "N=5").returncode == 2
    untraced = ask("trace")
    assert (untraced.returncode, untraced.stdout) == (2, "")
    assert "there is nothing to trace: compaction.cu does not compile" in untraced.stderr


def test_the_settings_that_documents_show_are_taken() -> None:
    """This asks make itself, which can list its targets without building anything."""
    settings = (ROOT / "labs/settings.mk").read_text(encoding="utf-8")
    shown: dict[str, set[str]] = {}
    for command in SHOWN:
        words = command.split()
        if words[0] == "make" and f"SETTINGS.{words[1]} " in settings:
            shown.setdefault(words[1], set()).update(word.split("=")[0] for word in words[2:] if "=" in word)
    assert {"test", "run", "trace", "meters", "grade", "audit"} <= shown.keys()
    for goal, names in shown.items():
        words = [f"{name}=1" for name in sorted(names - {"DEVICE"})]
        done = subprocess.run(
            ["make", "--question", "help", goal, *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert "does nothing" not in done.stderr, done.stderr


def test_every_document_shows_commands() -> None:
    """The pattern above still finds commands."""
    for document in DOCUMENTS:
        assert commands(document), document


def lists_by_chance(text: str) -> list[str]:
    """Lines in a paragraph that Markdown takes for a list: a formula is broken before its plus or minus sign."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^\w.*\n(?:[ ].*\n)*([+*-] .*)$", prose, re.MULTILINE)


def test_no_formula_of_a_paragraph_becomes_a_list() -> None:
    assert lists_by_chance("Slots 2t and 2t\n+ 1. Every sum") == ["+ 1. Every sum"]
    assert not lists_by_chance("Two:\n\n- one\n- two\n\n```\na\n+ b\n```\n")
    for document in DOCUMENTS:
        assert not lists_by_chance(document.read_text(encoding="utf-8")), document


def test_every_link_leads_somewhere() -> None:
    """Checks relative links only; other links leave the course."""
    for document in [*DOCUMENTS, ROOT / "grader" / "PLANNING.md", *sorted(ROOT.glob("*/README.md"))]:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                leads = document.parent / target if target else document
                assert leads.exists(), f"{document}: {target}"
                assert not anchor or anchor in anchors(leads.read_text(encoding="utf-8")), f"{document}: {anchor}"


def test_every_topic_of_the_lectures_leads_to_its_heading() -> None:
    topics = ROOT / "handouts" / "topics.md"
    rows = re.findall(r"^\| (?!topic|-)(.+?) \| (.+) \|$", topics.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 30
    for topic, where in rows:
        links = re.findall(r"\]\(([^)#]+)#?([^)]*)\)", where)
        assert links, topic
        for name, anchor in links:
            assert not anchor or anchor in anchors((topics.parent / name).read_text("utf-8")), (
                f"{topic}: {name}#{anchor}"
            )


# Topics of lectures that are easily left out: the document, and words in its paragraph, exercise or figure.
TAUGHT = [
    ("1-reduction", "The idea", ("tournament", "bracket", "where is the parallelism?")),
    ("1-reduction", "What it costs", ("arithmetic intensity", "A scan writes as much as it reads", "energy", "pJ")),
    ("1-reduction", "Part 1", ("figures/reduction-divergent.svg",)),
    ("1-reduction", "Part 2", ("figures/reduction-packed.svg",)),
    (
        "2-naive-scan",
        "What a scan is",
        ("sausage", "sandwich", "how much is left", "stall", "channels", "forall j", "temp[j] = f(j)"),
    ),
    ("2-naive-scan", "Part 2", ("figures/hillis-steele.svg",)),
    ("2-naive-scan", "Part 3", ("Kogge and Stone (1973)", "figures/kogge-stone-race.svg")),
    ("2-naive-scan", "Part 5", ("loaded", "to the left", "last element")),
    (
        "3-work-efficient-scan",
        "Part 1",
        ("2^d nodes", "its left one at p - s", "figures/tree.svg", "figures/down-sweep.svg"),
    ),
    ("3-work-efficient-scan", "Part 2", ("figures/brent-kung.svg", "In time, too?", "Divergent or packed?")),
    ("3-work-efficient-scan", "Part 3", ("figures/banks-before.svg", "figures/banks-after.svg")),
    ("3-work-efficient-scan", "Going further", ("Sklansky",)),
    ("4-compaction", "What compaction is", ("Collision tests", "Sparse matrices", "Transfers to the host")),
    (
        "5-radix-sort",
        "Part 3",
        ("From two tiles to a whole array", "figures/merge-sort.svg", "Where is the parallelism"),
    ),
    ("6-arbitrary-length-scan", "Part 5", ("figures/look-back.svg",)),
    ("7-summed-area-table", "Where else", ("glossy reflection and refraction",)),
]


@pytest.mark.parametrize(
    ("page", "section", "words"), TAUGHT, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_the_lectures_teach_stands_there(page: str, section: str, words: tuple[str, ...]) -> None:
    text = (ROOT / "handouts" / f"{page}.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(section)}.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    said = " ".join(found[0].split())
    assert [word for word in words if word not in said] == []
