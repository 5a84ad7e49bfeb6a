"""What Python 3.11 has and Python 3.10 lacks, for machines with Ubuntu 22.04."""

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    from enum import StrEnum
else:
    from enum import Enum

    class StrEnum(str, Enum):
        """An enumeration whose members are strings: str() of a member is its value."""

        __str__ = str.__str__
        __format__ = str.__format__


__all__ = ["StrEnum", "parse_toml", "possessive"]


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML file. ValueError says where it is none. The package is imported here because `make doctor`
    runs before it is installed."""
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415
    return tomllib.loads(text)


def possessive(pattern: str) -> str:
    """The pattern for this Python. Before 3.11 it loses its possessive quantifiers (`*+`, `++`, `?+`), so use it only
    where they do not change what matches: where nothing follows them that could fail."""
    return pattern if sys.version_info >= (3, 11) else re.sub(r"(?<!\\)([*+?])\+", r"\1", pattern)
