"""What keeps a hand-in in: the sandbox, control groups, the inspection of sources and objects."""
