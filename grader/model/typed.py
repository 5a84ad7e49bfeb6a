"""Checks that data read from a file has the types of the model. JSON has fewer types, and anybody can edit such a
file."""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

_LARGEST = 1 << 63  # whole numbers are smaller in absolute value


def check_types(value: object, kind: Any) -> None:
    """TypeError unless value and everything in it has the annotated type. Whole numbers must be below 2^63, other
    numbers finite, and texts encodable as UTF-8."""
    if not _is(value, kind):
        raise TypeError(f"{str(value)[:60]!r} is no {getattr(kind, '__name__', kind)}")


def _is(value: object, kind: Any) -> bool:
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if not isinstance(value, kind):
            return False
        for name, of in _fields(kind):
            check_types(getattr(value, name), of)
        return True
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return any(_is(value, one) for one in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and _are(value, arguments)
    if origin is not None and issubclass(origin, Mapping):
        key, item = arguments
        return isinstance(value, dict) and all(_is(k, key) and _is(v, item) for k, v in value.items())
    return _is_plain(value, kind)


def _are(values: tuple[object, ...], kinds: tuple[Any, ...]) -> bool:
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(values)
    return len(values) == len(kinds) and all(map(_is, values, kinds))


def _is_plain(value: object, kind: Any) -> bool:
    if kind is int:
        return type(value) is int and -_LARGEST < value < _LARGEST
    if kind is float:
        return (type(value) is float and math.isfinite(value)) or _is_plain(value, int)
    if kind is str:
        return type(value) is str and _is_writable(value)
    if kind in {bool, bytes, types.NoneType} or issubclass(kind, Enum):
        return isinstance(value, kind)
    raise NotImplementedError(kind)


def _is_writable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


@functools.cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = typing.get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in dataclasses.fields(kind))
