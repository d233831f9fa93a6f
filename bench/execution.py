# ruff: noqa: INP001 - a script, not a package
"""What became of the advice of a whole firm: matching, shortfall, charges and time to act.

Run with `python bench/execution.py`; it prints a table in Markdown. Goals: 10,000 clients with 24
lines of three fills each in 10 seconds of one core, one client in 20 milliseconds.
"""

import datetime as dt
import statistics
import time
import uuid
from decimal import Decimal
from fractions import Fraction
from random import Random

from tarazu.domain.charges import Side, rates_for
from tarazu.domain.codes import order_tag
from tarazu.domain.execution.matching import (
    followed_percentage,
    match_lines,
    own_trades,
    state_of,
)
from tarazu.domain.execution.shortfall import (
    DayCharges,
    advice_shortfall,
    charges_of_lines,
    line_shortfall,
)
from tarazu.domain.execution.trading_time import minutes_to_first_fill, minutes_to_ninety
from tarazu.domain.execution.values import Action, AdvisedLine, Fill, Trading

CLIENTS = 10_000
LINES = 24
FILLS = 3
SEED = 20261120
SENT_AT = dt.datetime(2026, 11, 2, 6, 0, tzinfo=dt.UTC)
NOW = SENT_AT + dt.timedelta(days=9)
ENDS_AT = SENT_AT + dt.timedelta(days=7)
KINDS = ("no corporate action", "a split of one share inside the window")

Client = tuple[list[AdvisedLine], Trading, list[Decimal]]


def client(random: Random, *, with_splits: bool) -> Client:
    """The advice, the trades and the last prices of one client; half of the fills have the tag."""
    advice_id = uuid.UUID(int=random.getrandbits(128))
    tag = order_tag(advice_id)
    lines, fills, last = [], [], []
    for place in range(LINES):
        side = Side.SELL if place < LINES // 3 else Side.BUY
        quantity, price = random.randint(3, 300), Decimal(random.randint(1_000, 900_000)) / 100
        isin = f"INE{place:03d}A01010"
        lines.append(
            AdvisedLine(advice_id, place, isin, side, quantity, price, SENT_AT, ENDS_AT, tag)
        )
        last.append(price * random.randint(95, 105) / 100)
        for number in range(FILLS):
            at = SENT_AT + dt.timedelta(minutes=random.randint(-60, 4 * 1440))
            paid = price + Decimal(random.randint(-500, 500)) / 100
            key = f"{random.getrandbits(128):032x}"
            shares = random.randint(1, 1 + quantity // 2)
            mine = tag if number % 2 else ""
            fills.append(
                Fill(key, str(random.randint(1, 10**8)), isin, side, shares, paid, at, tag=mine)
            )
    random.shuffle(fills)
    actions = [
        Action(line.isin, "", SENT_AT.date() + dt.timedelta(days=2), Fraction(2))
        for line in (lines[-1:] if with_splits else [])
    ]
    return lines, Trading(fills, (), actions, NOW), last


def execute(of: Client, charges: DayCharges) -> None:
    """Everything that is computed for one client."""
    lines, trading, last = of
    results = match_lines(lines, trading, NOW)
    costs = charges_of_lines(results, charges)
    advice_shortfall([line_shortfall(*line) for line in zip(results, last, costs, strict=True)])
    own_trades(results, trading)
    state_of(results)
    followed_percentage(results)
    minutes_to_first_fill(results, frozenset())
    minutes_to_ninety(results, frozenset())


def measured(*, with_splits: bool) -> tuple[float, float, float]:
    """Seconds of all clients, then the median and the slowest client in milliseconds."""
    random = Random(SEED)
    charges = DayCharges(lambda day: rates_for("ZERODHA", day))
    times = []
    for _ in range(CLIENTS):
        of = client(random, with_splits=with_splits)
        start = time.process_time()
        execute(of, charges)
        times.append(time.process_time() - start)
    return sum(times), statistics.median(times) * 1000, max(times) * 1000


def table() -> str:
    """Measure, and the rows in Markdown."""
    lines = [
        f"| {CLIENTS:,} clients x {LINES} lines x {FILLS} fills | all, s (goal ≤ 10) "
        "| a client, ms | slowest client, ms (goal ≤ 20) |",
        "|---|---:|---:|---:|",
    ]
    for kind in KINDS:
        total, middle, slowest = measured(with_splits=kind is KINDS[1])
        lines.append(f"| {kind} | {total:.1f} | {middle:.2f} | {slowest:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
