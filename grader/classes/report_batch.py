"""Prints a graded class on the terminal: the points, what went wrong, and where the files are."""

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.export.report_terminal import clean
from grader.model.gradebook import CSV_NAME, Entry, EntryStatus, Gradebook, number, several_hand_ins

TROUBLE_SHOWN = 20  # number of hand-ins; the gradebook has all


def print_batch(console: Console, book: Gradebook, folder: str, graded: int, known: int) -> None:
    """folder: the gradebook's folder, as the reader would type it. graded, known: how many verdicts are new and how
    many existed."""
    counts = Counter(entry.status for entry in book.entries)
    console.print(Text(f"{book.batch}  on the {book.device} device, seed {book.seed}", "bold"))
    console.print(Text(", ".join(f"{counts[status]} {status}" for status in EntryStatus if counts[status])))
    console.print(Text(f"{graded} labs' files were graded now, {known} were known"))
    _print_labs(console, book)
    troubled = [entry for entry in book.entries if entry.status in (EntryStatus.UNUSABLE, EntryStatus.GRADER_FAULT)]
    for entry in troubled[:TROUBLE_SHOWN]:
        console.print(Text(f"{entry.name}: {entry.status}", "yellow"))
        console.print(
            Text("\n".join(f"    {line.strip()}" for line in clean(_why(entry)).splitlines())), soft_wrap=True
        )
    if len(troubled) > TROUBLE_SHOWN:
        console.print(Text(f"... and {len(troubled) - TROUBLE_SHOWN} more; the gradebook has them all", "yellow"))
    for student, names in several_hand_ins(book).items():
        said = f"{student} has {len(names)} hand-ins, {' and '.join(names)}: which one counts?"
        advice = "    leave one folder or file of each student, or say in submitted.csv when each came, for make term"
        console.print(Text(clean(said), "yellow"), soft_wrap=True)
        console.print(Text(advice), soft_wrap=True)
    console.print(Text(f"gradebook: {folder}/{CSV_NAME}"), soft_wrap=True)


def print_changes(console: Console, before: Gradebook, after: Gradebook) -> None:
    """Prints what a regrade changed, for each hand-in."""
    old = {entry.name: entry for entry in before.entries}
    changed = [entry for entry in after.entries if entry.name in old and old[entry.name].score != entry.score]
    for entry in changed:
        console.print(Text(f"{entry.name}: {number(old[entry.name].score) or '?'} -> {number(entry.score) or '?'}"))
    console.print(Text(f"{len(changed)} of {len(after.entries)} scores changed"))


def _print_labs(console: Console, book: Gradebook) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("lab", no_wrap=True)
    for name in ("handed in", "median", "mean", "full score"):
        table.add_column(name, justify="right")
    for i, column in enumerate(book.labs):
        grades = [entry.labs[i] for entry in book.entries]
        scores = sorted(grade.score for grade in grades if grade.score is not None and grade.status != "missing")
        table.add_row(
            f"{column.number}  {column.title}",
            str(len(scores)),
            number((scores[(len(scores) - 1) // 2] + scores[len(scores) // 2]) / 2) if scores else "",
            number(round(sum(scores) / len(scores), 1)) if scores else "",
            str(sum(score == column.max_score for score in scores)),
        )
    console.print(table)


def _why(entry: Entry) -> str:
    if entry.status is EntryStatus.GRADER_FAULT:
        labs = ", ".join(str(lab.number) for lab in entry.labs if lab.status is not None and lab.raw is None)
        return f"lab {labs}: the grader failed twice; {entry.results} says how. Grade again when that is mended"
    return entry.message
