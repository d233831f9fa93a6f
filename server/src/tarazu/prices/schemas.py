"""Shapes of priced instruments on the wire."""

from pydantic import ConfigDict, Field

from tarazu.kit.schemas import Price, Schema


class NamedStock(Schema):
    model_config = ConfigDict(str_strip_whitespace=True)

    symbol_name: str = Field(min_length=1, max_length=50)
    exchange: str = Field(default="NSE", min_length=1, max_length=10)


class BrokerToken(Schema):
    instrument_token: int | str | None


class WatchedStock(Schema):
    zerodha: BrokerToken = Field(alias="ZERODHA")
    angel_one: BrokerToken = Field(alias="ANGEL_ONE")
    symbol: str
    exchange: str
    isin: str
    ltp: Price | None
