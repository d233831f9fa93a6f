"""Shapes of instruments on the wire."""

from tarazu.kit.wire import Wire


class Found(Wire):
    symbol: str
    exchange: str
    name: str
    isin: str
    instrument_token: int
