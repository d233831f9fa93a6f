"""Values and returns of 200 random histories with corporate actions, beside what was really owned."""

import datetime as dt
import random
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import pytest

from tarazu.clients.returns import returns_of
from tarazu.domain.calendar import business_days_between
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.firm import service as firms
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewFlow
from tarazu.portfolio.tables import FlowType
from tests.portfolio.actions import ActionDesk, add_action, record
from tests.portfolio.test_closing import Firm

FIRST, LAST = dt.date(2026, 9, 1), dt.date(2026, 9, 18)
KINDS = {
    Fraction(2): ActionKind.BONUS,
    Fraction(3, 2): ActionKind.BONUS,
    Fraction(10): ActionKind.SPLIT,
    Fraction(5): ActionKind.SPLIT,
    Fraction(1, 10): ActionKind.CONSOLIDATION,
}
PLACES = 10
SMALLEST = Decimal("0.0001")
"""Of a price in new units: what its rounding can move a share's value on the ex-date."""
SURE_DAY = 5
"""A day on which every history has an action if it can."""

HISTORIES = [
    pytest.param("sqlite", seed, marks=pytest.mark.long if seed % 20 else ()) for seed in range(200)
] + [("postgres", seed) for seed in range(0, 200, 20)]


@dataclass
class Book:
    """What a client owns, what a broker shows of it, and what both were worth at each close.

    The plain reference: it knows the shares themselves and no action.
    """

    shares: int
    cash: Decimal
    price: Decimal
    shown: int
    average: Decimal
    credited_after: int = 0
    closes: list[Decimal] = field(default_factory=list)
    growth: Fraction = Fraction(1)

    @property
    def value(self) -> Decimal:
        return self.shares * self.price + self.cash

    @property
    def is_credited(self) -> bool:
        return self.shown == self.shares

    def close(self, added: Decimal) -> None:
        """End a day; what was added came before it, what was withdrawn left after it."""
        paid_in, paid_out = max(added, Decimal(0)), max(-added, Decimal(0))
        self.growth *= Fraction(self.value + paid_out) / Fraction(self.closes[-1] + paid_in)
        self.closes.append(self.value)


class Play:
    """A history of one client that is played through the product and through a `Book`."""

    def __init__(self, database: Database, seed: int) -> None:
        self.chance = random.Random(seed)
        self.database = database
        firm = Firm(database)
        with database.reading() as session:
            self.days = business_days_between(FIRST, LAST, firms.holidays(session))
        self.desk = ActionDesk(firm, firm.add("Kavya", at(self.days[0], 9)))
        self.book = Book(120, Decimal(50_000), Decimal(1000), 120, Decimal(800))
        self.late: list[tuple[int, UUID]] = []
        self.openings: list[tuple[Decimal, Decimal]] = []
        """On ex-dates, the value in the morning less that of the evening before, and its limit."""

    def run(self) -> None:
        first = self.days[0]
        self.read(first, 10)
        self.set_cash(first, 10)
        self.desk.price(at(first, 15), str(self.book.price))
        self.desk.firm.close(at(first, 15, 50))
        self.book.closes.append(self.book.value)
        with self.database.transaction() as session:
            portfolio.set_start(
                session,
                SYSTEM,
                at(first, 16),
                self.desk.client,
                capital=self.book.value,
                started_on=self.days[1],
            )
        for number in range(1, len(self.days)):
            self.day(number)

    def day(self, number: int) -> None:
        day, chance, book = self.days[number], self.chance, self.book
        is_ex_day = self.maybe_act(number)
        for entry in [entry for entry in self.late if entry[0] <= number]:
            record(self.database, entry[1], at(day, 9))
            self.late.remove(entry)
        if not book.is_credited:
            if book.credited_after == 0:
                book.average = round(book.average * book.shown / book.shares, 4)
                book.shown = book.shares
            book.credited_after -= 1
        self.read(day, 10)
        if is_ex_day and not self.late:
            limit = book.shares * SMALLEST
            self.openings.append((self.shown_value() - book.closes[-1], limit))
        if chance.random() < 0.4:
            self.trade(day)
        added = self.move_money(day) if chance.random() < 0.2 else Decimal(0)
        if not is_ex_day:
            book.price = round(book.price * Decimal(chance.randint(970, 1030)) / 1000, 2)
        self.desk.price(at(day, 15), str(book.price))
        self.desk.firm.close(at(day, 15, 50))
        book.close(added)

    def maybe_act(self, number: int) -> bool:
        """A corporate action whose ex-date is this day, entered before it or some days late."""
        chance, book = self.chance, self.book
        factor = chance.choice(list(KINDS))
        is_fit = (book.shares * factor).denominator == 1 and book.is_credited
        is_wanted = number == SURE_DAY or chance.random() < 0.25
        if not is_wanted or not is_fit or self.late or number > len(self.days) - 5:
            return False
        day = self.days[number]
        new, old = factor.numerator, factor.denominator
        action = add_action(self.database, new, old, ex_on=day, kind=KINDS[factor])
        book.shares = int(book.shares * factor)
        book.price = round(book.price * old / new, 4)
        book.credited_after = chance.choice((0, 0, 1, 2, 3))
        self.late.append((number + chance.choice((0, 0, 0, 1, 2, 4)), action))
        return True

    def shown_value(self) -> Decimal:
        with self.database.reading() as session:
            held = portfolio.valued(portfolio.stocks_of(session, self.desk.client))
        return held.totals.value + self.book.cash

    def read(self, day: dt.date, hour: int, traded: int = 0) -> None:
        book = self.book
        self.desk.read(at(day, hour), book.shown, str(book.average), traded)

    def set_cash(self, day: dt.date, hour: int) -> None:
        cash = self.book.cash
        with self.database.transaction() as session:
            funds = Funds(cash, cash, Decimal(0))
            portfolio.set_funds(session, SYSTEM, at(day, hour), self.desk.client, funds)

    def trade(self, day: dt.date) -> None:
        """Buy, or sell what is credited."""
        book, chance = self.book, self.chance
        most = min(book.shown, book.shares) - 1
        number = chance.randint(1, 20) if chance.random() < 0.5 else -chance.randint(0, most)
        if not number or number * book.price > book.cash:
            return
        if number > 0:
            cost = book.shown * book.average + number * book.price
            book.average = round(cost / (book.shown + number), 4)
        book.shown += number
        book.shares += number
        book.cash -= number * book.price
        self.read(day, 12, number)
        self.set_cash(day, 12)

    def move_money(self, day: dt.date) -> Decimal:
        """Funds added or withdrawn, in rupees; below nought for the latter."""
        book, chance = self.book, self.chance
        amount = Decimal(chance.randint(1, 20) * 1000)
        kind = chance.choice((FlowType.FUNDS_ADDED, FlowType.FUNDS_WITHDRAWN))
        if kind is FlowType.FUNDS_WITHDRAWN and amount > book.cash:
            return Decimal(0)
        with self.database.transaction() as session:
            new = NewFlow(day, amount, kind)
            portfolio.record_cash_flow(session, SYSTEM, at(day, 13), self.desk.client, new)
        added = amount if kind is FlowType.FUNDS_ADDED else -amount
        book.cash += added
        self.set_cash(day, 13)
        return added


def at(day: dt.date, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour, minute), INDIA)


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(("settings", "seed"), HISTORIES, indirect=["settings"])
def test_values_and_returns_are_those_of_what_was_owned(database: Database, seed: int) -> None:
    play = Play(database, seed)
    play.run()

    evening = at(play.days[-1], 16)
    with database.reading() as session:
        closes = portfolio.client_closes(session, play.desk.client)
        returns = returns_of(session, play.desk.client, evening)
    assert [(day, value + net) for day, value, net in closes] == list(
        zip(play.days, play.book.closes, strict=True)
    )
    assert [opening for opening in play.openings if abs(opening[0]) > opening[1]] == []
    twr = (play.book.growth - 1) * 100
    assert returns.twr_percentage is not None
    assert round(Fraction(returns.twr_percentage), PLACES) == round(twr, PLACES)
