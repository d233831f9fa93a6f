"""From Angel One's symbols and tokens to Zerodha's, and from a token to its unit of price."""

SEGMENTS = {"NSE": 1, "NFO": 2, "CDS": 3, "BSE": 4, "BFO": 5, "MCX": 7}
"""Zerodha's segment of an exchange: the last byte of a token."""

INDICES = {("NSE", "99926000"): 256265, ("NSE", "99926009"): 260105, ("BSE", "99919000"): 265}
"""Nifty 50, Nifty Bank and Sensex; of other indices the two numbers have no rule."""

ANGEL_INDICES = {token: key for key, token in INDICES.items()}

LARGEST_CASH_TOKEN = 99_000_000
"""Angel One's numbers from here on are indices."""

CASH_SERIES = "-EQ"


def zerodha_token(exchange: str, angel_token: str) -> int | None:
    """Zerodha's instrument token of Angel One's; None where no rule gives one.

    Angel One's token is the exchange's own, and Zerodha's is that × 256 + the segment.
    """
    if (exchange, angel_token) in INDICES:
        return INDICES[exchange, angel_token]
    if exchange not in SEGMENTS or not (angel_token.isascii() and angel_token.isdigit()):
        return None
    number = int(angel_token[:12])
    if not 0 < number < LARGEST_CASH_TOKEN:
        return None
    return number * 256 + SEGMENTS[exchange]


def angel_token(exchange: str, token: int) -> str:
    """Angel One's token of Zerodha's; empty where no rule gives one."""
    if token in ANGEL_INDICES:
        known_exchange, known_token = ANGEL_INDICES[token]
        return known_token if known_exchange == exchange else ""
    number, segment = divmod(token, 256)
    is_plain = 0 < number < LARGEST_CASH_TOKEN and SEGMENTS.get(exchange) == segment
    return str(number) if is_plain else ""


def plain_symbol(exchange: str, symbol: str) -> str:
    """Zerodha's symbol of Angel One's: without the series EQ, and with every other series.

    Only at the end: names such as BAJAJ-AUTO have hyphens, and -BE is another listing than -EQ.
    """
    return symbol.removesuffix(CASH_SERIES) if exchange == "NSE" else symbol
