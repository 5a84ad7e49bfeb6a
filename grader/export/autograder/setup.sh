#!/usr/bin/env bash
# setup.sh: Gradescope runs this script once, when it makes the image of an autograder. The script installs what the
# grader needs and builds what does not depend on a submission. It needs Python 3.11 or later: choose the Ubuntu 24.04 image.
set -eu -o pipefail
cd "${AUTOGRADER:-/autograder}/source/course"
make --no-print-directory setup
make --no-print-directory -j"$(nproc)" suites
