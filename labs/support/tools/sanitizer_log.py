"""Reads the reports of NVIDIA's compute-sanitizer, and says them in the form of the CPU device's findings:

    naive_scan.cu:148  scan_in_place_kernel: race on shared memory (racecheck)
        a thread reads it at line 148, another one writes it at line 149, and no barrier is between
        3968 times

The forms that are read here are those of CUDA 13. Of a report of another form, the line of the source is read, and
the rest is passed on as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PREFIX = re.compile(r"^=========( ?)(.*)$")
# `kernel(int *, int)+0x1a0 in x.cu:187`
PLACE = re.compile(r"(?P<kernel>[\w:~<>]+)(?:\(.*?\))?\+0x[0-9a-f]+ in (?P<file>[^\s:]+):(?P<line>\d+)")
THREAD = re.compile(r"by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)")
ACCESS = re.compile(r"Invalid __(\w+)__ (atomic|read|write|access) of size ([\d,]+) bytes?")
UNINITIALIZED = re.compile(r"Uninitialized __(\w+)__ memory read of size ([\d,]+) bytes?")
BOUNDS = re.compile(r"and is ([\d,]+) bytes (before|after) the nearest allocation .* of size ([\d,]+) bytes")
RACE = re.compile(r"Race reported between (Read|Write|Atomic) access at (.*)")
OTHER_SIDE = re.compile(r"and (Read|Write|Atomic) access at (.*?)(?: \[([\d,]+) hazards?\])?$", re.MULTILINE)
SUMMARY = re.compile(r"SUMMARY: (\d+) (?:error|hazard)")
DOES = {"Read": "reads", "Write": "writes", "Atomic": "updates"}
FAR = 1 << 30  # bytes from an allocation that do not belong to it
KEPT_LINES = 6  # of a report of another form


@dataclass
class Report:
    """One report, or several that are alike except for their threads and addresses."""

    title: str
    details: list[str]
    file: str = ""  # without its folder; "" if the report names no line
    line: int = 0
    kernel: str = ""
    count: int = 1

    @property
    def key(self) -> tuple[str, str, int, str]:
        return (self.title, self.file, self.line, self.kernel)

    def text(self, tool: str) -> str:
        place = f"{self.file}:{self.line}  {self.kernel}: " if self.file else ""
        lines = [f"{place}{self.title} ({tool})", *(f"    {detail}" for detail in self.details)]
        if self.count > 1:
            lines.append(f"    {self.count} times")
        return "\n".join(lines) + "\n"


@dataclass
class Log:
    """What one log, or several, say."""

    reports: list[Report] = field(default_factory=list)
    runs: int = 0  # processes that ended under the tool

    def add(self, report: Report) -> None:
        for known in self.reports:
            if known.key == report.key:
                known.count += report.count
                return
        self.reports.append(report)


def parse_log(text: str, log: Log) -> None:
    """Adds the reports of a log."""
    for block in _blocks(text):
        if SUMMARY.search(block[0]):
            log.runs += 1
        elif not block[0].startswith(("COMPUTE-SANITIZER", "Program hit")):  # an error that follows from a report
            log.add(_report(block))


def _blocks(text: str) -> Iterator[list[str]]:
    """The reports as lists of lines: the first line is not indented, and the others are."""
    block: list[str] = []
    for raw in text.splitlines():
        match = PREFIX.match(raw)
        if not match or not match[2].strip():
            continue
        line = match[2]
        if line.startswith(" "):
            block.append(line.strip())
        else:
            if block:
                yield block
            block = [line.strip()]
    if block:
        yield block


def _at(text: str, title: str, details: list[str], count: int = 1) -> Report:
    place = PLACE.search(text)
    if place is None:
        return Report(title, details, count=count)
    return Report(title, details, place["file"].rpartition("/")[2], int(place["line"]), place["kernel"], count)


def _thread(text: str) -> str:
    match = THREAD.search(text)
    if match is None:
        return "a thread"
    thread, block = (", ".join(match.group(*ones)) for ones in ((1, 2, 3), (4, 5, 6)))
    return f"thread {_short(thread)} of block {_short(block)}"


def _short(index: str) -> str:
    """3 instead of 3, 0, 0."""
    first, second, third = index.split(", ")
    return first if second == third == "0" else f"({index})"


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


def _report(block: list[str]) -> Report:
    head, all_lines = block[0], "\n".join(block)
    if match := ACCESS.search(head):
        memory, does, size = match[1], match[2], _number(match[3])
        title = f"{does} out of bounds of {memory} memory"
        verb = {"access": "accesses", "atomic": "updates"}.get(does, f"{does}s")
        details = [f"{_thread(all_lines)} {verb} {_bytes(size)}"]
        if (bounds := BOUNDS.search(all_lines)) and _number(bounds[1]) < FAR:
            details.append(f"{_bytes(_number(bounds[1]))} {bounds[2]} an allocation of {_bytes(_number(bounds[3]))}")
        elif "misaligned" in all_lines:
            title = f"misaligned {does} of {memory} memory"
        return _at(all_lines, title, details)
    if match := UNINITIALIZED.search(head):
        details = [f"{_thread(all_lines)} reads {_bytes(_number(match[2]))} that nothing has written"]
        return _at(all_lines, f"read of uninitialized {match[1]} memory", details)
    if (match := RACE.search(head)) and (other := OTHER_SIDE.search(all_lines)):
        return _race(match, other)
    return _at(all_lines, head, [line for line in block[1:KEPT_LINES] if not line.startswith(("at ", "Saved", "Host"))])


def _race(one: re.Match[str], other: re.Match[str]) -> Report:
    first, second = PLACE.search(one[2]), PLACE.search(other[2])
    lines = [f" at line {place['line']}" if place else "" for place in (first, second)]
    detail = (
        f"one thread {DOES[one[1]]} it{lines[0]}, another one {DOES[other[1]]} it{lines[1]}, and no barrier is between"
    )
    return _at(one[2], "race on shared memory", [detail], _number(other[3]) if other[3] else 1)
