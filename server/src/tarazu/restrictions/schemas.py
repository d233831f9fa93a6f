"""Shapes of restrictions on the wire."""

from typing import Annotated

from pydantic import AfterValidator, AliasPath, BeforeValidator, Field

from tarazu.domain.restrictions import Kind
from tarazu.instruments.service import StockNamed
from tarazu.kit.fields import is_plain, none_if_blank
from tarazu.kit.schemas import Number, Schema, Whole

MOST_RESTRICTIONS = 300
LONGEST_REASON = 300


def _reason(text: str) -> str:
    plain = text.strip()
    if len(plain) > LONGEST_REASON or not is_plain(plain):
        raise ValueError("A reason has at most 300 characters, none of them for control.")
    return plain


End = Annotated[Number | None, BeforeValidator(none_if_blank)]


class RestrictionWanted(StockNamed):
    kind: Kind
    minimum_percentage: End = None
    maximum_percentage: End = None
    reason: Annotated[str, AfterValidator(_reason)] = ""


class RestrictionsWanted(Schema):
    """The whole list; restrictions that are not in it are removed."""

    version: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = None
    restrictions: Annotated[list[RestrictionWanted], Field(max_length=MOST_RESTRICTIONS)]


class RestrictionRow(Schema):
    trading_symbol: str = Field(validation_alias=AliasPath("instrument", "symbol"))
    exchange: str = Field(validation_alias=AliasPath("instrument", "exchange"))
    isin: str = Field(validation_alias=AliasPath("instrument", "isin"))
    name: str = Field(validation_alias=AliasPath("instrument", "name"))
    instrument_token: int = Field(validation_alias=AliasPath("instrument", "instrument_token"))
    kind: Kind = Field(validation_alias=AliasPath("restriction", "kind"))
    minimum_percentage: Number | None = Field(validation_alias=AliasPath("restriction", "minimum"))
    maximum_percentage: Number | None = Field(validation_alias=AliasPath("restriction", "maximum"))
    reason: str


class RestrictionsShown(Schema):
    """`version` is 0 before the first were set."""

    version: int
    restrictions: list[RestrictionRow]
