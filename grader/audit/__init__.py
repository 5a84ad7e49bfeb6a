"""Checks the suites by wrong kernels, shortcuts and right solutions."""
