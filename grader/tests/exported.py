"""Results and classes for the tests of exporters. They are made up, have every status, and contain hostile text
wherever a submission or a student can choose the text."""

from dataclasses import replace
from pathlib import Path

from grader.export.term_pages import Facts, write_pages
from grader.model.gradebook import (
    ByHand,
    Entry,
    EntryStatus,
    Form,
    Gradebook,
    LabColumn,
    LabGrade,
    Origin,
    PartColumn,
    Student,
    from_json,
    write_gradebook,
)
from grader.model.results import to_json
from grader.model.types import (
    AspectResult,
    Failure,
    IgnoredFile,
    LabResult,
    Meter,
    Outcome,
    PartResult,
    Results,
    SandboxInfo,
    Side,
    Speed,
    Status,
    SubmissionInfo,
    SuiteKind,
)
from grader.model.words import message
from grader.tests import planted
from grader.tests.planted import race

FACTS = Facts(4, "overrides.csv", "term.toml")

# Texts in hidden tests that must not be in a student's export. Each of them is unmistakable.
CANARY_N = 90417
CANARIES = ("90417", "7130508264", "55512347", "CANARY", "is_a_secret_sentence", "is a secret sentence")

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`${7*7}{{7*7}}</pre></code>\u202egnp.x\x1b[31m\x07&lt;"
)

CALL = replace(planted.CALL, words="scan_in_place on interval, 33 elements")
RACE = Failure(
    "race",
    call=CALL,
    findings=(
        replace(
            race(3, 2, file="naive_scan.cu", function="scan_kernel", count=4),
            sides=(
                Side("thread 18", "reads it", "naive_scan.cu", 2),
                Side("thread 17", "writes it", "naive_scan.cu", 3),
            ),
            hint="a second __syncthreads() after every thread has read its operand",
        ),
    ),
    replay="make run LAB=2 PART=scan_in_place MONOID=interval N=33 SEED=7",
)
PRINTED = Failure(
    "mismatch",
    said=("slot 3 holds 4, expected 5",),
    call=replace(CALL, words="scan_in_place on sum, 600 elements", monoid="sum", n=600),
    printed=(HOSTILE, "naive_scan.cu:4  forged: race on nothing"),
    replay="make run LAB=2 PART=scan_in_place MONOID=sum N=600 SEED=7",
)
OVER = Failure(
    "over the bound",
    "barriers",
    ("barriers: 18 counted, at most 10 allowed", "the bound is ceil(log2 n) + 1"),
    replace(CALL, words="scan_in_place on interval, 512 elements", n=512),
    replay="make run LAB=2 PART=scan_in_place MONOID=interval N=512 SEED=7",
)

_SECRET = replace(CALL, words=f"scan on sum, {CANARY_N} elements, CANARY", monoid="sum", n=CANARY_N)
HIDDEN_FAILURES = (
    Failure(
        "mismatch",
        said=("slot 55512347 holds 7130508264, expected 5",),
        call=replace(_SECRET, input="sorted"),
        replay=f"make run LAB=2 PART=scan MONOID=sum N={CANARY_N} SEED=7130508264 INPUT=sorted",
    ),
    Failure(
        "race",
        call=replace(_SECRET, order="random"),
        findings=(
            race(55512347, 90417, f"shared buffer[{CANARY_N}]", file="naive_scan.cu", missing="CANARY", hint="CANARY"),
        ),
        replay=f"make run LAB=2 PART=scan MONOID=interval N={CANARY_N} SEED=7130508264 ORDER=random",
    ),
    Failure(
        "crashed",
        said=("crashed: signal 11",),
        call=replace(_SECRET, n=None, shape=f"{CANARY_N}x33"),
        context=("CANARY",),
        printed=(f"CANARY N={CANARY_N}",),
        replay=f"make run LAB=7 PART=scan MONOID=sum SHAPE={CANARY_N}x33 SEED=7130508264",
    ),
    Failure(
        "mismatch",
        said=(f"CANARY: the same call is right in a fresh process {CANARY_N}",),
        call=replace(_SECRET, history=True),
        replay="make test LAB=2 PART=scan",
    ),
    Failure(
        "over the bound",
        "CANARY",
        (f"barriers: 55512347 counted, at most {CANARY_N} allowed",),
        _SECRET,
        replay=f"nonsense CANARY {CANARY_N}",
    ),
    Failure("not judged", said=(f"CANARY {CANARY_N}",), call=_SECRET),
    Failure("timed out", said=(f"replay: make run N={CANARY_N} CANARY",)),
)


def outcome(name: str, failure: Failure | None = None, suite: SuiteKind = SuiteKind.PUBLIC, **what: str) -> Outcome:
    """One test of scan_in_place's correctness; `what` can name another part or aspect."""
    part, aspect = what.get("part", "scan_in_place"), what.get("aspect", "correct")
    if failure is None:
        return Outcome(name, part, aspect, suite, Status.PASSED, "", 0.25)
    return Outcome(name, part, aspect, suite, failure.status, message(failure), None, failure)


def hidden(i: int, **what: str) -> Outcome:
    """The i-th failed hidden test."""
    failure = HIDDEN_FAILURES[i % len(HIDDEN_FAILURES)]
    return outcome(f"is_a_secret_sentence_{i}", failure, SuiteKind.HIDDEN, **what)


def aspect(name: str, points: int, earned: int | None, *tests: Outcome) -> AspectResult:
    """An aspect whose status follows from its tests."""
    status = next((test.status for test in tests if test.status is not Status.PASSED), Status.PASSED)
    return AspectResult(name, points, earned, status, tests)


def lab_two() -> LabResult:
    """A lab with one part of each kind."""
    good = outcome("is_right_at_every_length")
    parts = (
        PartResult(
            "scan_quadratic",
            "Each thread adds up its whole prefix",
            (aspect("correct", 30, 30, replace(good, part="scan_quadratic")),),
            "checked at every n from 1 to 512",
            (Meter("combines", SuiteKind.PUBLIC, 130816, 130816, "512", "n(n - 1) / 2"),),
            "n = 1 to 512",
        ),
        PartResult(
            "scan_in_place",
            "One shared buffer and two barriers a step",
            (
                aspect(
                    "correct",
                    20,
                    0,
                    outcome("works_in_place", PRINTED),
                    outcome("works_on_floats", replace(PRINTED, call=replace(CALL, n=700))),
                    good,
                    *(hidden(i) for i in range(len(HIDDEN_FAILURES))),
                ),
                aspect("clean", 10, 0, outcome("is_clean", RACE, aspect="clean"), hidden(1, aspect="clean")),
                aspect("efficient", 10, 0, outcome("stays_within_bounds", OVER, aspect="efficient")),
            ),
            "not proved: a test failed",
            (
                Meter("barriers", SuiteKind.PUBLIC, 18, 10, "512", "ceil(log2 n) + 1"),
                Meter("steps", SuiteKind.PUBLIC, 9, 114, "512", "2 ceil(log2 n) + 96"),
                Meter("barriers", SuiteKind.HIDDEN, 55512347, CANARY_N, str(CANARY_N), "ceil(log2 n) + 1"),
            ),
        ),
        PartResult(
            "scan_global",
            "Any length, one launch for each stride",
            (
                aspect("correct", 20, 20, replace(good, part="scan_global")),
                aspect("clean", 10, 0, hidden(0, part="scan_global", aspect="clean")),
            ),
        ),
    )
    return LabResult(2, "Naive scan", "naive_scan.cu", Status.FAILED, "", (SuiteKind.PUBLIC, SuiteKind.HIDDEN), parts)


def untested(number: int, status: Status, message: str) -> LabResult:
    """A lab of one part that was not tested."""
    earned = None if status is Status.GRADER_FAULT else 0
    part = PartResult(f"part_of_{number}", "A part", (AspectResult("correct", 100, earned, status, ()),))
    return LabResult(number, f"Lab number {number}", f"lab_{number}.cu", status, message, (), (part,))


def results(name: str = "ada", *labs: LabResult, path: str = "/home/CANARY/hand-ins/ada") -> Results:
    """A grading of these labs; by default lab two and two labs that were not tested."""
    return Results(
        SubmissionInfo(
            name,
            path,
            "hand-in",
            ("naive_scan.cu", "lab_4.cu"),
            (IgnoredFile(HOSTILE, "not the name of a lab's file"),),
        ),
        "cpu",
        4711,
        SandboxInfo(True, "bubblewrap"),
        {"grader": "1.0", "python": "3.11.2"},
        "2026-11-21T20:00:00+00:00",
        12.5,
        labs or (lab_two(), untested(3, Status.MISSING, "lab_3.cu is not in the submission"), broken_lab()),
    )


def broken_lab() -> LabResult:
    """A lab that does not compile."""
    return untested(
        4, Status.DOES_NOT_COMPILE, f"lab_4.cu:2:5: error: expected ';' before {HOSTILE}\nlab_4.cu:1: warning: w"
    )


def faulty() -> Results:
    """A grading in which the grader failed. Its message quotes a hidden test."""
    words = f"hidden test is_a_secret_sentence_0: {message(HIDDEN_FAILURES[0])}\nCANARY"
    lab = replace(lab_two(), status=Status.GRADER_FAULT, message=words, parts=_without_score())
    return results("bob", lab, *results().labs[1:])


def _without_score() -> tuple[PartResult, ...]:
    return tuple(
        replace(part, aspects=tuple(replace(a, earned=None) for a in part.aspects)) for part in lab_two().parts
    )


SOURCE = f"// {HOSTILE}\n__global__ void scan_kernel() {{}}\n    buffer[t] = sum; // \tx < y && z\nlast line"


def write_graded(folder: Path, of: Results) -> Path:
    """Writes the results.json of one grading, and its files next to it."""
    (folder / "src").mkdir(parents=True)
    (folder / "results.json").write_text(to_json(of), encoding="utf-8")
    (folder / "src" / "naive_scan.cu").write_text(SOURCE, encoding="utf-8")
    (folder / "src" / "lab_4.cu").write_text("int x;\nint y\n", encoding="utf-8")
    return folder / "results.json"


def write_class(folder: Path, hand_ins: int = 30) -> Path:
    """Writes the gradebook.json of a class of this size, with a results.json for each hand-in except the last two."""
    entries = [_entry(folder, i, hand_ins) for i in range(hand_ins)]
    labs = tuple(
        LabColumn(lab.number, lab.title, lab.source, lab.max_score, None, _columns(lab)) for lab in results().labs
    )
    write_gradebook(folder, Gradebook("week-2", f"Scans {HOSTILE}", "cpu", 4711, labs, tuple(entries)))
    return folder / "gradebook.json"


def write_term(folder: Path, hand_ins: int) -> Path:
    """Writes a term's book and its pages, for a class of this size. Every fourth student has points by hand."""
    write_pages(folder / "term", term_book(folder, hand_ins, Form.FOLDER), FACTS)
    return folder / "term"


def term_book(folder: Path, hand_ins: int, form: Form) -> Gradebook:
    """The book of a term, for folder/term. Its batch in folder/class was downloaded from a service, where the i-th
    student has the number 5000 + i."""
    book = from_json(write_class(folder / "class", hand_ins).read_text(encoding="utf-8"))
    entries = tuple(_term_entry(entry, i, form) for i, entry in enumerate(book.entries))
    return replace(book, batch="term", seed=None, entries=entries)


def _term_entry(entry: Entry, i: int, form: Form) -> Entry:
    by_hand = (ByHand("scan_quadratic", 30, 10, f"One missing semicolon {HOSTILE}", "B. Moe"),) if i % 4 == 1 else ()
    place, others_of = f"../class/{entry.results}", ("class/earlier",)
    where = Origin("class", entry.name, place, others_of, form, str(5000 + i)) if entry.results else None
    first, *others = entry.labs
    parts: dict[str, int | None] = (
        {"scan_quadratic": 30, "scan_in_place": 0, "scan_global": 20} if by_hand else first.parts
    )
    labs = (replace(first, parts=parts, by_hand=by_hand, origin=where, submitted="2026-11-03T10:00:00+01:00"), *others)
    return replace(entry, form=Form.ROSTER, results=None, source=None, labs=labs)


def _columns(lab: LabResult) -> tuple[PartColumn, ...]:
    return tuple(PartColumn(part.name, part.max_score) for part in lab.parts)


def _entry(top: Path, i: int, hand_ins: int) -> Entry:
    name = f"hand-in-{i:03}"
    student = Student(str(1000 + i), f'=HYPERLINK("x") {HOSTILE}' if i == 0 else f"Student {i:03}", f"s{i}@example.edu")
    if i >= hand_ins - 2:
        unusable = i == hand_ins - 2
        status, lost = (EntryStatus.UNUSABLE, Status.MISSING) if unusable else (EntryStatus.WAITING, None)
        score = 0 if unusable else None
        grades = [LabGrade(lab.number, lost, score, 0.0, score, 100, 0, 0, False, {}) for lab in results().labs]
        return replace(
            BLANK, name=name, status=status, students=(student,), score=score, labs=tuple(grades), message=HOSTILE
        )
    of = faulty() if i == 1 else _varied(i)
    folder = f"submissions/{name}"
    write_graded(top / folder, of)
    grades = [LabGrade(x.number, x.status, x.score, 0.0, x.score, 100, i % 3, 0, False, {}) for x in of.labs]
    return replace(
        BLANK,
        name=name,
        status=EntryStatus.GRADED if of.score is not None else EntryStatus.GRADER_FAULT,
        students=(student,),
        score=of.score,
        labs=tuple(grades),
        results=f"{folder}/results.json",
        source=f"{folder}/src",
    )


BLANK = Entry(
    name="",
    status=EntryStatus.GRADED,
    message="",
    students=(),
    form=Form.FOLDER,
    origin="",
    submission_id="",
    submitted=None,
    marked_late=False,
    files=("naive_scan.cu",),
    ignored=(),
    content="",
    results=None,
    source=None,
    score=None,
    max_score=300,
    labs=(),
)


def _varied(i: int) -> Results:
    """The i-th grading; some earn more than others."""
    lab = lab_two()
    aspects = lab.parts[1].aspects
    part = replace(lab.parts[1], aspects=(replace(aspects[0], earned=20 if i % 2 else 0), *aspects[1:]))
    whole = replace(lab, parts=(lab.parts[0] if i % 5 else _failed(lab.parts[0]), part, lab.parts[2]))
    return results(f"hand-in-{i:03}", whole, *results().labs[1:])


def raced(of: Results, *speeds: Speed) -> Results:
    """The same grading, in which the first part of the first lab is right and was timed."""
    lab = of.labs[0]
    part = lab.parts[0]
    timed = tuple(
        replace(outcome(f"is_fast_{i}", aspect="fast"), part=part.name, speed=s) for i, s in enumerate(speeds)
    )
    aspects = (AspectResult("correct", 10, 10, Status.PASSED, ()), aspect("fast", 5, 5, *timed))
    return replace(of, labs=(replace(lab, parts=(replace(part, aspects=aspects), *lab.parts[1:])), *of.labs[1:]))


def _failed(part: PartResult) -> PartResult:
    test = outcome(part.aspects[0].tests[0].id, PRINTED, part=part.name)
    return replace(part, aspects=(aspect("correct", 30, 0, test),))
