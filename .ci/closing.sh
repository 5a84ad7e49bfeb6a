#!/usr/bin/env bash
# closing.sh: counts the tests of a script and prints its last line, which .ci/check.py reads. Scripts source this file.
passed=0
failed=0

count_passed() { passed=$((passed + 1)); }
count_failed() { failed=$((failed + 1)); }

# closing_line NAME: prints `NAME: N passed, N failed`. The status is 0 when a test ran and none failed.
closing_line() {
    echo "$1: $passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
