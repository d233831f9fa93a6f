"""What became of the advice of one client, as it is stored; nothing is read or written here."""

import datetime as dt
import hashlib
import uuid
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from tarazu.advice.service import SealedRow, SentRows
from tarazu.domain.charges import Side
from tarazu.domain.codes import order_tag
from tarazu.domain.execution import shortfall as shortfalls
from tarazu.domain.execution import trading_time
from tarazu.domain.execution.chains import Chains
from tarazu.domain.execution.matching import followed_percentage, match_lines, state_of
from tarazu.domain.execution.values import AdvisedLine, LineResult, Trading
from tarazu.domain.money import ZERO, Rupees, rounded, rounded_units, to_points, to_units
from tarazu.follow_up.matching_queries import FillRow, LineRow
from tarazu.follow_up.responses import declined_places
from tarazu.follow_up.tables import AdviceResponse
from tarazu.follow_up.windows import end_of_day, last_day_over
from tarazu.kit.clock import day_in_india

PRICE_PLACES: Final = 4

Closes = Mapping[int, Sequence[tuple[dt.date, Rupees]]]
"""By instrument token, day and close in order of time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for all clients: the time, the holidays, and by how many shares a line may differ."""

    now: dt.datetime
    holidays: AbstractSet[dt.date]
    tolerance: int


@dataclass(frozen=True, slots=True)
class ClientInput:
    """Everything that the advice of one client is computed from, by advice where it differs."""

    sent: Sequence[SentRows]
    window_ends_on: Mapping[uuid.UUID, dt.date]
    trading: Trading
    refusals: Mapping[uuid.UUID, Sequence[AdviceResponse]]
    charges: shortfalls.DayCharges
    closes: Closes
    models: Mapping[uuid.UUID, str]

    def lines(self) -> list[tuple[SentRows, SealedRow, AdvisedLine]]:
        """Every row of every advice as a line."""
        lines = []
        for one in self.sent:
            tag, ends_at = order_tag(one.id), end_of_day(self.window_ends_on[one.id])
            traded = [row.place for row in one.rows if row.is_traded]
            declined = declined_places(self.refusals.get(one.id, ()), traded)
            for row in one.rows:
                line = AdvisedLine(
                    one.id,
                    row.place,
                    row.isin,
                    row.side if row.is_traded else Side.HOLD,
                    row.quantity,
                    row.price,
                    one.sent_at,
                    ends_at,
                    tag,
                    row.place in declined,
                )
                lines.append((one, row, line))
        return lines


@dataclass(frozen=True, slots=True)
class _Line:
    row: SealedRow
    result: LineResult
    shortfall: shortfalls.Shortfall


@dataclass(frozen=True, slots=True)
class ComputedAdvice:
    """One advice as it is now: its columns, its lines and the trades that count for them."""

    row: dict[str, Any]
    lines: Sequence[LineRow]
    fills: Sequence[FillRow]

    @property
    def advice_id(self) -> uuid.UUID:
        """The advice."""
        advice_id: uuid.UUID = self.row["advice_id"]
        return advice_id

    @property
    def fingerprint(self) -> str:
        """Of everything that is stored of it."""
        everything = [*self.row.values()], [*map(tuple, self.lines)], [*map(tuple, self.fills)]
        return hashlib.sha256(repr(everything).encode()).hexdigest()[:32]


def computed_advice(client: ClientInput, terms: Terms) -> list[ComputedAdvice]:
    """Each advice of a client as it is now."""
    lines = client.lines()
    results = match_lines(
        [line for _, _, line in lines], client.trading, terms.now, tolerance=terms.tolerance
    )
    charges = shortfalls.charges_of_lines(results, client.charges)
    last_prices = _LastPrices(client, terms.now)
    by_advice: dict[uuid.UUID, list[_Line]] = {one.id: [] for one in client.sent}
    for (one, row, line), result, cost in zip(lines, results, charges, strict=True):
        if line.side is not Side.HOLD:
            lost = shortfalls.line_shortfall(result, last_prices.of(row, result), cost)
            by_advice[one.id].append(_Line(row, result, lost))
    return [_advice(one, by_advice[one.id], client, terms) for one in client.sent]


class _LastPrices:
    """The last close of a line: of the last day of its window, or the last one since the sending."""

    __slots__ = ("_chains", "_closes", "_days", "_now")

    def __init__(self, client: ClientInput, now: dt.datetime) -> None:
        self._chains = Chains(client.trading.actions)
        self._closes, self._now = client.closes, now
        self._days: dict[tuple[dt.datetime, dt.datetime], tuple[dt.date, dt.date]] = {}

    def of(self, row: SealedRow, result: LineResult) -> Rupees | None:
        """In the units of the end of the window; None where no close is known since the sending."""
        sent_at, ends_at = result.line.sent_at, result.ends_at
        end = max(sent_at, min(ends_at, self._now))
        # Most lines of an advice end together.
        days = self._days.get((sent_at, ends_at))
        if days is None:
            days = self._days[sent_at, ends_at] = day_in_india(sent_at), day_in_india(end)
        for day, price in reversed(self._closes.get(row.instrument_token, ())):
            if days[0] <= day <= days[1]:
                return self._in_units_of(row.isin, price, day, end)
        return None

    def _in_units_of(self, isin: str, price: Rupees, day: dt.date, end: dt.datetime) -> Rupees:
        units = self._chains.units_of(self._chains.of(isin))
        if units is None:
            return price
        factor = units.at(end_of_day(day)) / units.at(end)
        return price * factor.numerator / factor.denominator


def _advice(
    sent: SentRows, lines: Sequence[_Line], client: ClientInput, terms: Terms
) -> ComputedAdvice:
    """One advice as it is stored."""
    results = [line.result for line in lines]
    lost = shortfalls.advice_shortfall(line.shortfall for line in lines)
    ends_on = client.window_ends_on[sent.id]
    is_known = lost.amount is not None
    row = {
        "advice_id": sent.id,
        "client_id": sent.client_id,
        "sent_at": sent.sent_at,
        "window_ends_on": ends_on,
        "is_over": ends_on <= last_day_over(terms.now),
        "model_name": client.models.get(sent.id, ""),
        "state": state_of(results),
        "followed_percentage": followed_percentage(results),
        "advised_value": _price(sum((each.quantity * each.price for each in results), ZERO)),
        "filled_value": _price(sum((each.filled * each.price for each in results), ZERO)),
        "shortfall": lost.amount,
        "shortfall_bps": lost.bps if is_known else None,
        "shortfall_price": lost.price if is_known else None,
        "shortfall_not_traded": lost.not_traded if is_known else None,
        "shortfall_charges": lost.charges if is_known else None,
        "minutes_to_first_fill": trading_time.minutes_to_first_fill(results, terms.holidays),
        "minutes_to_ninety": trading_time.minutes_to_ninety(results, terms.holidays),
    }
    key = sent.id.hex
    fills = [fill for line in lines for fill in _fill_rows(key, line)]
    return ComputedAdvice(row, [_line_row(key, line) for line in lines], fills)


def _line_row(advice_id: str, line: _Line) -> LineRow:
    result, lost = line.result, line.shortfall
    average, slippage = result.average_price, shortfalls.slippage_bps(result)
    return LineRow(
        advice_id,
        line.row.place,
        line.row.isin,
        line.row.symbol,
        line.row.exchange,
        line.row.side.value,
        result.quantity,
        rounded_units(result.price),
        result.filled,
        None if average is None else rounded_units(average),
        result.beyond,
        result.status.name,
        result.status_text,
        None if lost.amount is None else to_units(lost.amount),
        None if lost.bps is None else to_points(lost.bps),
        None if slippage is None else to_points(slippage),
    )


def _fill_rows(advice_id: str, line: _Line) -> list[FillRow]:
    """The trades that count for a line, each once."""
    shares: dict[str, int] = {}
    for match in line.result.matches:
        shares[match.fill.key] = shares.get(match.fill.key, 0) + match.quantity
    place = line.row.place
    return [
        FillRow(advice_id, place, key.replace("-", ""), quantity)
        for key, quantity in shares.items()
        if quantity
    ]


def _price(value: Rupees) -> Rupees:
    return rounded(value, PRICE_PLACES)
