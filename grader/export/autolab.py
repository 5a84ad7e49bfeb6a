"""Autolab: the words of the grading, and as the last line the JSON that Autolab reads
(https://docs.autolabproject.com/lab/). Its problems are the parts, named as they are.

Where the grader failed there is no such line: Autolab then says that autograding failed, and nobody has a zero.
"""

import json

from grader.export.graded import Graded
from grader.export.text import lab_words, part_words, points


def autolab(graded: Graded) -> str:
    """What the autograder prints."""
    results = graded.results
    lines: list[str] = []
    for lab in results.labs:
        lines.append(f"Lab {lab.number}: {lab.title}: {points(lab.score)} of {lab.max_score}")
        lines += [lab_words(lab)] if lab.message else []
        for part in lab.parts:
            lines.append(f"{part.name}: {points(part.score)} of {part.max_score}")
            lines += [f"    {line}" for line in part_words(part).splitlines()]
    # Autolab looks for the last line alone, but nobody should take a quoted one for it.
    lines = [line if not line.startswith("{") else f" {line}" for line in "\n".join(lines).splitlines()]
    if results.score is not None:
        scores = {part.name: part.score for lab in results.labs for part in lab.parts}
        lines.append(json.dumps({"scores": scores, "scoreboard": [results.score]}))
    return "\n".join(lines) + "\n"
