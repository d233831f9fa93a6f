"""Checks what is sent against what is known: no figure of a browser is trusted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal

from tarazu.advice.errors import (
    AllocationOver100,
    NotAsRebalanced,
    NothingToSend,
    TotalsDiffer,
    UnfitRequest,
    UnfitStock,
)
from tarazu.advice.package import Package, Row, Stock
from tarazu.advice.requests import AdviceToSend, StockToSend
from tarazu.advice.sealing import total_of
from tarazu.domain.charges import Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded
from tarazu.domain.rebalancing.plan import MOST_ROWS
from tarazu.kit.formatting import rupees

MOST_INVESTMENT = Rupees(10) ** 12
"""₹1,00,000 crore: a larger figure is a typing error."""

HIGHEST_PRICE = Rupees(10) ** 7
MOST_SHARES = 10**10
AS_SHOWN = Decimal("0.01")
"""Figures are shown with two decimals, so a shown one may be this far from the exact one."""


@dataclass(frozen=True, slots=True)
class StockNow:
    """What is known of a row's stock now: whole shares held, and the last price if any."""

    stock: Stock
    held: int
    price: Rupees | None


def investment_of(field: str, amount: Rupees) -> Rupees:
    """An Investment Value in whole paise; sums made by a browser carry a little noise.

    Raises:
        UnfitRequest: it is not above zero, or above a lakh crore.
    """
    if not ZERO < amount <= MOST_INVESTMENT or rounded(amount) == ZERO:
        raise UnfitRequest(
            field, "Investment Value must be more than ₹0 and at most ₹1,00,000 crore."
        )
    return rounded(amount)


def refuse_unfit_rows(advice: AdviceToSend) -> None:
    """Refuse rows that are invalid whatever the client holds.

    Raises:
        NothingToSend: there are none.
        UnfitRequest: there are too many.
        UnfitStock: a row is a HOLD, a quantity is not whole, a target is out of range.
    """
    if not advice.stocks:
        raise NothingToSend
    if len(advice.stocks) > MOST_ROWS:
        raise UnfitRequest("stocks", f"At most {MOST_ROWS} stocks can be sent at once.")
    for place, row in enumerate(advice.stocks):
        if row.type not in {Side.BUY, Side.SELL}:
            raise UnfitStock(place, row.symbol, "only BUY and SELL rows are sent.")
        whole = row.quantity == row.quantity.to_integral_value()
        if not whole or not 0 < row.quantity <= MOST_SHARES:
            raise UnfitStock(place, row.symbol, "the quantity must be a whole number above 0.")
        if (
            not 0 <= row.allocation_percentage <= HUNDRED
            or rounded(row.allocation_percentage) != row.allocation_percentage
        ):
            raise UnfitStock(place, row.symbol, "a target is 0 to 100 % in steps of 0.01.")


def checked_rows(
    advice: AdviceToSend, known: Sequence[StockNow], tolerance: Percent, package: Package | None
) -> tuple[Row, ...]:
    """The rows with our own figures, in the order in which they were sent.

    Args:
        advice: what was sent; its rows passed `refuse_unfit_rows`.
        known: what is known of each row's stock, in the same order.
        tolerance: percent by which a price may have moved since.
        package: the rebalance that the rows are of, or None.

    Raises:
        AllocationOver100: the targets exceed 100 %.
        UnfitStock: a row sells more than is held, has no price or one that moved too far, or its
            figures do not add up.
        NotAsRebalanced: the rows are not those of the rebalance.
        TotalsDiffer: a total is not the sum of its rows.
    """
    if sum(row.allocation_percentage for row in advice.stocks) > HUNDRED:
        raise AllocationOver100
    rows = tuple(
        _checked_row(place, row, fact, advice.total_invested_value)
        for place, (row, fact) in enumerate(zip(advice.stocks, known, strict=True))
    )
    if package is not None:
        rows = _as_rebalanced(advice, rows, package)
    for place, (row, fact) in enumerate(zip(rows, known, strict=True)):
        refuse_moved_price(place, row, fact.price, tolerance)
    _refuse_wrong_totals(advice, rows, package)
    return rows


def _checked_row(place: int, sent: StockToSend, known: StockNow, investment: Rupees) -> Row:
    side, quantity, price = Side(sent.type), int(sent.quantity), sent.ltp
    if side is Side.SELL and quantity > known.held:
        raise UnfitStock(place, sent.symbol, f"cannot sell {quantity}: {known.held} are held.")
    if not 0 < price <= HIGHEST_PRICE or price != rounded(price, 4):
        raise UnfitStock(place, sent.symbol, "the price must be above ₹0 with four decimals.")
    new = known.held + quantity if side is Side.BUY else known.held - quantity
    current, projected, traded = price * known.held, price * new, price * quantity
    if max(current, projected) > MOST_INVESTMENT:
        raise UnfitStock(place, sent.symbol, "is worth more than ₹1,00,000 crore.")
    added = traded if side is Side.BUY else ZERO
    _refuse_unlike(place, sent, "current value", sent.current_investment_value, current)
    _refuse_unlike(
        place, sent, "additional investment", sent.additional_investment_value or ZERO, added
    )
    _refuse_unlike(place, sent, "projected value", sent.projected_investment_value, projected)
    before, possible = current * HUNDRED / investment, projected * HUNDRED / investment
    _refuse_unlike(
        place, sent, "possible allocation", sent.possible_allocation_percentage, possible
    )
    if sent.drift is not None:
        _refuse_unlike(place, sent, "drift", sent.drift, before - sent.allocation_percentage)
    return Row(
        known.stock,
        side,
        known.held,
        quantity,
        new,
        price,
        rounded(before),
        sent.allocation_percentage,
        rounded(possible),
        rounded(before - sent.allocation_percentage),
        current,
        added,
        traded - added,
        projected,
        sent.message,
        note=sent.note,
    )


def _refuse_unlike(
    place: int, sent: StockToSend, name: str, shown: Decimal, exact: Decimal
) -> None:
    if abs(shown - exact) > AS_SHOWN:
        is_percent = name in {"possible allocation", "drift"}
        right = f"{rounded(exact)} %" if is_percent else rupees(exact)
        raise UnfitStock(place, sent.symbol, f"the {name} does not add up; it is {right}.")


def _as_rebalanced(advice: AdviceToSend, rows: Sequence[Row], package: Package) -> tuple[Row, ...]:
    """The rows of the rebalance that were sent, with its messages and the sender's notes."""
    if advice.total_invested_value != package.investment:
        raise NotAsRebalanced("The Investment Value differs from the rebalance. Rebalance again.")
    traded = {row.stock.instrument_token: row for row in package.rows if row.quantity}
    sent_rows = []
    for row in rows:
        planned = traded.pop(row.stock.instrument_token, None)
        if planned is None or _compared(planned) != _compared(row):
            raise NotAsRebalanced(
                f"{row.stock.symbol} differs from the rebalance. Rebalance again."
            )
        sent_rows.append(replace(planned, note=row.note))
    if traded:
        missing = next(iter(traded.values())).stock.symbol
        raise NotAsRebalanced(f"{missing} is missing from the rebalance's rows. Rebalance again.")
    return tuple(sent_rows)


def _compared(row: Row) -> tuple[object, ...]:
    return row.side, row.quantity, row.last_price, row.allocation


def refuse_moved_price(place: int, row: Row, now: Rupees | None, tolerance: Percent) -> None:
    """Refuse a row whose price moved too far.

    Args:
        now: the price of its stock now; None where there is none.
        tolerance: percent by which it may have moved.

    Raises:
        UnfitStock: there is no price now, or it moved further.
    """
    then = row.last_price or ZERO
    if now is None:
        raise UnfitStock(place, row.stock.symbol, "there is no price to advise at.")
    moved = abs(now - then) * HUNDRED / then
    if moved > tolerance:
        # Rounded up, so that the figure shown is above the limit.
        shown = moved.quantize(AS_SHOWN, rounding=ROUND_UP)
        raise UnfitStock(
            place,
            row.stock.symbol,
            f"the price moved {shown} % since the rebalance, from {rupees(then)} to "
            f"{rupees(now)}; at most {rounded(tolerance)} % is allowed. Rebalance again.",
        )


def _refuse_wrong_totals(
    advice: AdviceToSend, rows: Sequence[Row], package: Package | None
) -> None:
    counts = {len(rows)} if package is None else {len(rows), len(package.rows)}
    if advice.total_stocks not in counts:
        raise TotalsDiffer(f"Total Stock does not add up: {len(rows)} are sent.")
    for name, sent, side in (
        ("Total Buy", advice.total_buy_value, Side.BUY),
        ("Total Sell", advice.total_sell_value, Side.SELL),
    ):
        exact = total_of(rows, side)
        shown = sum(
            (row.projected_investment_value for row in advice.stocks if row.type == side),
            start=ZERO,
        )
        if min(abs(sent - exact), abs(sent - shown)) > AS_SHOWN:
            raise TotalsDiffer(f"{name} does not add up: the rows come to {rupees(exact)}.")
