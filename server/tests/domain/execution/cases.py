"""Advice and trades of November 2026 in short words, for the tests of this folder."""

import datetime as dt
import uuid
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import count

from hypothesis import strategies as st

from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import INDIA
from tarazu.domain.execution.matching import match_lines
from tarazu.domain.execution.values import Action, AdvisedLine, Fill, LineResult, OpenOrder, Trading

BUY, SELL, HOLD = Side.BUY, Side.SELL, Side.HOLD
ADVICE = uuid.UUID(int=1)
ISINS = ("INE001A01010", "INE002A01010")
NEW_ISIN = "INE001A01028"
_numbers = count(1)


def at(day: int, time: str = "12:00") -> dt.datetime:
    """An instant in India, kept in UTC as the product does; day 31 and later are of December."""
    first = dt.datetime.combine(dt.date(2026, 11, 1), dt.time.fromisoformat(time), INDIA)
    return (first + dt.timedelta(days=day - 1)).astimezone(dt.UTC)


def line(
    quantity: int = 100,
    *,
    side: Side = BUY,
    isin: str = ISINS[0],
    price: str = "250",
    sent: dt.datetime | None = None,
    ends: dt.datetime | None = None,
    advice: uuid.UUID = ADVICE,
    place: int = 0,
    tag: str = "",
    is_declined: bool = False,
) -> AdvisedLine:
    """A line sent on Monday 2 November at 11:00, with a window until 9 November."""
    return AdvisedLine(
        advice_id=advice,
        place=place,
        isin=isin,
        side=side,
        quantity=quantity,
        price=Decimal(price),
        sent_at=sent or at(2, "11:00"),
        window_ends_at=ends or at(9, "16:00"),
        tag=tag,
        is_declined=is_declined,
    )


def fill(
    quantity: int,
    when: dt.datetime,
    *,
    side: Side = BUY,
    isin: str = ISINS[0],
    price: str | None = "250",
    after: dt.datetime | None = None,
    product: str = "DELIVERY",
    tag: str = "",
    number: str | None = None,
) -> Fill:
    """A fill with a key and a number of its own."""
    own = next(_numbers)
    return Fill(
        key=f"{own:032x}",
        number=str(own) if number is None else number,
        isin=isin,
        side=side,
        quantity=quantity,
        price=None if price is None else Decimal(price),
        at=when,
        after=after,
        product=product,
        tag=tag,
    )


def matched(
    lines: Sequence[AdvisedLine],
    fills: Sequence[Fill] = (),
    *,
    now: dt.datetime | None = None,
    orders: Sequence[OpenOrder] = (),
    actions: Sequence[Action] = (),
    read_at: dt.datetime | None = None,
    tolerance: int = 0,
) -> list[LineResult]:
    """The results on `now`, Thursday 5 November at 16:10 if not given, with all trades read."""
    now = now or at(5, "16:10")
    return match_lines(
        lines, Trading(fills, orders, actions, read_at or now), now, tolerance=tolerance
    )


def split(factor: Fraction | int, day: int, *, new_isin: str = "") -> Action:
    """A split of the first share."""
    return Action(ISINS[0], new_isin, dt.date(2026, 11, day), Fraction(factor))


hours = st.integers(2 * 24, 12 * 24).map(
    lambda hour: (at(1, "00:00") + dt.timedelta(hours=hour)).astimezone(dt.UTC)
)
sides = st.sampled_from((BUY, SELL))


@st.composite
def lines_of_advice(draw: st.DrawFn, most: int = 3) -> list[AdvisedLine]:
    """Up to three advices of a few lines each; some name the same share again."""
    found = []
    for number in range(1, draw(st.integers(1, most)) + 1):
        sent = draw(hours)
        ends = sent + dt.timedelta(days=draw(st.integers(0, 6)))
        tag = draw(st.sampled_from(("", f"TAG{number}")))
        found += [
            line(
                draw(st.integers(1, 40)),
                side=draw(sides),
                isin=draw(st.sampled_from(ISINS)),
                sent=sent,
                ends=ends,
                advice=uuid.UUID(int=number),
                place=place,
                tag=tag,
                is_declined=draw(st.booleans()),
            )
            for place in range(draw(st.integers(1, 3)))
        ]
    return found


@st.composite
def fills_of_client(draw: st.DrawFn, most: int = 8) -> list[Fill]:
    """Any trades: with and without tags, inferred, intraday, before and after the advice."""
    found = []
    for number in range(1, draw(st.integers(0, most)) + 1):
        when = draw(hours)
        back = draw(st.none() | st.none() | st.integers(1, 72))
        found.append(
            Fill(
                key=f"{number:032x}",
                number=draw(st.sampled_from(("7", "12", "101"))),
                isin=draw(st.sampled_from((*ISINS, "INE009A01010"))),
                side=draw(sides),
                quantity=draw(st.integers(1, 60)),
                price=Decimal(1),
                at=when,
                after=None if back is None else when - dt.timedelta(hours=back),
                product=draw(st.sampled_from(("DELIVERY", "DELIVERY", "MARGIN", "INTRADAY"))),
                tag=draw(st.sampled_from(("", "", "TAG1", "TAG2"))),
            )
        )
    return found
