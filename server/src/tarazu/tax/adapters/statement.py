"""A client's realised gains of a tax year as a PDF: by share, set-off, rates with their sources."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.rates import Line, Lines, SurchargeClass, TaxRates, TaxYear, Term
from tarazu.domain.tax.set_off import SetOff, Way, YearGains, YearTax
from tarazu.domain.tax.values import DisposalKind, Speculation
from tarazu.firm.service import FirmRegistration, letterhead_of
from tarazu.kit import formatting
from tarazu.kit.clock import day_in_india
from tarazu.kit.pdf import pdf_of
from tarazu.people.service import Client
from tarazu.tax.realised import NamedGain, ScheduleRow
from tarazu.tax.wording import CLASSES, ITEMS, NOTES, REASONS, rupees

TEMPLATE: Final = Path(__file__).parent / "statement.typ"
WAYS: Final = {
    Way.SHORT_FIRST: "Short-term loss against short-term gains first",
    Way.LONG_FIRST: "Short-term loss against long-term gains first",
}
NO_ADVICE: Final = (
    "This statement is arithmetic from the trades and entries that are recorded here, not tax advice "
    "and no tax computation to be filed. Compare it with the broker's statement and ask a tax adviser."
)
_KINDS: Final = {DisposalKind.BUYBACK: "buyback", DisposalKind.FRACTION: "fraction paid out"}
_TERMS: Final = {Term.SHORT: "Short", Term.LONG: "Long"}


@dataclass(frozen=True, slots=True)
class StatementContents:
    """Everything that a statement says; see `ClientYear`."""

    firm: FirmRegistration
    author: str
    made_at: dt.datetime
    client: Client
    year: TaxYear
    rates: TaxRates
    income: SurchargeClass | None
    gains: Sequence[NamedGain]
    schedule: Sequence[ScheduleRow]
    realised: YearGains
    tax: YearTax | None
    dividends: Fraction
    speculations: Sequence[Speculation]
    left_out: int
    lines: Lines

    @property
    def file_name(self) -> str:
        """The statement's name as a file: `gains-C1042-2026-27.pdf`."""
        return f"gains-{self.client.code}-{self.year.name}.pdf"


def statement_of(contents: StatementContents) -> bytes:
    """The statement as PDF/A-2b; the same contents give the same bytes."""
    return pdf_of(TEMPLATE, _fields(contents), contents.made_at)


def _fields(contents: StatementContents) -> dict[str, Any]:
    firm, year = contents.firm, contents.year
    until = min(year.last, day_in_india(contents.made_at))
    return {
        "firm": letterhead_of(firm),
        "client": {"name": contents.client.name, "code": contents.client.code},
        "year": year.name,
        "period": f"{formatting.day_of(year.first)} to {formatting.day_of(until)}",
        "time": formatting.time_of(contents.made_at),
        "author": contents.author,
        "income": CLASSES[contents.income],
        "practice": formatting.PRACTICE if firm.is_demo else "",
        "facts": _facts(contents),
        "schedule": _schedule(contents),
        "sales": [_sale(each) for each in contents.gains],
        "setOff": _set_off(contents),
        "others": _others(contents),
        "unknown": _unknown(contents),
        "rates": _rates(contents.lines),
        "notes": list(NOTES),
        "warning": firm.standard_warning,
        "noAdvice": NO_ADVICE,
    }


def _shown(amount: Fraction | None) -> str:
    return formatting.rupees(rupees(amount))


def _signed(amount: Fraction | None) -> str:
    return f"+{_shown(amount)}" if amount is not None and amount > 0 else _shown(amount)


def _facts(year: StatementContents) -> list[list[str]]:
    realised, better = year.realised, year.tax.better if year.tax else None
    is_whole = all(each.gain.amount is not None for each in year.gains)
    note = "with surcharge and cess" if is_whole else "of what is known"
    used = None if better is None else Fraction(year.rates.exemption) - better.exemption_left
    return [
        ["Short-term gains, net", _signed(realised.short_gain - realised.short_loss), ""],
        ["Long-term gains, net", _signed(realised.long_gain - realised.long_loss), ""],
        ["Tax after set-off", _shown(better.tax if better else None), note],
        [
            "Exemption used",
            _shown(used),
            f"of {formatting.rupees(year.rates.exemption)}",
        ],
    ]


def _schedule(year: StatementContents) -> dict[str, Any]:
    rows = [
        {
            "symbol": row.symbol,
            "isin": row.isin,
            "cells": [
                formatting.shares(row.quantity) if row.is_known else formatting.NO_FIGURE,
                _shown(row.proceeds if row.is_known else None),
                _shown(row.cost if row.is_known else None),
                _signed(row.short if row.is_known else None),
                _signed(row.long if row.is_known else None),
                formatting.shares(row.unknown) if row.unknown else "",
            ],
        }
        for row in year.schedule
    ]
    totals = [
        _shown(sum((row.proceeds for row in year.schedule), Fraction(0))),
        _shown(sum((row.cost for row in year.schedule), Fraction(0))),
        _signed(sum((row.short for row in year.schedule), Fraction(0))),
        _signed(sum((row.long for row in year.schedule), Fraction(0))),
        formatting.shares(sum(row.unknown for row in year.schedule)),
    ]
    return {"rows": rows, "totals": totals}


def _sale(each: NamedGain) -> dict[str, Any]:
    gain, part = each.gain, each.gain.disposal
    is_known = gain.why is None
    return {
        "symbol": each.symbol,
        "kind": _KINDS.get(part.kind, ""),
        "cells": [
            formatting.day_of(part.sold_on),
            formatting.day_of(part.bought_on) if part.bought_on else formatting.NO_FIGURE,
            formatting.shares(part.quantity),
            _TERMS[gain.term] if gain.term else formatting.NO_FIGURE,
            _shown(gain.proceeds if is_known else None),
            _shown(gain.cost if is_known else None),
            _signed(gain.amount),
        ],
    }


def _set_off(year: StatementContents) -> dict[str, Any] | None:
    """Both ways side by side; None where the rates changed within the year."""
    if year.tax is None:
        return None
    realised, ways = year.realised, tuple(year.tax)
    better = year.tax.better

    def row(name: str, amount: Any, *, is_total: bool = False) -> dict[str, Any]:
        return {"name": name, "cells": [_shown(amount(way)) for way in ways], "isTotal": is_total}

    exemption = Fraction(year.rates.exemption)
    is_same = ways[0].tax == ways[1].tax
    return {
        "heads": [WAYS[way.way] for way in ways],
        "better": "" if is_same else WAYS[better.way],
        "rows": [
            row("Short-term gains", lambda _: realised.short_gain),
            row("Short-term losses", lambda _: realised.short_loss),
            row("Long-term gains", lambda _: realised.long_gain),
            row("Long-term losses", lambda _: realised.long_loss),
            row("Short-term gains after set-off", lambda way: way.short),
            row("Long-term gains after set-off", lambda way: way.long),
            row("Exemption used", lambda way: exemption - way.exemption_left),
            row("Long-term gains above the exemption", lambda way: way.taxed_long),
            row("Short-term loss left to carry forward", lambda way: way.short_loss),
            row("Long-term loss left to carry forward", lambda way: way.long_loss),
            row("Tax with surcharge and cess", _tax, is_total=True),
        ],
    }


def _tax(way: SetOff) -> Fraction:
    return way.tax


def _others(year: StatementContents) -> list[list[str]]:
    rows = []
    if year.dividends:
        rows.append(["Dividend of buybacks", _shown(year.dividends)])
    known = [each for each in year.speculations if each.gain is not None]
    if known:
        gain = sum((each.gain or Fraction(0) for each in known), Fraction(0))
        rows.append(["Speculation (bought and sold on one day)", _signed(gain)])
    missing = len(year.speculations) - len(known)
    if missing:
        days = "day" if missing == 1 else "days"
        rows.append([f"Speculation on {missing} {days} without a price", formatting.NO_FIGURE])
    return rows


def _unknown(year: StatementContents) -> list[list[str]]:
    """What is not known and in no sum: a stock with its shares and the reason."""
    shares: dict[tuple[str, WhyUnknown | None], int] = {}
    for each in year.gains:
        if each.gain.amount is not None:
            continue
        key = (each.symbol, each.gain.why)
        shares[key] = shares.get(key, 0) + each.gain.disposal.quantity
    rows = [
        [symbol, formatting.shares(count), REASONS[why] if why else ""]
        for (symbol, why), count in sorted(shares.items(), key=lambda item: item[0][0])
    ]
    if year.left_out:
        trades = "1 trade" if year.left_out == 1 else f"{year.left_out:,} trades"
        rows.append([formatting.NO_FIGURE, "", f"{trades} without an ISIN: not counted."])
    return rows


def _rates(lines: Sequence[Line]) -> list[list[str]]:
    return [
        [ITEMS.get(line.item, line.item), _value(line), formatting.day_of(line.effective_on),
         line.source]
        for line in lines
    ]  # fmt: skip


def _value(line: Line) -> str:
    if line.unit == "percent":
        return f"{line.value} %"
    if line.unit == "rupees":
        return formatting.rupees(Decimal(line.value))
    if line.unit == "months":
        return f"{line.value} months"
    if line.unit == "date":
        return formatting.day_of(dt.date.fromisoformat(line.value))
    return line.value
