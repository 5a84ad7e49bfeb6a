"""Autolab: prints the words of the grading, and as the last line the JSON that Autolab reads
(https://docs.autolabproject.com/lab/). Its problems have the names of the parts.

When the grader failed there is no such line. Autolab then reports that autograding failed, and no one gets 0 points.
"""

import json

from grader.export.graded import Graded
from grader.export.text import lab_words, part_words, points


def autolab(graded: Graded) -> str:
    """The text that the autograder prints."""
    results = graded.results
    lines: list[str] = []
    for lab in results.labs:
        lines.append(f"Lab {lab.number}: {lab.title}: {points(lab.score)} of {lab.max_score}")
        lines += [lab_words(lab)] if lab.message else []
        for part in lab.parts:
            lines.append(f"{part.name}: {points(part.score)} of {part.max_score}")
            lines += [f"    {line}" for line in part_words(part).splitlines()]
    # Autolab reads only the last line, but a person should not mistake a quoted line for it.
    lines = [line if not line.startswith("{") else f" {line}" for line in "\n".join(lines).splitlines()]
    if results.score is not None:
        scores = {part.name: part.score for lab in results.labs for part in lab.parts}
        lines.append(json.dumps({"scores": scores, "scoreboard": [results.score]}))
    return "\n".join(lines) + "\n"
