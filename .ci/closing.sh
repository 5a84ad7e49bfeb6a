#!/usr/bin/env bash
# closing.sh: what a script of tests counts, and the line that it ends with, which .ci/check.py reads. It is sourced.
passed=0
failed=0

count_passed() { passed=$((passed + 1)); }
count_failed() { failed=$((failed + 1)); }

# closing_line NAME: `NAME: N passed, N failed`. Status 0 when a test ran and none failed.
closing_line() {
    echo "$1: $passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
