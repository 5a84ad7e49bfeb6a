"""Entry point of `python3 -m grader`."""

import sys


def _main() -> int:
    try:
        from grader.cli import main
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] != "rich":
            raise
        print(
            "grader: the Python package rich is not installed\n"
            "    try: make setup, then use make grade, or build/venv/bin/python -m grader",
            file=sys.stderr,
        )
        return 3
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(_main())
