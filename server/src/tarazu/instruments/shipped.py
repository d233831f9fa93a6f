"""The instruments that come with the product, so that a new installation can start at once.

522 shares and funds of NSE: the Nifty 500 of 31 March 2026 as far as still listed, and 24
exchange-traded funds. The closing prices are of 21 August 2026 and unadjusted; the brokers'
own lists replace everything here once one is connected.
"""

import csv
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files

from tarazu.domain.money import Rupees


@dataclass(frozen=True, slots=True)
class ShippedInstrument:
    """One line of the list.

    Attributes:
        exchange_token: the exchange's own number.
        zerodha_token: Zerodha's instrument token, by which prices arrive.
        angel_token: Angel One's token, which is a text.
        tick_size: rupees, by the close of July 2026 and NSE's price bands.
        sector: NSE's industry.
        reference_close: rupees a share at the close of `reference_date`.
    """

    exchange: str
    symbol: str
    name: str
    isin: str
    series: str
    exchange_token: int
    zerodha_token: int
    angel_token: str
    tick_size: Rupees
    sector: str
    reference_close: Rupees
    reference_date: dt.date


def shipped_instruments() -> Iterator[ShippedInstrument]:
    """Every instrument of the list, by symbol."""
    with files("tarazu.instruments").joinpath("instruments.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            yield ShippedInstrument(
                exchange=row["exchange"],
                symbol=row["symbol"],
                name=row["name"],
                isin=row["isin"],
                series=row["series"],
                exchange_token=int(row["exchange_token"]),
                zerodha_token=int(row["zerodha_token"]),
                angel_token=row["angel_token"],
                tick_size=Decimal(row["tick_size"]),
                sector=row["sector"],
                reference_close=Decimal(row["reference_close"]),
                reference_date=dt.date.fromisoformat(row["reference_date"]),
            )
