"""Writes the dataclasses of the model as tables of JSON, reads them back, and describes their form.

The dataclasses are the only declaration of such a file. JSON has fewer types than they have, and anybody can edit a
file, so everything that is read is checked.
"""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar

_Read = TypeVar("_Read")
_LARGEST = 1 << 63  # whole numbers are smaller in absolute value


def to_table(value: Any) -> Any:
    """The value as JSON has it. A dataclass becomes a table of its fields and of the properties that its COMPUTED
    lists."""
    kind: Any = type(value)
    if _is_table(kind):
        return {name: to_table(getattr(value, name)) for name in (*dict(_fields(kind)), *_computed(kind))}
    if isinstance(value, tuple):
        return [to_table(one) for one in value]
    return {key: to_table(one) for key, one in value.items()} if isinstance(value, dict) else value


def from_table(kind: type[_Read], table: Any) -> _Read:
    """Makes a dataclass from its table. A field that the table lacks has its default. TypeError or ValueError when the
    table is malformed."""
    value = _build(kind, table)
    check_types(value, kind)
    return typing.cast("_Read", value)


def schema_of(kind: Any, version: int) -> dict[str, Any]:
    """The form of a file, as a JSON Schema: the table that to_table makes of this dataclass, and the file's version."""
    definitions: dict[str, Any] = {}
    _describe(kind, definitions)
    root = definitions.pop(kind.__name__)
    root["required"].insert(0, "schema")
    root["properties"]["schema"] = {"const": version}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": definitions}


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


def _computed(kind: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(kind, "COMPUTED", ())
    return names


def _build(kind: Any, value: Any) -> Any:
    """The types of what does not look like a table of this kind are left as they are."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        present = [one for one in arguments if one is not types.NoneType]
        return value if value is None or len(present) > 1 else _build(present[0], value)
    if _is_table(kind) and isinstance(value, dict):
        kinds = dict(_fields(kind))
        return kind(
            **{name: _build(kinds.get(name), one) for name, one in value.items() if name not in _computed(kind)}
        )
    if origin is tuple and isinstance(value, list):
        items = arguments[:1] * len(value) if arguments[-1] is Ellipsis else arguments
        return tuple(map(_build, items, value)) if len(items) == len(value) else value
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if origin is not None and issubclass(origin, Mapping) and isinstance(value, dict):
        return {key: _build(arguments[1], one) for key, one in value.items()}
    return value


_PLAIN = {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}


def _describe(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if origin in {typing.Union, types.UnionType}:
        return {"anyOf": [_describe(one, definitions) for one in arguments]}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _describe(arguments[0], definitions)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _describe(arguments[1], definitions)}
    if issubclass(kind, Enum):
        return {"enum": [one.value for one in kind]}
    if kind.__name__ not in definitions:
        table: dict[str, Any] = {"type": "object", "additionalProperties": False}
        definitions[kind.__name__] = table
        kinds = dict(_fields(kind)) | {
            name: typing.get_type_hints(getattr(kind, name).fget)["return"] for name in _computed(kind)
        }
        table["required"] = list(kinds)
        table["properties"] = {name: _describe(one, definitions) for name, one in kinds.items()}
    return {"$ref": f"#/$defs/{kind.__name__}"}


def check_types(value: object, kind: Any) -> None:
    """TypeError unless value and everything in it has the annotated type. Whole numbers must be below 2^63, other
    numbers finite, and texts encodable as UTF-8."""
    if not _is(value, kind):
        raise TypeError(f"{str(value)[:60]!r} is no {getattr(kind, '__name__', kind)}")


def _is(value: object, kind: Any) -> bool:
    if _is_table(kind):
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
