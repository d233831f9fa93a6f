"""Shapes on the wire: the envelope, camelCase fields, and decimals as JSON numbers."""

import uuid
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Generic, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, Strict
from pydantic.alias_generators import to_camel

from tarazu.domain.money import rounding

T = TypeVar("T")

MAX_LIMIT = 200


class Wire(BaseModel):
    """A shape on the wire. Unknown fields are ignored, never stored."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        extra="ignore",
    )

    @classmethod
    def rows(cls, found: Iterable[Any]) -> list[Self]:
        """One of these for each row or value of `found`, in its order."""
        return [cls.model_validate(one) for one in found]


def _as_json_number(places: int) -> PlainSerializer:
    round_it = rounding(places)

    def as_number(value: Decimal) -> float:
        return float(round_it(value))

    return PlainSerializer(as_number, return_type=float, when_used="json")


# A JSON number reaches us as a float; Pydantic takes its shortest text, which the caller wrote.
_Finite = Annotated[Decimal, Field(allow_inf_nan=False)]

Number = Annotated[_Finite, _as_json_number(2)]
"""An amount or a percent: at most two decimals, half up, as a JSON number."""

Price = Annotated[_Finite, _as_json_number(4)]
"""A price a share: at most four decimals, half up, as a JSON number."""


Rate = Annotated[_Finite, _as_json_number(8)]
"""A rate in percent or rupees: at most eight decimals, as a JSON number."""


class Reply(Wire, Generic[T]):
    """What a call that succeeded answers."""

    success: bool
    message: str | None = None
    data: T


class Pagination(Wire):
    current_page: int
    total_pages: int
    total_users: int
    limit: int


class Page(Wire, Generic[T]):
    """One page of a list, with how much there is of it."""

    success: bool
    data: list[T]
    pagination: Pagination


class Done(Wire):
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


def pagination_of(page: int, limit: int, total: int) -> Pagination:
    """Where one page stands among all."""
    return Pagination(
        current_page=page, total_pages=-(-total // limit), total_users=total, limit=limit
    )


class Asked(Wire):
    """What a list is asked for: which page, how many rows, which text, in what order."""

    page: int = Field(default=1, ge=1, le=1_000_000)
    limit: int = Field(default=10, ge=1, le=MAX_LIMIT)
    query: str = Field(default="", max_length=100)
    sort: str = Field(default="", max_length=40)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit


class AskedRecords(Asked):
    """A list of records: the live ones, or for an ADMIN the deleted ones."""

    deleted: bool = False


Flag = Annotated[bool, Strict()]
"""A yes or no in a body: true or false, not what could be read as one."""

Version = Annotated[int, Strict(), Field(ge=1, le=2**31 - 1)]
"""Which state of a record somebody saw."""


class EditedRecord(Wire):
    """An edit of a record; a field that is left out, or null, stays as it is."""

    id: uuid.UUID
    version: Version | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """The columns to set."""
        given = self.model_dump(exclude_unset=True, exclude={"id", "version"})
        return {column: value for column, value in given.items() if value is not None}
