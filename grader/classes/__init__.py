"""Grades many hand-ins: batches, Slurm, rosters, late days."""
