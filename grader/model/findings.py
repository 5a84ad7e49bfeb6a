"""The kinds of failures and findings."""

MISMATCH = "mismatch"
NOT_JUDGED = "not judged"  # of a failure that says only that the result is wrong

# Kinds of findings of the device, which name lines: the same list as in simt/simt.h.
FINDINGS = (
    *("out of bounds", "wild pointer", "null pointer", "use after free", "host pointer", "device pointer"),
    *("write to constant memory", "write to an input", "misaligned", "index of 32 bits"),
    *("another thread's local memory", "barrier divergence", "warp misuse", "deadlock", "endless loop"),
    *("launch refused", "assertion failed", "crash", "race", "uninitialized", "runtime call"),
    *("function not allowed", "leak"),
)
# Kinds of statements about a call: the same list as in labs/support/suite/suite.h.
STATEMENTS = (
    *(MISMATCH, NOT_JUDGED, "input changed", "different bits", "over the bound", "work not shared"),
    *("work of the host", "too few additions", "leak", "error", "timed out", "crashed", "missing", "harness fault"),
)
KINDS = tuple(dict.fromkeys((*FINDINGS, *STATEMENTS)))
