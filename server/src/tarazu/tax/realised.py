"""What was realised in a tax year, by disposal and by share."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tarazu.domain.tax.gains import Gain
from tarazu.domain.tax.rates import Term


@dataclass(frozen=True, slots=True)
class NamedGain:
    """A disposal's gain with the symbol of its share."""

    symbol: str
    gain: Gain


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """What was realised of one share in the year; unknown disposals are in `unknown` alone.

    Attributes:
        is_known: whether any disposal is; else the sums are of nothing.
    """

    isin: str
    symbol: str
    quantity: int
    proceeds: Fraction
    cost: Fraction
    short: Fraction
    long: Fraction
    unknown: int
    is_known: bool


def schedule_of(gains: Sequence[NamedGain]) -> list[ScheduleRow]:
    """The sums of each share, by symbol."""
    by_isin: dict[str, list[NamedGain]] = {}
    for each in gains:
        by_isin.setdefault(each.gain.disposal.isin, []).append(each)
    rows = []
    for isin, parts in by_isin.items():
        known = [each.gain for each in parts if each.gain.amount is not None]
        rows.append(
            ScheduleRow(
                isin,
                parts[0].symbol,
                sum(gain.disposal.quantity for gain in known),
                sum((gain.proceeds or Fraction(0) for gain in known), Fraction(0)),
                sum((gain.cost or Fraction(0) for gain in known), Fraction(0)),
                _net(known, Term.SHORT),
                _net(known, Term.LONG),
                sum(each.gain.disposal.quantity for each in parts if each.gain.amount is None),
                bool(known),
            )
        )
    return sorted(rows, key=lambda row: (row.symbol, row.isin))


def _net(gains: Sequence[Gain], term: Term) -> Fraction:
    return sum((gain.amount or Fraction(0) for gain in gains if gain.term is term), Fraction(0))
