"""Checks the suites with wrong kernels, shortcuts and right solutions."""
