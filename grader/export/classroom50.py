"""Classroom 50's result.json (foundation50/classroom50, schemas/result-v1.schema.json): one test for each part.

The runner passes names and addresses in environment variables. When the grader failed, the file has no tests and no
points, as in the runner's own report of an error, so no one gets 0 points.
"""

import json
from datetime import datetime, timezone
from typing import Any

from grader.export.choices import Choices
from grader.export.graded import Graded
from grader.export.text import lab_words, part_words
from grader.model.errors import UsageError
from grader.model.types import LabResult, PartResult

SCHEMA = "classroom50/result/v1"
_MOST_WORDS = 4000  # limit for the text of one part, in characters
_FIELDS = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}


def classroom50(graded: Graded, choices: Choices) -> str:
    """The text of the file. UsageError when a variable of the runner is not set."""
    values = choices.environment
    for variable in _FIELDS.values():
        if not values.get(variable):
            raise UsageError(f"{variable} is not set: this format is written by Classroom 50's runner only")
    table: dict[str, Any] = {"schema": SCHEMA, **{name: values[variable] for name, variable in _FIELDS.items()}}
    labs = graded.results.labs if graded.results.score is not None else ()
    tests = [_test(lab, part, part.score) for lab in labs for part in lab.parts if part.score is not None]
    try:
        started = datetime.fromisoformat(graded.results.started).astimezone(timezone.utc)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{graded.results.started!r} is no time") from error
    table |= {
        "review": values.get("REVIEW_URL") or values["COMMIT_URL"],
        "datetime": started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json.dumps(table, indent=1, ensure_ascii=True) + "\n"


def _test(lab: LabResult, part: PartResult, score: int) -> dict[str, Any]:
    words = (part_words(part) or lab_words(lab))[:_MOST_WORDS]
    return {
        "test-name": f"{lab.number}: {part.name}",
        "passed": score == part.max_score,
        "score": score,
        "max-score": part.max_score,
        "message": words,
    }
