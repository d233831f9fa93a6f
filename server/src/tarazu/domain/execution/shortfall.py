"""Implementation shortfall: what the way from an advice to the trades cost a client.

Andre Perold, "The Implementation Shortfall: Paper versus Reality", Journal of Portfolio
Management 14 (3), 1988. For a line with s = +1 (buy) or -1 (sell), advised quantity Q and price
P0, fills q_k at p_k, Pn the close at the end of the window and C the charges of the fills:

    s x sum q_k (p_k - P0)  +  s x (Q - sum q_k) (Pn - P0)  +  C

the parts *price*, *not traded* and *charges*, in basis points of Q x P0. A positive figure is a
cost. All prices and quantities are in the units of the end of the window.

The price of an inferred sale is not known. Its shares count as traded, so they are in no part:
neither in the price, nor in what was not traded, nor in the charges; and they are left out of the
base of the basis points, which then is (Q - inferred) x P0.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tarazu.domain.charges import EXCHANGES, ChargeRates, ChargeStep, Side
from tarazu.domain.execution.chains import day_of
from tarazu.domain.execution.values import LineResult, LineStatus
from tarazu.domain.money import ZERO, Rupees, rounded

BasisPoints = Decimal
_POINTS = Decimal(10_000)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The shortfall of a line or an advice; whole paise, so that the parts add up.

    Attributes:
        base: advised value that the parts are about, exact.
        price, not_traded, charges: rupees, None if unknown; positive is a cost.
    """

    base: Rupees
    price: Rupees | None
    not_traded: Rupees | None
    charges: Rupees | None

    @property
    def amount(self) -> Rupees | None:
        """The sum of the parts; None if one is unknown."""
        if self.price is None or self.not_traded is None or self.charges is None:
            return None
        return self.price + self.not_traded + self.charges

    @property
    def bps(self) -> BasisPoints | None:
        """The amount in basis points of the base, two decimals, half up; None if unknown."""
        amount = self.amount
        return None if amount is None or not self.base else rounded(amount / self.base * _POINTS)


def line_shortfall(
    result: LineResult, last_price: Rupees | None, charges: Rupees | None
) -> Shortfall:
    """The shortfall of one line.

    Args:
        last_price: the close at the end of the window, the last price before that while the window
            is open; in the units of the window's end. None if unknown: then so is what was not
            traded, unless all was.
        charges: of the fills (`charges_of_lines`), unrounded; None if unknown.

    All parts of an UNKNOWN line are None. A declined or superseded line counts like any other: what
    was not traded is measured up to the end of its window. A row to hold costs nothing.
    """
    if result.status is LineStatus.UNKNOWN:
        return Shortfall(result.quantity * result.price, None, None, None)
    if result.line.side is Side.HOLD:
        return Shortfall(ZERO, ZERO, ZERO, ZERO)
    sign = 1 if result.line.side is Side.BUY else -1
    unpriced, paid, priced = 0, ZERO, 0
    for match in result.matches:
        if match.price is None:
            unpriced += match.quantity
        else:
            priced += match.quantity
            paid += match.quantity * match.price
    rest = result.quantity - unpriced - priced
    not_traded = None if last_price is None else sign * rest * (last_price - result.price)
    return Shortfall(
        base=(result.quantity - unpriced) * result.price,
        price=rounded(sign * (paid - priced * result.price)),
        not_traded=_paise(not_traded) if rest else ZERO,
        charges=_paise(charges),
    )


def _paise(amount: Rupees | None) -> Rupees | None:
    return None if amount is None else rounded(amount)


def advice_shortfall(lines: Iterable[Shortfall]) -> Shortfall:
    """The sum over the lines of an advice; a part that is unknown of one line is unknown."""
    base = ZERO
    price: Rupees | None = ZERO
    not_traded: Rupees | None = ZERO
    charges: Rupees | None = ZERO
    for line in lines:
        base += line.base
        price = _sum(price, line.price)
        not_traded = _sum(not_traded, line.not_traded)
        charges = _sum(charges, line.charges)
    return Shortfall(base, price, not_traded, charges)


def _sum(one: Rupees | None, other: Rupees | None) -> Rupees | None:
    return None if one is None or other is None else one + other


def slippage_bps(result: LineResult) -> BasisPoints | None:
    """By how much the fills were worse than the advised price, in basis points of it.

    s x (average - P0) / P0, two decimals, half up, over the fills whose price is known; None if
    there is none.
    """
    priced = [(each.quantity, each.price) for each in result.matches if each.price is not None]
    shares = sum(quantity for quantity, _ in priced)
    if not shares or not result.price:
        return None
    paid = sum((quantity * price for quantity, price in priced), ZERO)
    sign = 1 if result.line.side is Side.BUY else -1
    advised = shares * result.price
    return rounded(sign * (paid - advised) / advised * _POINTS)


class DayCharges:
    """Charges of a broker's orders by the dated table; keep one for many clients of a broker.

    Args:
        rates_on: the broker's rates on a day, such as `charges.rates_for`.
    """

    __slots__ = ("_rates_on", "_steps")

    def __init__(self, rates_on: Callable[[dt.date], ChargeRates]) -> None:
        self._rates_on = rates_on
        self._steps: dict[tuple[dt.date, Side, str], tuple[ChargeStep, ...]] = {}

    def of_order(self, day: dt.date, side: Side, exchange: str, value: Rupees) -> Rupees:
        """As `ChargeRates.charges_of_order` on that day; an unknown exchange has NSE's rates."""
        steps = self._steps.get((day, side, exchange))
        if steps is None:
            known = exchange if exchange in EXCHANGES else EXCHANGES[0]
            steps = self._rates_on(day).steps(side, known)
            self._steps[day, side, exchange] = steps
        step = steps[0]
        for later in steps[1:]:
            if value > later.above:
                step = later
        return step.fixed + step.slope * value


def charges_of_lines(results: Sequence[LineResult], charges: DayCharges) -> list[Rupees]:
    """The charges of what counts for each line of one client, unrounded, in the order of `results`.

    What counts of one share, side and exchange on one day is one order, with its depository charge
    and its least brokerage. Lines that share an order share its charges by value. Shares beyond
    the advice and fills without a price are left out.

    Raises:
        NoRates: the table has no rates for one of the days.
    """
    orders: dict[tuple[dt.date, Side, str, str], list[tuple[int, Rupees]]] = {}
    for place, result in enumerate(results):
        for match in result.matches:
            fill = match.fill
            if match.value is not None:
                order = day_of(fill.at), fill.side, fill.exchange, fill.isin
                orders.setdefault(order, []).append((place, match.value))
    of_lines = [ZERO] * len(results)
    for (day, side, exchange, _), parts in orders.items():
        value = sum([value for _, value in parts], ZERO)
        cost = charges.of_order(day, side, exchange, value)
        if all(place == parts[0][0] for place, _ in parts):
            of_lines[parts[0][0]] += cost
        elif value:
            for place, part in parts:
                of_lines[place] += cost * part / value
    return of_lines
