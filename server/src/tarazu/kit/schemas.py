"""Shapes on the wire: the envelope, camelCase fields, and decimals as JSON numbers."""

import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import UnionType
from typing import Annotated, Any, Generic, Self, TypeVar, Union, cast, get_args, get_origin

from fastapi import Response
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    Strict,
)
from pydantic.alias_generators import to_camel
from pydantic_core import to_json

from tarazu.domain.money import UNITS_PER_RUPEE, paise_of, rounding

T = TypeVar("T")

JSON = "application/json"
MAX_LIMIT = 200


class Schema(BaseModel):
    """A shape on the wire. Unknown fields are ignored, never stored."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        extra="ignore",
    )

    @classmethod
    def rows(cls, values: Iterable[Any]) -> list[Self]:
        """One of these for each of these rows or values, in their order."""
        return [cls.model_validate(value) for value in values]

    @classmethod
    def of(cls, value: object, **others: Any) -> Self:
        """One of these from the attributes of `value`, but for the fields given in `others`."""
        fields = {name: getattr(value, name) for name in cls.model_fields if name not in others}
        return cls(**fields, **others)

    @classmethod
    def plain(cls, **values: Any) -> dict[str, Any]:
        """What one of these looks like on the wire, of values of our own that need no check.

        Long lists are made of it: to make, check and write a model costs far more. A field that
        is a shape itself takes what `plain` made of that.

        Raises:
            KeyError: a field was left out.
        """
        plan = _plan_of(cls)
        return plan.row([values[name] for name in plan.names])

    @classmethod
    def plain_in_order(cls, values: Iterable[Any]) -> dict[str, Any]:
        """As `plain`, of one value for each field, in the order of the fields."""
        return _plan_of(cls).row(list(values))


def attribute(path: str, alias: str | None = None) -> Any:
    """A field that `model_validate` reads from this attribute of the value, such as "fee.due_on"."""
    source = AliasPath(*path.split("."))
    if alias is None:
        return Field(validation_alias=source)
    return Field(validation_alias=source, serialization_alias=alias)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The fields of a shape, their names on the wire, and those that are written otherwise."""

    names: tuple[str, ...]
    aliases: tuple[str, ...]
    written: tuple[tuple[int, Callable[[Any], Any]], ...]

    def row(self, values: list[Any]) -> dict[str, Any]:
        """These values, one for each field in its order, as they are on the wire."""
        for place, write in self.written:
            if values[place] is not None:
                values[place] = write(values[place])
        return dict(zip(self.aliases, values, strict=True))


@cache
def _plan_of(shape: type[Schema]) -> _Plan:
    fields = shape.model_fields
    return _Plan(
        tuple(fields),
        tuple(field.serialization_alias or field.alias or name for name, field in fields.items()),
        tuple(
            (place, cast("Callable[[Any], Any]", part.func))
            for place, field in enumerate(fields.values())
            for part in (*field.metadata, *_parts_of(field.annotation))
            if isinstance(part, PlainSerializer)
        ),
    )


def _parts_of(annotation: Any) -> Iterator[Any]:
    """What an annotation says of a value itself, and not of the values in it."""
    if get_origin(annotation) in {Annotated, Union, UnionType}:
        for part in get_args(annotation):
            yield part
            yield from _parts_of(part)


def _as_json_number(places: int) -> PlainSerializer:
    round_it = rounding(places)

    def as_number(value: Decimal) -> float:
        return float(round_it(value))

    return PlainSerializer(as_number, return_type=float, when_used="json")


_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?")


def _plain_number(given: object) -> object:
    """What a caller sends for a number: a JSON number, or the same in plain digits.

    The types would also take `1e5`, `1_000`, `true`, and digits of other scripts.
    """
    is_unfit_text = isinstance(given, str) and not _PLAIN_NUMBER.fullmatch(given)
    if is_unfit_text or isinstance(given, bool):
        raise ValueError("Enter a number in plain digits, such as 1250 or 0.5.")
    return given


_Plain = BeforeValidator(_plain_number)

# A JSON number reaches us as a float; Pydantic takes its shortest text, which the caller wrote.
_Finite = Annotated[Decimal, Field(allow_inf_nan=False), _Plain]

Whole = Annotated[int, _Plain]
"""A whole number that a caller sends."""

Number = Annotated[_Finite, _as_json_number(2)]
"""An amount or a percent: at most two decimals, half up, as a JSON number."""

Price = Annotated[_Finite, _as_json_number(4)]
"""A price a share: at most four decimals, half up, as a JSON number."""


Rate = Annotated[_Finite, _as_json_number(8)]
"""A rate in percent or rupees: at most eight decimals, as a JSON number."""


def _units_as_number(units: int) -> float:
    return paise_of(units) / 100


def _points_as_number(points: int) -> float:
    return points / 100


Units = Annotated[int, PlainSerializer(_units_as_number, return_type=float, when_used="json")]
"""An amount in units (see `domain.money`), which is on the wire as a `Number` is."""

PriceUnits = Annotated[
    int, PlainSerializer(lambda units: units / UNITS_PER_RUPEE, return_type=float, when_used="json")
]
"""A price in units, which is on the wire as a `Price` is."""

Points = Annotated[int, PlainSerializer(_points_as_number, return_type=float, when_used="json")]
"""A percent in whole basis points, which is on the wire as a `Number` is."""


class Reply(Schema, Generic[T]):
    """What a call that succeeded answers."""

    success: bool
    message: str | None = None
    data: T


class Pagination(Schema):
    current_page: int
    total_pages: int
    total_users: int
    limit: int


class Page(Schema, Generic[T]):
    """One page of a list, with how much there is of it."""

    success: bool
    data: list[T]
    pagination: Pagination


class Done(Schema):
    """What a call that only acts answers."""

    success: bool
    message: str


def reply(data: T, message: str | None = None) -> Reply[T]:
    """The envelope of a success."""
    # A plain mapping: FastAPI validates it once, against the route's own `Reply[…]`.
    return cast("Reply[T]", {"success": True, "message": message, "data": data})


def done(message: str) -> Done:
    """The envelope of an act that answers nothing but a sentence."""
    return Done(success=True, message=message)


def page_of(rows: list[T], page: int, limit: int, total: int) -> Page[T]:
    """The envelope of one page; `total` counts all rows that match."""
    pages = pagination_of(page, limit, total)
    return cast("Page[T]", {"success": True, "data": rows, "pagination": pages})


def written_page(rows: list[dict[str, Any]], page: int, limit: int, total: int) -> Response:
    """As `page_of`, of plain rows: written as they are."""
    pages = pagination_of(page, limit, total)
    return written({"success": True, "data": rows, "pagination": pages})


def written(answer: dict[str, Any]) -> Response:
    """An answer of plain values, and of shapes, as JSON."""
    return Response(to_json(answer), media_type=JSON)


def pagination_of(page: int, limit: int, total: int) -> Pagination:
    """The position of one page among all."""
    return Pagination(
        current_page=page, total_pages=-(-total // limit), total_users=total, limit=limit
    )


class ListParams(Schema):
    """What a list is asked for: which page, how many rows, which text, in what order."""

    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=10, ge=1, le=MAX_LIMIT)
    query: str = Field(default="", max_length=100)
    sort: str = Field(default="", max_length=40)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit


def every_row(
    list_page: Callable[[Any], tuple[Sequence[T], int]], params: ListParams | None = None
) -> Iterator[T]:
    """All rows of a list that has pages, read page by page with these filters and this order."""
    wanted, page = params or ListParams(), 1
    while True:
        rows, total = list_page(wanted.model_copy(update={"page": page, "limit": MAX_LIMIT}))
        yield from rows
        if page * MAX_LIMIT >= total:
            return
        page += 1


class RecordListParams(ListParams):
    """A list of records: the live ones, or for an ADMIN the deleted ones."""

    deleted: bool = False


Flag = Annotated[bool, Strict()]
"""A yes or no in a body: true or false, not what could be read as one."""

Version = Annotated[int, Strict(), Field(ge=1, le=2**31 - 1)]
"""Which state of a record somebody saw."""


class EditedRecord(Schema):
    """An edit of a record; a field that is left out, or null, stays as it is."""

    id: uuid.UUID
    version: Version | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """The columns to set."""
        given = self.model_dump(exclude_unset=True, exclude={"id", "version"})
        return {column: value for column, value in given.items() if value is not None}
