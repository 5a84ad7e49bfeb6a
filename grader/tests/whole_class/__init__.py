"""A class of realistic size, made from everything in the tree: graded, stopped, continued, exported (make
check-class)."""
