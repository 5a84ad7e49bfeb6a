"""Judging a submission: it is built, its suites run, and their tests become points."""
