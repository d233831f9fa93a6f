"""Figures and times as people read them on paper and in mails."""

import datetime as dt
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Final

from tarazu.domain.money import HUNDRED, Percent, Rupees, grouped, plain, rounded
from tarazu.kit.clock import INDIA
from tarazu.kit.translation import N_, Language, translation_of

NO_FIGURE: Final = "–"
PRACTICE: Final = N_("Practice: simulated prices, not investment advice")
"""Said wherever prices are shown that nobody traded at."""
_LAKH: Final = Decimal(10) ** 5
_CRORE: Final = Decimal(10) ** 7

_SOURCES: Final = {
    "ZERODHA": N_("Zerodha market feed"),
    "ANGEL_ONE": N_("Angel One market feed"),
    "SIMULATED": N_("Simulated prices"),
    "NSE_FILE": N_("closing prices of NSE"),
    "BSE_FILE": N_("closing prices of BSE"),
    "HOLDINGS_FILE": N_("prices of a holdings file"),
    "CLOSE": N_("closing prices that came with the product"),
}
_OF_A_DAY: Final = frozenset({"NSE_FILE", "BSE_FILE", "HOLDINGS_FILE", "CLOSE"})
"""Of these prices the day is known, and no time of a trade."""
_BROKERS: Final = {"ZERODHA": "Zerodha", "ANGEL_ONE": "Angel One"}


def rupees(amount: Rupees | None) -> str:
    """Rupees and paise with Indian grouping: "₹1,40,250.00"; a dash for None."""
    if amount is None:
        return NO_FIGURE
    shown = rounded(amount)
    whole, paise = divmod(int(abs(shown) * HUNDRED), 100)
    return f"{'-' if shown < 0 else ''}₹{grouped(whole)}.{paise:02d}"


def short_rupees(amount: Rupees) -> str:
    """Rupees for an axis: "₹4.65 Cr", "₹12.4 L", "₹9,840"; at most two decimals."""
    size, sign = abs(amount), "-" if amount < 0 else ""
    for unit, name in ((_CRORE, " Cr"), (_LAKH, " L")):
        if size >= unit:
            return f"{sign}₹{plain(rounded(size / unit))}{name}"
    return f"{sign}₹{grouped(int(rounded(size, 0)))}"


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


def prices_of(prices: Iterable[tuple[str, dt.datetime]], language: Language = Language.EN) -> str:
    """Each source of some prices with the time or the day that its prices are of, in words.

    "Zerodha market feed, traded 20 Nov 2026, 15:29 IST; closing prices of NSE of 20 Nov 2026"

    Args:
        prices: source, and when the price was made.
        language: of the words and the days.
    """
    translation = translation_of(language)
    made: dict[str, list[dt.datetime]] = {}
    for source, at in prices:
        made.setdefault(source, []).append(at)
    texts = []
    for source, times in sorted(made.items()):
        is_of_a_day = source in _OF_A_DAY
        show = translation.day if is_of_a_day else translation.time
        first, last = show(min(times)), show(max(times))
        between = translation.gettext("{first} to {last}", first=first, last=last)
        when = first if first == last else between
        name = translation.gettext(source_of([source]))
        if is_of_a_day:
            texts.append(translation.gettext("{source} of {when}", source=name, when=when))
        else:
            texts.append(translation.gettext("{source}, traded {when}", source=name, when=when))
    return "; ".join(texts)


def broker_of(broker: str) -> str:
    """A broker's name as people write it."""
    return _BROKERS.get(broker, broker)


_ONES: Final = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
]
_TENS: Final = ["Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"]
_UNITS: Final = ((10**7, "Crore"), (10**5, "Lakh"), (1000, "Thousand"), (100, "Hundred"))


def rupees_in_words(amount: Rupees) -> str:
    """An amount of 0 or more as invoices say it: "Rupees One Lakh Two and Fifty Paise Only"."""
    whole, paise = divmod(int(rounded(amount) * HUNDRED), 100)
    words = f"Rupees {_in_words(whole)}"
    return f"{words} and {_in_words(paise)} Paise Only" if paise else f"{words} Only"


def _in_words(number: int) -> str:
    for unit, name in _UNITS:
        if number >= unit:
            many, rest = divmod(number, unit)
            words = f"{_in_words(many)} {name}"
            return f"{words} {_in_words(rest)}" if rest else words
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}-{_ONES[ones]}" if ones else _TENS[tens - 2]
