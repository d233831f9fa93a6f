"""Shapes of instruments on the wire."""

from tarazu.kit.schemas import Schema


class Found(Schema):
    symbol: str
    exchange: str
    name: str
    isin: str
    instrument_token: int
