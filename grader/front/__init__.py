"""The command lines of the grader."""
