"""The options of a rebalance as they are asked for, of one client or of a whole book."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.domain.money import Percent, Rupees, rounded
from tarazu.kit.schemas import Flag, Number, Schema

NOISE = Decimal("1e-9")
"""What a sum of doubles in a browser may be off a figure of two decimals."""


def _without_noise(value: Decimal) -> Decimal:
    if abs(value) > Decimal(10) ** 9:
        return value
    near = rounded(value)
    is_noise = abs(value - near) <= NOISE and (near != 0 or value == 0)
    return near if is_noise else value


Share = Annotated[Number, AfterValidator(_without_noise)]


class AskedOptions(Schema):
    band_percentage: Annotated[Share, Field(ge=0, le=100)] | None = None
    minimum_trade_value: Annotated[Share, Field(ge=0, le=10**12)] | None = None
    trade_penalty: Annotated[Number, Field(ge=0, le=1_000, decimal_places=2)] | None = None
    include_charges: Flag | None = None
    allow_fresh_funds: Flag | None = None
    price_buffer_percentage: Annotated[Share, Field(ge=0, le=100)] | None = None


@dataclass(frozen=True, slots=True)
class OptionsAsked:
    """Options of one request, named as in `Options`; None leaves the firm's own."""

    band: Percent | None = None
    minimum_trade: Rupees | None = None
    trade_penalty: Percent | None = None
    include_charges: bool | None = None
    allow_fresh_funds: bool | None = None
    price_buffer: Percent | None = None


def options_asked(asked: AskedOptions | None) -> OptionsAsked:
    """What a body asks for; None: nothing, all is the firm's."""
    if asked is None:
        return OptionsAsked()
    return OptionsAsked(
        asked.band_percentage,
        asked.minimum_trade_value,
        asked.trade_penalty,
        asked.include_charges,
        asked.allow_fresh_funds,
        asked.price_buffer_percentage,
    )
