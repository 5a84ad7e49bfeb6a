"""GitHub: the summary of a job, as Markdown for GITHUB_STEP_SUMMARY."""

import html
import re

from grader.export.graded import Graded
from grader.export.text import aspect_words, lab_words, points
from grader.model.types import LabResult, PartResult, columns_of

SUMMARY_CAP = 1 << 19  # in bytes; GitHub refuses a summary of more than 1 MiB


def job_summary(graded: Graded) -> str:
    """The summary. If it would be too long, it names what was left out."""
    results = graded.results
    total = f"# {points(results.score)} of {results.max_score} points\n"
    pieces = [total, *(_lab(lab) for lab in results.labs)]
    pieces += [_details(part) for lab in results.labs for part in lab.parts]
    text = ""
    for i, piece in enumerate(pieces):
        if len((text + piece).encode()) > SUMMARY_CAP:
            return f"{text}\n{len(pieces) - i} more sections do not fit here.\n"
        text += piece
    return text


def _lab(lab: LabResult) -> str:
    columns = columns_of([lab])
    lines = [
        f"\n## Lab {lab.number}: {_inline(lab.title)}: {points(lab.score)} of {lab.max_score}\n",
        f"| part | {' | '.join(columns)} | all |",
        f"|---|{'---:|' * len(columns)}---:|",
    ]
    for part in lab.parts:
        by_name = {aspect.name: aspect for aspect in part.aspects}
        cells = [f"{points(by_name[n].earned)}/{by_name[n].points}" if n in by_name else "" for n in columns]
        mark = "✅" if part.score == part.max_score else "❔" if part.score is None else "❌"
        lines.append(f"| {mark} `{part.name}` | {' | '.join(cells)} | {points(part.score)}/{part.max_score} |")
    if lab.message:
        lines += ["", *_fenced(lab_words(lab))]
    return "\n".join(lines) + "\n"


def _details(part: PartResult) -> str:
    said = [(aspect.name, aspect_words(aspect)) for aspect in part.aspects]
    blocks = ["\n".join([f"\n**{name}**\n", *_fenced(words)]) for name, words in said if words]
    if not blocks:
        return ""
    return (
        f"\n<details><summary><code>{html.escape(part.name)}</code></summary>\n"
        + "\n".join(blocks)
        + "\n\n</details>\n"
    )


def _fenced(text: str) -> list[str]:
    """A code block that no text can end: its fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text, fence]


def _inline(text: str) -> str:
    """Escapes characters that have a meaning in Markdown, in text of the course's own files."""
    return re.sub(r"([\\`*_{}\[\]<>()#|!])", r"\\\1", text)
