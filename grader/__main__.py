"""Entry point of `python3 -m grader`."""

import sys


def _main() -> int:
    try:
        from grader.front.cli import main
    except ModuleNotFoundError as missing:
        package = (missing.name or "grader").partition(".")[0]
        if package == "grader":
            raise
        print(
            f"grader: the Python package {package} is not installed\n"
            "    try: make setup, then use make grade, or build/venv/bin/python -m grader",
            file=sys.stderr,
        )
        return 3
    except KeyboardInterrupt:  # before the command line was read
        return 130
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(_main())
