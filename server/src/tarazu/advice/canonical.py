"""Canonical JSON: the same value always gives the same text.

Keys in order, no spaces, letters as they are; decimals, instants, days and ids as text, fields of a
dataclass as keys, but for optional ones that are empty. Values shared by many are written once.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, Final

WRITTEN_IF_SET: Final = "written if set"
"""Metadata of a field that is left out while it is empty: texts of before it was added stay the same."""

Write = Callable[[Any], str]
"""Writes values of one type."""


def _as_text(value: object) -> str:
    # `str` is faster than a format string, and an advice has hundreds of decimals.
    return '"' + str(value) + '"'


PLAIN: Final[Mapping[type, Write]] = {
    str: encode_basestring,
    int: str,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
    Decimal: _as_text,
    uuid.UUID: _as_text,
    dt.date: _as_text,
    dt.datetime: lambda value: _as_text(value.isoformat().replace("+00:00", "Z")),
}


class Writer:
    """Writes values; the caller keeps them alive as long as the writer.

    Args:
        shared: dataclasses whose values appear many times. Each value is written once and then
            found by its identity.
    """

    def __init__(self, *shared: type) -> None:
        self._shared = frozenset(shared)
        self._known: dict[int, str] = {}
        self._writers = _Writers(self._writer_of)

    def text_of(self, value: Any) -> str:
        """The canonical text of a value.

        Raises:
            TypeError: there is no way to write a value of its type.
        """
        return self._writers[type(value)](value)

    def _writer_of(self, kind: type) -> Write:
        if issubclass(kind, Enum):
            return lambda value: self.text_of(value.value)
        if issubclass(kind, tuple | list):
            return self._sequence
        if issubclass(kind, Mapping):
            return self._mapping
        if is_dataclass(kind):
            write = self._dataclass(kind)
            return self._once(write) if kind in self._shared else write
        raise TypeError(f"There is no canonical text of {kind.__name__}")

    def _sequence(self, value: tuple[Any, ...] | list[Any]) -> str:
        writers = self._writers
        return "[" + ",".join([writers[type(part)](part) for part in value]) + "]"

    def _mapping(self, value: Mapping[str, Any]) -> str:
        parts = [f"{encode_basestring(key)}:{self.text_of(value[key])}" for key in sorted(value)]
        return "{" + ",".join(parts) + "}"

    def _dataclass(self, kind: type) -> Write:
        names = sorted(field.name for field in fields(kind))
        optional = {f'"{each.name}":' for each in fields(kind) if each.metadata.get(WRITTEN_IF_SET)}
        keys, writers = [f'"{name}":' for name in names], self._writers
        # One name alone would give the value instead of a tuple.
        parts_of = attrgetter(*names, names[0])

        def write(value: Any) -> str:
            pairs: Iterable[tuple[str, Any]] = zip(keys, parts_of(value), strict=False)
            if optional:
                pairs = [(key, part) for key, part in pairs if part or key not in optional]
            return "{" + ",".join([key + writers[type(part)](part) for key, part in pairs]) + "}"

        return write

    def _once(self, write: Write) -> Write:
        known = self._known

        def write_once(value: Any) -> str:
            text = known.get(id(value))
            if text is None:
                text = known[id(value)] = write(value)
            return text

        return write_once


class _Writers(dict[type, Write]):
    """The writer of each type, created on first use."""

    def __init__(self, find: Callable[[type], Write]) -> None:
        super().__init__(PLAIN)
        self._find = find

    def __missing__(self, kind: type) -> Write:
        write = self[kind] = self._find(kind)
        return write
