"""Reads hand-ins: files, archives, and the labs that they belong to."""
