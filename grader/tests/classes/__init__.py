"""Tests of classes, of what students hand in, and of the files that are made of a grading."""
