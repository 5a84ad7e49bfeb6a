"""The grader: builds a submission, runs the labs' suites on it, scores it. See `python3 -m grader --help`."""

__version__ = "1.0"
