"""What goes into the lots of a client, and what comes out.

Quantities are whole shares in the units of their day. Costs and proceeds are exact rupees of all
shares together, before brokerage and charges; None where they are not known.
"""

import datetime as dt
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.money import Rupees


class LotSource(StrEnum):
    """How the shares of a lot came into the demat account.

    TRADE: bought on an exchange. INFERRED: bought, as two readings of the holdings show. HAND:
    entered by staff. BONUS: allotted without a price. DEMERGER and MERGER: allotted for other
    shares, whose cost and date they carry on.
    """

    TRADE = "TRADE"
    INFERRED = "INFERRED"
    HAND = "HAND"
    BONUS = "BONUS"
    DEMERGER = "DEMERGER"
    MERGER = "MERGER"


class DisposalKind(StrEnum):
    """SALE: on an exchange. BUYBACK: to the company. FRACTION: paid out in cash after an action."""

    SALE = "SALE"
    BUYBACK = "BUYBACK"
    FRACTION = "FRACTION"


class Trade(NamedTuple):
    """Shares bought or sold on an exchange.

    Attributes:
        price: rupees a share; None where it is not known.
        order: the place within the day: time, exchange and number of the trade.
        is_inferred: known from the holdings alone; `day` is then the last one possible.
    """

    isin: str
    day: dt.date
    is_purchase: bool
    quantity: int
    price: Rupees | None
    order: tuple[dt.datetime | str, ...] = ()
    demat: str = ""
    is_inferred: bool = False


class Arrival(NamedTuple):
    """Shares that came in without a trade here: held before, transferred in, taken up as rights.

    Attributes:
        quantity: shares in the units of `entered_on`.
        bought_on: where the holding period begins.
        cost: of all of them; None where it is not known.
        entered_on: when they came into the demat account, which sets their place in the order of
            sales; the day of purchase if they were bought into it.
    """

    isin: str
    quantity: int
    bought_on: dt.date
    cost: Rupees | None
    entered_on: dt.date
    demat: str = ""
    order: tuple[str, ...] = ()


class Departure(NamedTuple):
    """Shares that left without a trade here: bought back by the company, or transferred out.

    Attributes:
        proceeds: what the company paid for all of them; None where it is not known.
        is_buyback: False for a transfer, which is no sale.
    """

    isin: str
    quantity: int
    day: dt.date
    proceeds: Rupees | None = None
    is_buyback: bool = False
    demat: str = ""
    order: tuple[str, ...] = ()


class Lot(NamedTuple):
    """Shares of one demat account that were bought together.

    Attributes:
        isin: as the share is called on the day of the question.
        cost: of all `quantity` shares.
        entered_on, place: the order of sale.
    """

    isin: str
    demat: str
    quantity: int
    bought_on: dt.date
    cost: Fraction | None
    source: LotSource
    entered_on: dt.date
    place: int = 0

    @property
    def is_known(self) -> bool:
        """Whether its cost is known."""
        return self.cost is not None


class Amount(NamedTuple):
    """Rupees a share, and shares: multiplied only where the sum is needed, as few of a history are."""

    price: Fraction
    shares: int

    @property
    def rupees(self) -> Fraction:
        # As two whole numbers: a third of the time of the product.
        return Fraction(self.shares * self.price.numerator, self.price.denominator)


class Disposal(NamedTuple):
    """A part of a lot that was disposed of.

    Attributes:
        isin: as the share was called on `sold_on`.
        quantity: 0 for a fraction of a share.
        bought_on, paid, source: of the lot; all None where it is not known which shares these were.
    """

    kind: DisposalKind
    isin: str
    demat: str
    quantity: int
    sold_on: dt.date
    received: Amount | None
    bought_on: dt.date | None
    paid: Amount | None
    source: LotSource | None

    @property
    def proceeds(self) -> Fraction | None:
        """Rupees received for all of it."""
        return None if self.received is None else self.received.rupees

    @property
    def cost(self) -> Fraction | None:
        """Rupees that all of it cost."""
        return None if self.paid is None else self.paid.rupees


class Speculation(NamedTuple):
    """Shares bought and sold on one day in one demat account: a speculation, no capital gain.

    Attributes:
        bought, sold: rupees paid and received for them.
    """

    isin: str
    demat: str
    day: dt.date
    quantity: int
    bought: Fraction | None
    sold: Fraction | None

    @property
    def gain(self) -> Fraction | None:
        """Rupees; None if a price is not known."""
        return None if self.bought is None or self.sold is None else self.sold - self.bought
