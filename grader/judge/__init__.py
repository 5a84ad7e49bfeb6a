"""Builds, runs the suites, scores."""
