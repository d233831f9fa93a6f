"""How a body names a stock, and which instrument that is."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.kit.fields import none_if_blank
from tarazu.kit.schemas import Schema, Whole

Symbol = Annotated[
    str, Field(min_length=1, max_length=40), AfterValidator(lambda text: text.strip().upper())
]
Token = Annotated[Annotated[Whole, Field(ge=1, le=2**62)] | None, BeforeValidator(none_if_blank)]


class StockNamed(Schema):
    """A stock by symbol and exchange; a token, where one is given, has to be of the same stock."""

    trading_symbol: Symbol
    exchange: Annotated[str, Field(max_length=10)] = "NSE"
    instrument_token: Token = None
