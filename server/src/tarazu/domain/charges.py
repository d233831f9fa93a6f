"""What an order in shares costs in India: taxes, fees, brokerage and the depository's charge.

Rates are percents of an order's value or rupees, dated and per broker, in `charges.csv`; each row
of the table names its source. A day's charges are worked out in whole numbers: transaction tax is
rounded up to the rupee a side, as contract notes may, everything else up to the paisa, so that an
estimate is not below the note.
"""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import NamedTuple

from tarazu.domain.money import HUNDRED, UNITS_PER_RUPEE, ZERO, Percent, Rupees, from_units

ANY = "ANY"
EXCHANGES = ("NSE", "BSE")
PAISA = UNITS_PER_RUPEE // 100
FINE = 10**12  # a rate of one is kept as this many parts, so every rate is a whole number


class Side(StrEnum):
    BUY = "BUY"
    SELL = "SELL"
    HOLD = "HOLD"


class NoRates(ValueError):
    """The table has no rate of some charge for the broker on that day."""


class Order(NamedTuple):
    """An order to BUY or SELL for `units` (ten-thousandths of a rupee, above zero)."""

    side: Side
    units: int
    exchange: str = "NSE"


class ChargeStep(NamedTuple):
    """Charges of one order worth more than `above` rupees: `fixed` + `slope` x its value.

    The step ends where the next begins. Nothing is rounded.
    """

    above: Rupees
    fixed: Rupees
    slope: Decimal


@dataclass(frozen=True, slots=True)
class ChargeRates:
    """One broker's rates on a day: percents of an order's value; the last three in rupees.

    `exchange` and `protection` (investor protection fund) are by exchange. Brokerage is a percent
    of each order, `brokerage_least` at least and `brokerage_most` at most (all zero: none).
    `depository` is charged once for each stock sold, before `gst`.
    """

    broker: str
    stt_buy: Percent
    stt_sell: Percent
    stamp_buy: Percent
    sebi: Percent
    gst: Percent
    brokerage: Percent
    brokerage_least: Rupees
    brokerage_most: Rupees
    depository: Rupees
    exchange: Mapping[str, Percent]
    protection: Mapping[str, Percent]

    def steps(self, side: Side, exchange: str = "NSE") -> tuple[ChargeStep, ...]:
        """The charges of one order as linear steps of its value, GST and depository included."""
        gst = 1 + self.gst / HUNDRED
        market = self.exchange[exchange] + self.protection[exchange] + self.sebi
        tax = self.stt_sell if side is Side.SELL else self.stt_buy + self.stamp_buy
        slope = (tax + market * gst) / HUNDRED
        fixed = self.depository * gst if side is Side.SELL else ZERO
        if not self.brokerage:
            return (ChargeStep(ZERO, fixed + self.brokerage_least * gst, slope),)
        rate = self.brokerage / HUNDRED
        steps = (
            ChargeStep(ZERO, fixed + self.brokerage_least * gst, slope),
            ChargeStep(self.brokerage_least / rate, fixed, slope + rate * gst),
            ChargeStep(self.brokerage_most / rate, fixed + self.brokerage_most * gst, slope),
        )
        return steps if self.brokerage_least else steps[1:]

    def charges_of_order(self, side: Side, value: Rupees, exchange: str = "NSE") -> Rupees:
        """The charges of one order alone, unrounded; 0 of a HOLD."""
        if side is Side.HOLD:
            return ZERO
        steps = self.steps(side, exchange)
        step = next(step for step in reversed(steps) if value > step.above or step is steps[0])
        return step.fixed + step.slope * value


@dataclass(frozen=True, slots=True)
class Charges:
    """An estimate of a day's charges, rupees each, whole paise; the tax whole rupees a side.

    `exchange` includes the investor protection fund; `gst` is on all but the tax and the stamp.
    """

    brokerage: Rupees = ZERO
    stt: Rupees = ZERO
    exchange: Rupees = ZERO
    sebi: Rupees = ZERO
    stamp: Rupees = ZERO
    depository: Rupees = ZERO
    gst: Rupees = ZERO

    @property
    def total(self) -> Rupees:
        return sum((getattr(self, charge.name) for charge in fields(self)), ZERO)


@dataclass(frozen=True, slots=True)
class Tariff:
    """Rates as whole parts of `FINE`, to add up a day's orders without a fraction lost."""

    rates: ChargeRates
    _fine: dict[str, int] = field(init=False, repr=False)
    _market: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rates = self.rates
        names = ("stt_buy", "stt_sell", "stamp_buy", "sebi", "gst", "brokerage")
        fine = {name: _fine(getattr(rates, name) / HUNDRED) for name in names}
        for name in ("brokerage_least", "brokerage_most", "depository"):
            fine[name] = _fine(getattr(rates, name) * UNITS_PER_RUPEE)
        market = {
            name: _fine((rates.exchange[name] + rates.protection[name]) / HUNDRED)
            for name in rates.exchange
        }
        object.__setattr__(self, "_fine", fine)
        object.__setattr__(self, "_market", market)

    def units(self, orders: Iterable[Order]) -> tuple[int, ...]:
        """Ten-thousandths of a rupee, in the order of the fields of `Charges`."""
        fine = self._fine
        bought = sold = sales = market = brokerage = 0
        for side, units, exchange in orders:
            if side is Side.BUY:
                bought += units
            else:
                sold += units
                sales += 1
            market += units * self._market[exchange]
            if fine["brokerage_most"]:
                fee = min(units * fine["brokerage"], fine["brokerage_most"])
                brokerage += max(fee, fine["brokerage_least"])
        return self._of_totals(bought, sold, sales, market, brokerage)

    def _of_totals(
        self, bought: int, sold: int, sales: int, market: int, brokerage: int
    ) -> tuple[int, ...]:
        fine = self._fine
        sebi = (bought + sold) * fine["sebi"]
        depository = sales * fine["depository"]
        served = (brokerage + market + sebi + depository) * fine["gst"]
        tax = sum(
            _up(parts, FINE * UNITS_PER_RUPEE)
            for parts in (bought * fine["stt_buy"], sold * fine["stt_sell"])
        )
        paise = FINE * PAISA
        return (
            _up(brokerage, paise) * PAISA,
            tax * UNITS_PER_RUPEE,
            _up(market, paise) * PAISA,
            _up(sebi, paise) * PAISA,
            _up(bought * fine["stamp_buy"], paise) * PAISA,
            _up(depository, paise) * PAISA,
            _up(served, FINE * paise) * PAISA,
        )

    def estimate(self, orders: Iterable[Order]) -> Charges:
        """The charges of a day's orders, one order a stock."""
        return Charges(*(from_units(units) for units in self.units(orders)))


def _fine(rate: Decimal) -> int:
    return int((rate * FINE).to_integral_value())


def _up(parts: int, whole: int) -> int:
    return -(-parts // whole)


class Line(NamedTuple):
    """One rate of the table: from which day, for which broker, exchange and side (or ANY)."""

    effective_on: dt.date
    broker: str
    exchange: str
    side: str
    charge: str
    rate: Decimal
    unit: str
    source: str

    @property
    def about(self) -> tuple[str, str, str, str]:
        """What the rate is a rate of, whatever its day: broker, exchange, side, charge."""
        return self[1:5]


Lines = tuple[Line, ...]


def read_lines(text: str) -> Lines:
    """The lines of a table written as `charges.csv` is."""
    return tuple(
        Line(
            dt.date.fromisoformat(line["effective_on"]),
            line["broker"],
            line["exchange"],
            line["side"],
            line["charge"],
            Decimal(line["rate"]),
            line["unit"],
            line["source"],
        )
        for line in csv.DictReader(text.splitlines())
    )


def text_of(lines: Iterable[Line]) -> str:
    """The lines as a table in the form of `charges.csv`."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(Line._fields)
    writer.writerows(
        (line.effective_on.isoformat(), *line.about, f"{line.rate:f}", line.unit, line.source)
        for line in lines
    )
    return written.getvalue()


def lines_in_force(lines: Lines, on: dt.date) -> Lines:
    """Of each rate the newest line that holds on a day, in the order of the table."""
    newest: dict[tuple[str, str, str, str], Line] = {}
    for line in lines:
        known = newest.get(line.about)
        if line.effective_on <= on and (known is None or known.effective_on < line.effective_on):
            newest[line.about] = line
    return tuple(newest.values())


SHIPPED = read_lines(
    resources.files(__package__).joinpath("charges.csv").read_text(encoding="utf-8")
)
"""The table that comes with the product; a firm may put its own in its place."""


@cache
def rates_for(broker: str, on: dt.date, lines: Lines = SHIPPED) -> ChargeRates:
    """A broker's rates on a day: the latest of the table that were in force.

    Raises:
        NoRates: the table does not know the broker, or does not go back that far.
    """
    if not any(line.broker == broker for line in lines):
        raise NoRates(broker)

    def rate(charge: str, side: str = ANY, exchange: str = ANY) -> Decimal:
        in_force = [
            (line.effective_on, line.rate)
            for line in lines
            if line.about[1:] == (exchange, side, charge)
            and line.broker in {broker, ANY}
            and line.effective_on <= on
        ]
        if not in_force:
            raise NoRates(f"{broker} {charge} {on}")
        return max(in_force)[1]

    return ChargeRates(
        broker=broker,
        stt_buy=rate("stt", "BUY"),
        stt_sell=rate("stt", "SELL"),
        stamp_buy=rate("stamp", "BUY"),
        sebi=rate("sebi"),
        gst=rate("gst"),
        brokerage=rate("brokerage"),
        brokerage_least=rate("brokerage_least"),
        brokerage_most=rate("brokerage_most"),
        depository=rate("depository", "SELL"),
        exchange={name: rate("exchange", ANY, name) for name in EXCHANGES},
        protection={name: rate("protection", ANY, name) for name in EXCHANGES},
    )
