"""Calculates the track record of a model from versions, closes and followers, and keeps it."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from tarazu.domain.calendar import (
    business_days_between,
    days_after_gaps,
    is_business_day,
    next_business_day,
    previous_business_day,
)
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.money import rounded
from tarazu.domain.returns import CashFlow
from tarazu.domain.track_record.followers import (
    Account,
    AverageDay,
    CompositeMonth,
    FollowersRecord,
    Following,
    followers_record,
)
from tarazu.domain.track_record.nav import (
    COUNTED_KINDS,
    METHOD,
    ModelNav,
    Release,
    Reset,
    ShareEvent,
    model_nav,
)
from tarazu.fees import service as fees
from tarazu.fees.tables import ClientFeeSum
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import CorporateAction as ActionRow
from tarazu.kit import table_versions
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import Model
from tarazu.model_portfolios.tables import ModelFollowing, ModelVersion
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.tables import CashFlow as FlowRow
from tarazu.portfolio.tables import CloseAdjustment
from tarazu.prices import service as prices
from tarazu.prices.tables import PriceFile

SETTLED_AT: Final = dt.time(15, 45, tzinfo=INDIA)
"""From then on the closes of a day are known."""
_MADE_FROM: Final = (
    *(ActionRow, ClientFeeSum, CloseAdjustment, FlowRow, ModelFollowing, ModelVersion, PriceFile),
)
_AT_ONCE: Final = 200
"""Accounts whose closes are in memory at once."""
_PLACES: Final = 4
"""Decimals of a value from 100."""


@dataclass(frozen=True, slots=True)
class Day:
    """The model at a close, from 100; None where it is not known."""

    date: dt.date
    value: Decimal | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Days in a row without a value, and the symbols of the shares whose closes are not known."""

    first: dt.date
    last: dt.date
    days: int
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """What is kept of a model: its value, when its versions took effect, and its followers.

    Attributes:
        average: of the followers, from 100 on the first day.
        followers: clients who follow it now, and `partial` those of them with a part of their
            money: how that part did is not known, so they are in no average.
    """

    method: int
    days: tuple[Day, ...]
    unknown: tuple[Unknown, ...]
    resets: tuple[Reset, ...]
    average: tuple[AverageDay, ...]
    months: tuple[CompositeMonth, ...]
    followers: int
    partial: int


@cache
def _form() -> TypeAdapter[KeptRecord]:
    # Built on first use, which shortens the start.
    return TypeAdapter(KeptRecord)


def to_text(record: KeptRecord) -> str:
    """The record as JSON; decimals are texts."""
    return _form().dump_json(record).decode()


def from_text(text: str) -> KeptRecord:
    """The record that `to_text` wrote."""
    return _form().validate_json(text)


def state_of(session: Session, now: dt.datetime) -> str:
    """Everything that records are made from: the same text means the same records."""
    numbers = table_versions.numbers(session)
    counts = (str(numbers.get(table.__tablename__, 0)) for table in _MADE_FROM)
    closed = portfolio.last_close_day(session)
    return f"{METHOD} {last_day(session, now)} {closed} {'.'.join(counts)}"


def last_day(session: Session, now: dt.datetime) -> dt.date:
    """The newest business day whose closes are settled."""
    day, holidays = day_in_india(now), firm.holidays(session)
    is_settled = now >= dt.datetime.combine(day, SETTLED_AT)
    if is_settled and is_business_day(day, holidays):
        return day
    return previous_business_day(day, holidays)


def record_of(session: Session, model: Model, now: dt.datetime) -> KeptRecord:
    """Calculate the record of a model up to the last settled day."""
    nav, symbols = _nav_of(session, model, last_day(session, now))
    followings = models.followings_of(session, model.row.id)
    followed = _followers_of(session, followings, nav)
    current = [row for row in followings if row.until is None]
    return KeptRecord(
        METHOD,
        tuple(Day(day.date, _shown(day.value)) for day in nav.days),
        tuple(
            Unknown(row.first, row.last, row.days, tuple(symbols[key] for key in row.missing))
            for row in nav.unvalued
        ),
        tuple(nav.resets),
        tuple(
            row._replace(equal=rounded(row.equal, _PLACES), asset=rounded(row.asset, _PLACES))
            for row in followed.days
        ),
        tuple(map(_rounded_month, followed.months)),
        len(current),
        sum(not row.is_whole for row in current),
    )


def _shown(value: Decimal | None) -> Decimal | None:
    return None if value is None else rounded(value, _PLACES)


def _rounded_month(month: CompositeMonth) -> CompositeMonth:
    spread = month.dispersion
    return month._replace(
        asset_gross=rounded(month.asset_gross, _PLACES),
        equal_gross=rounded(month.equal_gross, _PLACES),
        asset_net=rounded(month.asset_net, _PLACES),
        equal_net=rounded(month.equal_net, _PLACES),
        dispersion=None if spread is None else rounded(spread, _PLACES),
    )


def _nav_of(session: Session, model: Model, last: dt.date) -> tuple[ModelNav, dict[int, str]]:
    """The value of a model, and the symbols of the shares by which it names them."""
    holidays = firm.holidays(session)
    listed = {
        part.instrument.instrument_token: part.instrument
        for version in model.versions
        for part in version.constituents
    }
    releases = [
        Release(
            version.row.number,
            _first_close_after(version.row.created_at, holidays),
            {part.instrument.instrument_token: part.allocation for part in version.constituents},
        )
        for version in reversed(model.versions)
    ]
    tokens = {stock.isin: token for token, stock in listed.items()}
    events, symbols = _events_of(session, tokens)
    symbols |= {token: stock.symbol for token, stock in listed.items()}
    first = releases[0].due_on
    closes = prices.closes_between(session, [key for key in symbols if key > 0], first, last)
    days = business_days_between(first, last, holidays)
    by_day = {token: dict(rows) for token, rows in closes.items()}
    return model_nav(releases, days, by_day, events), symbols


def _first_close_after(at: dt.datetime, holidays: Collection[dt.date]) -> dt.date:
    """The first business day that closes after an instant."""
    known = frozenset(holidays)
    day = day_in_india(at)
    if is_business_day(day, known) and at < dt.datetime.combine(day, prices.CLOSE_AT):
        return day
    return next_business_day(day, known)


def _events_of(
    session: Session, tokens: Mapping[str, int]
) -> tuple[dict[int, list[ShareEvent]], dict[int, str]]:
    """What happened to these shares (ISINs with their tokens), and the symbols of what came of them.

    A company that came of a demerger or a merger and is not listed here has a number below nought.
    """
    actions = [
        action
        for action in instruments.corporate_actions_of(session, tokens.keys())
        if action.kind in COUNTED_KINDS
    ]
    history = instruments.isin_history(session)
    families = {name: token for isin, token in tokens.items() for name in history.family([isin])}
    # A split may name an ISIN that the brokers' lists never showed.
    for action in reversed(actions):
        if action.changes_units and action.new_isin in families:
            families.setdefault(action.isin, families[action.new_isin])
    others = instruments.by_isins(session, {action.new_isin for action in actions} - {""})
    events: dict[int, list[ShareEvent]] = {}
    symbols: dict[int, str] = {}
    for place, action in enumerate(actions, 1):
        token = families.get(action.isin)
        if token is None:
            continue
        into = None
        if action.kind in {ActionKind.DEMERGER, ActionKind.MERGER}:
            other = others.get(action.new_isin)
            into = other.instrument_token if other else -place
            symbols[into] = other.symbol if other else action.new_isin or "the new company"
        events.setdefault(token, []).append(_event_of(action, into))
    return events, symbols


def _event_of(action: CorporateAction, into: int | None) -> ShareEvent:
    is_dividend = action.kind is ActionKind.DIVIDEND
    return ShareEvent(
        action.ex_on,
        action.factor,
        action.amount if is_dividend and action.amount is not None else Decimal(0),
        into,
        action.kind is ActionKind.MERGER,
    )


def _followers_of(
    session: Session, followings: Sequence[ModelFollowing], nav: ModelNav
) -> FollowersRecord:
    if not nav.resets:
        return FollowersRecord([], [])
    since = nav.resets[0].on
    days = [day for day, _ in reversed(portfolio.firm_closes(session, since))]
    spans: dict[uuid.UUID, list[Following]] = {}
    holidays = firm.holidays(session)
    for row in followings:
        if row.is_whole:
            last = None if row.until is None else _last_close_before(row.until, holidays)
            span = Following(_first_close_after(row.since, holidays), last)
            spans.setdefault(row.client_id, []).append(span)
    return followers_record(
        _accounts(session, spans, since), days, _month_ends(days, holidays), since
    )


def _last_close_before(at: dt.datetime, holidays: Collection[dt.date]) -> dt.date:
    return previous_business_day(_first_close_after(at, holidays), frozenset(holidays))


def _month_ends(days: Sequence[dt.date], holidays: Collection[dt.date]) -> list[dt.date]:
    """The last business days of the months that these days reach into, as far as they go."""
    known = frozenset(holidays)
    return [day for day in days if next_business_day(day, known).month != day.month]


def _accounts(
    session: Session, spans: Mapping[uuid.UUID, Sequence[Following]], since: dt.date
) -> Iterator[Account]:
    """The accounts that follow or followed, a few in memory at once."""
    ids, holidays = sorted(spans), firm.holidays(session)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        flows = portfolio.signed_flows_of_all(session, some)
        paid = fees.paid_by_all(session, some)
        rows = portfolio.closes_of_clients(session, some, since)
        for client_id, group in groupby(rows, key=itemgetter(0)):
            closes = [(day, value) for _, day, value in group]
            yield Account(
                spans[client_id],
                closes,
                flows.get(client_id, []),
                [CashFlow.added(day, amount) for day, amount in paid.get(client_id, [])],
                frozenset(days_after_gaps([day for day, _ in closes], holidays)),
            )
