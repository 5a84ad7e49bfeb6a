"""A small course whose suites and compiler do exactly what a test tells them.

Only the suites, make's recipes and the labs are replaced; everything else is real, so the grader behaves as in the real
course.
"""

import json
import shlex
import stat
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.front import cli
from grader.model.layout import Course
from grader.model.results import from_json
from grader.model.typed import to_table
from grader.model.types import Call, Failure, Finding, Results, Side

REPLAY = "replay: make run LAB=1 PART=up MONOID=interval N=33 SEED=7"

LAB_TOML = """\
title = "{title}"
number = {number}
source = "{stem}.cu"

[[part]]
name = "up"
summary = "First half"
correct = 30
clean = 15
efficient = 15

[[part]]
name = "down"
summary = "Second half"
correct = 40
"""

# Compiles any file without a planted error. $1 lab, $2 who, $3 source folder, $4 device.
COMPILER = """\
#!/bin/sh
for stem in one two three; do
    file="$3/$stem.cu"
    case "$1$stem" in 1one | 2two | 3three) ;; *) continue ;; esac
    if line=$(grep -n SYNTAX "$file"); then
        echo "In file included from $file:1:" >&2
        echo "$file:${line%%:*}:5: error: expected ';' before '}' token" >&2
        echo "make: *** [Makefile:9: build-lab] Error 1" >&2
        exit 1
    fi
    if grep -q LARGE "$file"; then
        echo "g++: internal compiler error: File size limit exceeded signal terminated program as" >&2
        exit 1
    fi
    if grep -q HUNGRY "$file"; then echo "cc1plus: out of memory allocating 65536 bytes" >&2; exit 1; fi
    if grep -q STRANGE "$file"; then echo "make: stopped" >&2; exit 1; fi
    if [ -e simt/include/no-compiler ]; then echo "make: g++: No such file or directory" >&2; exit 127; fi
    if grep -q DISKFULL "$file"; then echo "$file:1:1: fatal error: x: No space left on device" >&2; exit 1; fi
    if grep -q SPIN "$file" && { grep -q ALWAYS "$file" || [ ! -e "build/spun" ]; }; then
        : >build/spun
        echo "g++: fatal error: CPU time limit exceeded signal terminated program cc1plus" >&2
        exit 1
    fi
    if grep -q HANG "$file" && { grep -q ALWAYS "$file" || [ ! -e "build/hung" ]; }; then
        : >build/hung
        sleep 1000
    fi
    if secret=$(grep -o 'INCLUDE .*' "$file"); then
        cat "${secret#INCLUDE }" >"build/$4/$2/stolen" 2>/dev/null ||
            { echo "$file:1: fatal error: cannot open" >&2; exit 1; }
    fi
    grep -o 'LOSES [a-z]* [a-z]*' "$file" >"build/$4/$2/$stem.sum.so" || echo built >"build/$4/$2/$stem.sum.so"
    as -o "build/$4/$2/$stem.sum.o" </dev/null
    : >"build/$4/$2/$stem.sum.ii"
    : >"build/$4/$2/$stem.sum.calls"
done
"""

MAKEFILE = """\
suites:
\t@test ! -e broken-suites || { echo "suite.c:7: error: planted" >&2; exit 1; }
\t@test -z "$(MAKEFLAGS)" -o "$(origin LAB)" = undefined || { echo "MAKEFLAGS leaked: $(MAKEFLAGS)" >&2; exit 1; }
build-lab:
\t@sh ./simt/include/compiler "$(LAB)" "$(WHO)" "$(SRC)" "$(DEVICE)"
"""

SUITE = """\
import json, os, pathlib, sys, time
here = pathlib.Path(__file__)
plan = json.loads(here.with_suffix(".json").read_text())
words = sys.argv[1:]
options = dict(zip(words[::2], words[1::2], strict=True))
here.with_suffix(".argv").write_text(json.dumps(options))
built = pathlib.Path(options["--submission"]) / (here.name.split("_")[1] + ".sum.so")
loses = built.read_text().split()[1:] if built.exists() else []
if loses:
    plan |= plan["losing"][" ".join(loses)]
if plan.get("print"):
    print(plan["print"], flush=True)
with open(int(options["--records"]), "w") as records:
    records.write(plan["records"])
if plan.get("child"):
    os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "61.7")
if plan.get("count"):
    with open(plan["count"], "a") as stream:
        print(here.name, file=stream)
if plan.get("kill_grader"):
    os.kill(os.getppid(), 9)
if plan.get("sleep_after"):
    count, mark = plan["sleep_after"]
    if pathlib.Path(mark).exists() and len(open(plan["count"]).readlines()) > count:
        time.sleep(60)
time.sleep(plan.get("sleep", 0))
if plan.get("signal"):
    os.kill(os.getpid(), plan["signal"])
sys.exit(plan["status"])
"""


CALL = Call(
    "up on interval, 33 elements", "interval", 33, "", 7, "random", 0, 0, "forward", 16, 512, False, False, False
)


def as_program(python: str) -> str:
    """A program that this Python runs. A #! line could not name a Python in a folder with a space."""
    return f"#!/bin/sh\n''':'\nexec {shlex.quote(sys.executable)} \"$0\" \"$@\"\n'''\n{python}"


def stated(message: str, kind: str = "mismatch", call: Call | None = None) -> Failure:
    """A failure with a statement."""
    said, _, replay = message.partition("\nreplay: ")
    return Failure(kind, said=tuple(said.splitlines()), call=call, replay=replay)


def finding(kind: str, line: int, title: str, **more: Any) -> Finding:
    """A finding in one.cu, in the function up."""
    plain: dict[str, Any] = {"warning": False, "consequence": False, "file": "one.cu", "function": "up", "variable": ""}
    plain |= {"count": 1, "sides": (), "missing": "", "detail": (), "hint": ""}
    return Finding(kind=kind, line=line, title=title, **(plain | more))


def race(line: int = 5, other: int = 5, variable: str = "shared buffer[17]", **more: Any) -> Finding:
    """A race of two threads."""
    sides = (Side("thread 18", "reads it", "one.cu", other), Side("thread 17", "writes it", "one.cu", line))
    about = {"variable": variable, "sides": sides, "missing": "and no barrier stands between"}
    return finding(more.pop("kind", "race"), line, f"race on {variable}", **(about | more))


def found(*findings: Finding, call: Call = CALL, replay: str = "") -> Failure:
    """A failure with findings."""
    return Failure(findings[0].kind, call=call, findings=findings, replay=replay)


@dataclass
class Row:
    """One test of a planted suite."""

    part: str
    aspect: str
    id: str = "it_works"
    message: str | Failure = ""  # empty when the test passes
    kind: str = "mismatch"  # kind of the failure; or "not run", and then the message is the reason

    @property
    def outcome(self) -> str:
        """The kind of record that a suite writes when the test has ended."""
        return "passed" if not self.message else "not run" if self.kind == "not run" else "failed"

    @property
    def records(self) -> str:
        """The records that a suite writes when it runs the test, or leaves it out."""
        return ("" if self.outcome == "not run" else self._record("started")) + self._record(self.outcome)

    @property
    def plan(self) -> str:
        return self._record("planned")

    def _record(self, record: str) -> str:
        more: dict[str, Any] = {}
        if record in ("passed", "failed"):
            more["seconds"] = 0.25
        if record == "failed":
            one = self.message if isinstance(self.message, Failure) else stated(self.message, self.kind)
            more["failure"] = to_table(one)
        if record == "not run":
            more["reason"] = self.message
        return json.dumps({"record": record, "part": self.part, "aspect": self.aspect, "test": self.id, **more}) + "\n"


ALL_PASS = (Row("up", "correct"), Row("up", "clean"), Row("up", "efficient"), Row("down", "correct"))


def failing(part: str, aspect: str, message: str | Failure, kind: str = "mismatch") -> list[Row]:
    """Rows that all pass, except this one."""
    return [
        Row(part, aspect, r.id, message, kind=kind) if (r.part, r.aspect) == (part, aspect) else r for r in ALL_PASS
    ]


def stream(rows: Sequence[Row], more: str = "") -> str:
    """All records of a suite; `more` has further ones, which come before the end."""
    count = Counter(row.outcome for row in rows)
    end = {"record": "end", **{outcome: count[outcome] for outcome in ("passed", "failed", "not run")}}
    plan, run = "".join(row.plan for row in rows), "".join(row.records for row in rows)
    return plan + run + more + json.dumps(end) + "\n"


def meter(part: str, name: str, counted: int, most: int, **call: str) -> str:
    """The record of a meter; `call` is its size and the formula of the bound."""
    about = {"part": part, "name": name, "counted": counted, "most": most, **call}
    return json.dumps({"record": "meter", **about}) + "\n"


def proof(part: str, words: str, lengths: str) -> str:
    """The record of what the suite proved."""
    return json.dumps({"record": "proof", "part": part, "outcome": "holds", "words": words, "lengths": lengths}) + "\n"


def _judged(rows: Sequence[Row], more: str = "") -> dict[str, Any]:
    """The records and the exit status of a suite with these rows."""
    return {"status": int(any(row.outcome == "failed" for row in rows)), "records": stream(rows, more)}


def _less(rows: Sequence[Row], part: str, aspect: str) -> list[Row]:
    """The rows for a hand-in that contains the words `LOSES part aspect`."""
    return [replace(r, message=f"{part} {aspect} is lost") if (r.part, r.aspect) == (part, aspect) else r for r in rows]


@dataclass
class PlantedCourse:
    """A course tree with two labs: one.cu and two.cu; lab() makes a third, three.cu."""

    root: Path
    course: Course = field(init=False)

    def __post_init__(self) -> None:
        self.course = Course(self.root)
        self.write("Makefile", MAKEFILE)
        self.write("simt/include/compiler", COMPILER)
        self.write("build/cpu/runner", "a runner")
        self.lab(1, "one")
        self.lab(2, "two")
        for stem in ("one", "two"):
            self.write(f"student/{stem}.cu", f"void {stem}(void) {{}}\n")
            self.write(
                f"reference/{stem}.cu",
                f"void {stem}(void)\n{{\n    /* TODO: add. */\n    /* solution */\n"
                f"    launch_the_whole_thing_{stem}(1, 2, 3);\n    /* end solution */\n}}\n",
            )

    def write(self, name: str, text: str) -> Path:
        """Writes a file of the tree."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def lab(self, number: int, stem: str) -> None:
        """Makes a lab with a public and a hidden suite in which everything passes."""
        self.write(f"labs/{number}-{stem}/lab.toml", LAB_TOML.format(title=f"Lab {stem}", number=number, stem=stem))
        self.write(f"reference/check_{stem}_hidden.c", f"/* the hidden tests of {stem} */\n")
        self.suite(stem)
        self.suite(f"{stem}_hidden")

    def suite(self, name: str, rows: Sequence[Row] = ALL_PASS, more: str = "", **plan: Any) -> None:
        """Plants build/bin/check_<name>. `more` has further records. `plan` overrides: status, records, sleep, signal,
        print, count (a file that gets a line for each run), sleep_after (this many lines, while a file exists),
        kill_grader."""
        program = self.write(f"build/bin/check_{name}", as_program(SUITE))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        defaults = {
            **_judged(rows, more),
            "losing": {f"{r.part} {r.aspect}": _judged(_less(rows, r.part, r.aspect)) for r in ALL_PASS},
        }
        self.write(f"build/bin/check_{name}.json", json.dumps(defaults | plan))

    def argv_of(self, name: str) -> dict[str, str]:
        """The options with which a suite was last started."""
        options: dict[str, str] = json.loads((self.root / f"build/bin/check_{name}.argv").read_text())
        return options

    def run(self, *argv: str) -> int:
        """Runs the grader and returns its exit status; pytest captures the output."""
        return cli.main(argv, root=self.root)

    def grade(self, *options: str, of: str = "student", name: str = "") -> tuple[int, Results]:
        """Exit status and results.json of grading one submission. `name` is its folder if it is not `of`."""
        status = self.run("grade", of, *options)
        path = self.root / "build" / "grade" / (name or Path(of).name) / "results.json"
        return status, from_json(path.read_text(encoding="utf-8"))
