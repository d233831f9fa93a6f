"""What a letter and its mail say, and how figures and times are written in both."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tarazu.advice.package import PriceUsed, Row
from tarazu.domain.charges import Charges, Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded
from tarazu.domain.rebalance_words import grouped
from tarazu.firm.service import Registration
from tarazu.kit.clock import INDIA

NO_FIGURE = "–"

NO_ORDERS = (
    "This letter is a recommendation. Neither the Research Analyst nor the software it uses ever "
    "places an order: whether and when to trade is for you to decide, in your own broker's account."
)
MODEL_QUANTITIES = (
    "The quantities are model quantities for your account: the analyst's target allocation, worked "
    "out in whole shares for the Investment Value named above."
)

_SOURCES = {
    "ZERODHA": "Zerodha market feed",
    "ANGEL_ONE": "Angel One market feed",
    "SIMULATED": "Simulated prices",
    "CLOSE": "closing prices of the exchange",
}
_BROKERS = {"ZERODHA": "Zerodha", "ANGEL_ONE": "Angel One"}
_ROLES = {"ADMIN": "Administrator", "USER": "Staff"}


@dataclass(frozen=True, slots=True)
class Author:
    """Who signed, as the account read at that time."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Disclosures:
    """What is disclosed for this advice alone; empty where the firm's own text stands."""

    holdings: str = ""
    conflicts: str = ""
    compensation: str = ""


@dataclass(frozen=True, slots=True)
class PriceNote:
    """When the prices were read, when the oldest of them was traded, and who told us."""

    read_at: dt.datetime
    oldest_at: dt.datetime
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """One advice as its letter and mail show it; `rows` are BUY and SELL alone."""

    advice_id: uuid.UUID
    sent_at: dt.datetime
    firm: Registration
    author: Author
    client_name: str
    client_code: str
    investment: Rupees
    rows: tuple[Row, ...]
    charges: Charges
    broker: str
    rationale: str
    disclosures: Disclosures
    prices: PriceNote

    def side(self, side: Side) -> tuple[Row, ...]:
        """The rows of one side, in their order."""
        return tuple(row for row in self.rows if row.side is side)

    def order_value(self, side: Side) -> Rupees:
        """What is to be bought, or sold, at the prices named; before charges."""
        return sum((row.additional_value + row.freed_value for row in self.side(side)), ZERO)

    def value_after(self, side: Side) -> Rupees:
        """What the stocks of one side are worth once traded."""
        return sum((row.projected_value or ZERO for row in self.side(side)), ZERO)

    @property
    def file_name(self) -> str:
        """The letter's name as a file: `advice-C1042-2026-11-21.pdf`."""
        day = self.sent_at.astimezone(INDIA).date().isoformat()
        return f"advice-{self.client_code}-{day}.pdf"


def rupees(amount: Rupees | None) -> str:
    """Rupees and paise with Indian grouping: "₹1,40,250.00"; a dash for None."""
    if amount is None:
        return NO_FIGURE
    shown = rounded(amount)
    whole, paise = divmod(int(abs(shown) * HUNDRED), 100)
    return f"{'-' if shown < 0 else ''}₹{grouped(whole)}.{paise:02d}"


def percent(share: Percent | None) -> str:
    """A percent with two decimals: "12.50 %"; a dash for None."""
    return NO_FIGURE if share is None else f"{rounded(share):.2f} %"


def shares(count: int) -> str:
    """Whole shares with Indian grouping."""
    return grouped(count)


def day_of(at: dt.datetime | dt.date) -> str:
    """A day in India: "14 Feb 2024"."""
    day = at.astimezone(INDIA).date() if isinstance(at, dt.datetime) else at
    return f"{day.day} {day:%b %Y}"


def time_of(at: dt.datetime) -> str:
    """An instant in India: "21 Nov 2026, 09:15 IST"."""
    return f"{day_of(at)}, {at.astimezone(INDIA):%H:%M} IST"


def source_of(sources: Collection[str]) -> str:
    """Where prices come from, in words."""
    return ", ".join(_SOURCES.get(source, source) for source in sources)


def broker_of(broker: str) -> str:
    """A broker's name as people write it."""
    return _BROKERS.get(broker, broker)


def role_of(role: str) -> str:
    """A role as people say it."""
    return _ROLES.get(role, role)


def validity_of(firm: Registration) -> str:
    """The line on how long the registration holds."""
    line = f"Analyst's registration: valid from {day_of(firm.registered_from)}"
    return f"{line}, {firm.validity}" if firm.validity else line


def usual_rationale(investment: Rupees, rows: Sequence[Row]) -> str:
    """Said where the author gave no rationale: what the model's targets ask for, and no more."""
    sales = sum(row.side is Side.SELL for row in rows)
    counts = (("sale", sales), ("purchase", len(rows) - sales))
    trades = " and ".join(
        f"{count} {word}{'s' if count > 1 else ''}" for word, count in counts if count
    )
    return (
        f"The advice brings your portfolio to the target allocation of the analyst's model: "
        f"{trades} in whole shares, for an Investment Value of {rupees(investment)}."
    )


def price_note(used: Sequence[PriceUsed], rows: Sequence[Row], read_at: dt.datetime) -> PriceNote:
    """Of the prices that the rows are made with."""
    tokens = {row.stock.instrument_token for row in rows}
    mine = [price for price in used if price.stock.instrument_token in tokens]
    sources = tuple(sorted({price.source for price in mine}))
    return PriceNote(read_at, min(price.at for price in mine), sources)
