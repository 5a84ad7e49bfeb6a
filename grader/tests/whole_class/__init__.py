"""A class as large as a real one, of all that the tree holds: graded, stopped, resumed, exported (make check-class)."""
