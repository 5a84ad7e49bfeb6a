"""The walls around a hand-in: the sandbox, control groups, and the inspection of sources and object files."""
