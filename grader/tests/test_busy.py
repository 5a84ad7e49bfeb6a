"""Grades a sample of the solutions on a busy machine; `make check-busy` grades all."""

from grader.tests.check_busy import compare, difference, solutions


def test_a_right_solution_has_the_same_result_on_a_busy_machine() -> None:
    [(source, name, text)] = solutions([1], "last_block")
    assert compare(source, name, text) == ""


def test_a_difference_is_found_wherever_it_is() -> None:
    quiet = {"labs": [{"score": 10, "parts": [{"status": "passed"}, {"status": "passed"}]}]}
    busy = {"labs": [{"score": 10, "parts": [{"status": "passed"}, {"status": "timed out"}]}]}
    assert difference(quiet, quiet) == ""
    assert difference(quiet, busy) == "/labs/0/parts/1/status is 'passed', and 'timed out' on a busy machine"
    assert difference(quiet, {"labs": []}).startswith("/labs is ")
