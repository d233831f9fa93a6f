"""What a letter and its mail say, and how figures and times are written in both."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from tarazu.advice.package import PriceUsed, Row
from tarazu.domain.charges import Charges, Side
from tarazu.domain.money import ZERO, Rupees
from tarazu.firm.service import Registration
from tarazu.kit.clock import INDIA
from tarazu.kit.formatting import prices_of, rupees, source_of, time_of
from tarazu.prices.service import PriceSource

NO_ORDERS = (
    "This letter is a recommendation. Neither the Research Analyst nor the software it uses ever "
    "places an order: whether and when to trade is for you to decide, in your own broker's account."
)
MODEL_QUANTITIES = (
    "The quantities are model quantities for your account: the model's target allocation, "
    "calculated in whole shares for the Investment Value above."
)
OWN_QUANTITIES = (
    "This advice was made for your account alone; it does not follow a model portfolio. The "
    "quantities are calculated in whole shares for the Investment Value above."
)
STANDARD = "Standard rationale: "
"""How a rationale begins that the sender did not write."""

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
    """When the prices were read, when the oldest of them was traded, and who told us.

    `used` has the same of each stock; it is empty in advice that was sent before it was kept.
    """

    read_at: dt.datetime
    oldest_at: dt.datetime
    sources: tuple[str, ...]
    used: tuple[PriceUsed, ...] = ()

    @property
    def in_words(self) -> str:
        """The sources, each with the time or the day of its own prices."""
        if not self.used:
            return f"{source_of(self.sources)}; the oldest is of {time_of(self.oldest_at)}"
        return prices_of((one.source, one.at) for one in self.used)


@dataclass(frozen=True, slots=True)
class Contents:
    """One advice as its letter and mail show it; `rows` are BUY and SELL alone.

    `model` names the version of the model portfolio that it follows; "" for one client's own.
    `number` is that of its seal and `fingerprint` that of the key that signs it, by which a client's
    copy vouches for the seal; None and "" in advice that was sent before they were named.
    """

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
    model: str = ""
    number: int | None = None
    fingerprint: str = ""

    @property
    def seal_line(self) -> str:
        """Number and fingerprint as letter and mail name them; "" where they are not known."""
        if self.number is None:
            return ""
        return f"Seal number {self.number}, key fingerprint {self.fingerprint}"

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
    def is_practice(self) -> bool:
        """Whether nobody traded at these prices."""
        return self.firm.is_demo or PriceSource.SIMULATED in self.prices.sources

    @property
    def quantities_note(self) -> str:
        """What the quantities are, of advice that follows a model and of one client's own."""
        return MODEL_QUANTITIES if self.model else OWN_QUANTITIES

    @property
    def price_line(self) -> str:
        """Who told the prices, and when they were traded: the prices' own times."""
        return f"Prices: {self.prices.in_words}."

    @property
    def file_name(self) -> str:
        """The letter's name as a file."""
        return file_name_of(self.client_code, self.sent_at)


def file_name_of(client_code: str, sent_at: dt.datetime) -> str:
    """A letter's name as a file: `advice-C1042-2026-11-21.pdf`."""
    return f"advice-{client_code}-{sent_at.astimezone(INDIA).date().isoformat()}.pdf"


def role_of(role: str) -> str:
    """A role as people say it."""
    return _ROLES.get(role, role)


def standard_rationale(
    words: str, investment: Rupees, rows: Sequence[Row], *, has_model: bool
) -> str:
    """Said where the author gave no rationale, and marked as such.

    Args:
        words: the firm's own; "" for what the targets ask for, and no more.
        has_model: whether the targets are those of a model portfolio.
    """
    if words:
        return f"{STANDARD}{words}"
    sales = sum(row.side is Side.SELL for row in rows)
    counts = (("sale", sales), ("purchase", len(rows) - sales))
    trades = " and ".join(
        f"{count} {word}{'s' if count > 1 else ''}" for word, count in counts if count
    )
    whose = "of the model portfolio" if has_model else "set for you"
    return (
        f"{STANDARD}The advice brings your portfolio to the target allocation {whose}: "
        f"{trades} in whole shares, for an Investment Value of {rupees(investment)}."
    )


def price_note(used: Sequence[PriceUsed], rows: Sequence[Row], read_at: dt.datetime) -> PriceNote:
    """Of the prices that the rows are made with."""
    tokens = {row.stock.instrument_token for row in rows}
    mine = tuple(price for price in used if price.stock.instrument_token in tokens)
    sources = tuple(sorted({price.source for price in mine}))
    return PriceNote(read_at, min(price.at for price in mine), sources, mine)
