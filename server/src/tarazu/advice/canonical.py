"""Canonical JSON: one text for one value, whoever writes it.

Keys in order, no spaces, letters as they are; decimals, instants, days and ids as text, fields of a
dataclass as keys. What many values share is written once.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, Final

Way = Callable[[Any], str]
"""How values of one type are written."""


def _as_text(value: object) -> str:
    # `str` is quicker than a format, and there are hundreds of decimals in an advice.
    return '"' + str(value) + '"'


PLAIN: Final[Mapping[type, Way]] = {
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
    """Writes values that are alive as long as it is itself.

    Args:
        shared: dataclasses whose values stand in many places. Each is written once and known by its
            identity afterwards.
    """

    def __init__(self, *shared: type) -> None:
        self._shared = frozenset(shared)
        self._known: dict[int, str] = {}
        self._ways = _Ways(self._way_of)

    def text_of(self, value: Any) -> str:
        """The canonical text of a value.

        Raises:
            TypeError: there is no way to write a value of its type.
        """
        return self._ways[type(value)](value)

    def _way_of(self, kind: type) -> Way:
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
        ways = self._ways
        return "[" + ",".join([ways[type(part)](part) for part in value]) + "]"

    def _mapping(self, value: Mapping[str, Any]) -> str:
        parts = [f"{encode_basestring(key)}:{self.text_of(value[key])}" for key in sorted(value)]
        return "{" + ",".join(parts) + "}"

    def _dataclass(self, kind: type) -> Way:
        names = sorted(field.name for field in fields(kind))
        keys, ways = [f'"{name}":' for name in names], self._ways
        # With one name alone it would be the value and no tuple of one.
        parts_of = attrgetter(*names, names[0])

        def write(value: Any) -> str:
            pairs = zip(keys, parts_of(value), strict=False)
            return "{" + ",".join([key + ways[type(part)](part) for key, part in pairs]) + "}"

        return write

    def _once(self, write: Way) -> Way:
        known = self._known

        def write_once(value: Any) -> str:
            text = known.get(id(value))
            if text is None:
                text = known[id(value)] = write(value)
            return text

        return write_once


class _Ways(dict[type, Way]):
    """The way of each type, found when it is first asked for."""

    def __init__(self, find: Callable[[type], Way]) -> None:
        super().__init__(PLAIN)
        self._find = find

    def __missing__(self, kind: type) -> Way:
        way = self[kind] = self._find(kind)
        return way
