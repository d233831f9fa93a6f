"""Everything that the advice of clients is computed from, and a fingerprint of it.

All of a client's advice of the last year is computed together, because a trade goes to the oldest
line that takes it. Older advice takes part where its windows overlap later ones, and otherwise
stays as it was computed.

The fingerprint is of all that the sums read, so a client with the same one again needs no sums.
"""

import datetime as dt
import hashlib
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import SentRows
from tarazu.domain.calendar import business_days_later
from tarazu.domain.charges import ChargeRates
from tarazu.domain.execution.chains import Chains
from tarazu.domain.execution.shortfall import DayCharges
from tarazu.domain.execution.trading_time import last_trade_within
from tarazu.domain.execution.values import Action, Trading
from tarazu.firm import service as firm
from tarazu.follow_up import matching_queries as queries
from tarazu.follow_up.computing import ClientInput, Closes, Terms
from tarazu.follow_up.matching_queries import KnownExecution
from tarazu.follow_up.tables import AdviceResponse
from tarazu.follow_up.windows import end_of_day, last_day_over
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.orders import service as orders
from tarazu.orders.service import RecordedTrading
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices

FOLLOWED_FOR: Final = dt.timedelta(days=366)
"""How long after its sending an advice is computed again when trades or answers change."""
READ_BACK: Final = dt.timedelta(days=2 * 366)
"""How far back advice is read whose windows may overlap those of the last year."""

Followed = Mapping[uuid.UUID, Sequence[SentRows]]
"""By client, the advice that is computed, in order of time; clients without any are left out."""


@dataclass(slots=True)
class Tables:
    """What many clients have in common; keep one for one run of the job.

    Attributes:
        window_days: of advice that is computed for the first time.
        charges: of each broker by the dated table.
    """

    session: Session
    terms: Terms
    window_days: int
    charges: dict[str, DayCharges] = field(default_factory=dict)
    rates: dict[tuple[str, dt.date], ChargeRates] = field(default_factory=dict)
    _common: str = ""

    def charges_of(self, broker: str) -> DayCharges:
        """The charges of a broker; of the usual one where it is not known."""
        known = self.charges.get(broker)
        if known is None:
            known = self.charges[broker] = DayCharges(self._rates_of(broker))
        return known

    def _rates_of(self, broker: str) -> Callable[[dt.date], ChargeRates]:
        def rates_on(day: dt.date) -> ChargeRates:
            rates = self.rates.get((broker, day))
            if rates is None:
                rates, _ = advice.rates_of(self.session, broker, end_of_day(day))
                self.rates[broker, day] = rates
            return rates

        return rates_on

    @property
    def common(self) -> str:
        """What the fingerprints of all clients have in common; other rules make other figures."""
        if not self._common:
            terms = self.terms
            tables = firm.charge_versions(self.session, day_in_india(terms.now))
            dated = [(str(table.effective_on), str(table.created_at)) for table in tables]
            holidays = sorted(day.isoformat() for day in terms.holidays)
            self._common = repr((version("tarazu"), terms.tolerance, holidays, dated))
        return self._common


def tables_of(session: Session, now: dt.datetime) -> Tables:
    """What the clients of one run of the job have in common."""
    settings = firm.follow_up_settings(session)
    terms = Terms(now, firm.holidays(session), settings.tolerance)
    return Tables(session, terms, settings.window_days)


# ------------------------------------------------------------------------------------------ advice


def followed_advice(
    session: Session,
    client_ids: Collection[uuid.UUID],
    known: Mapping[uuid.UUID, KnownExecution],
    tables: Tables,
) -> dict[uuid.UUID, list[SentRows]]:
    """The advice of these clients that is computed; without clients who have none."""
    sent = advice.sent_rows(session, client_ids, tables.terms.now - READ_BACK)
    return {
        client_id: chosen
        for client_id, of_client in sent.items()
        if (chosen := _followed(of_client, known, tables))
    }


def windows_of(
    sent: Sequence[SentRows], known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> dict[uuid.UUID, dt.date]:
    """The last day of each advice."""
    return {one.id: _window_end(one, known, tables) for one in sent}


def _window_end(
    sent: SentRows, known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> dt.date:
    """The last day of an advice: as the settings were when it was first computed."""
    if sent.id in known:
        return known[sent.id].window_ends_on
    return business_days_later(
        day_in_india(sent.sent_at), tables.window_days, tables.terms.holidays
    )


def _followed(
    sent: Sequence[SentRows], known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> list[SentRows]:
    """The advice that is computed: of the last year, and what overlaps with it without a gap."""
    first, ended_at = None, None
    for place, one in enumerate(sent):
        if ended_at is None or ended_at < one.sent_at:
            first = place
        ends_at = end_of_day(_window_end(one, known, tables))
        ended_at = ends_at if ended_at is None else max(ended_at, ends_at)
        if one.sent_at >= tables.terms.now - FOLLOWED_FOR:
            return list(sent[first:])
    return []


# ----------------------------------------------------------------------------------------- trading


def trading_of(session: Session, followed: Followed) -> dict[uuid.UUID, Trading]:
    """The trades of these clients since the first of their advice that is followed."""
    recorded = orders.recorded_trading(session, _first_sent(followed))
    fills = {client_id: trading.fills() for client_id, trading in recorded.items()}
    isins = {fill.isin for of_client in fills.values() for fill in of_client}
    actions = instruments.unit_changes_of(session, (isins | _isins_of(followed)) - {""})
    return {
        client_id: Trading(fills[client_id], trading.orders, actions, trading.read_at)
        for client_id, trading in recorded.items()
    }


def _first_sent(followed: Followed) -> dict[uuid.UUID, dt.datetime]:
    return {client_id: of_client[0].sent_at for client_id, of_client in followed.items()}


def _isins_of(followed: Followed) -> set[str]:
    return {row.isin for of_client in followed.values() for one in of_client for row in one.rows}


class _Actions:
    """The corporate actions on shares by chain of ISINs: those on one share concern its chain alone."""

    __slots__ = ("_by_chain", "_chains")

    def __init__(self, actions: Sequence[Action]) -> None:
        self._chains = Chains(actions)
        self._by_chain: dict[str, list[Action]] = {}
        for action in actions:
            self._by_chain.setdefault(self._chains.of(action.isin), []).append(action)

    def on(self, sent: Sequence[SentRows]) -> list[Action]:
        """Those on the shares of this advice, by share."""
        if not self._by_chain:
            return []
        chains = {self._chains.of(row.isin) for one in sent for row in one.rows}
        return [action for chain in sorted(chains) for action in self._by_chain.get(chain, ())]


# ------------------------------------------------------------------------------------------ prices


class _ClosesText:
    """The closes of shares within windows as texts; clients of one run of the book share most."""

    __slots__ = ("_by_days", "_closes")

    def __init__(self, closes: Closes) -> None:
        self._closes = closes
        self._by_days: dict[tuple[dt.date, dt.date], dict[int, str]] = {}

    def of(self, sent: SentRows, last: dt.date) -> list[str]:
        """Of each row of an advice, from its sending to a day, that one included."""
        first = day_in_india(sent.sent_at)
        texts = self._by_days.setdefault((first, last), {})
        for row in sent.rows:
            if row.instrument_token not in texts:
                texts[row.instrument_token] = " ".join(
                    f"{day} {price}"
                    for day, price in self._closes.get(row.instrument_token, ())
                    if first <= day <= last
                )
        return [texts[row.instrument_token] for row in sent.rows]


# ------------------------------------------------------------------------------------- everything


@dataclass(frozen=True, slots=True)
class ReadInputs:
    """What the advice of some clients is computed from."""

    tables: Tables
    followed: Followed
    windows: Mapping[uuid.UUID, dt.date]
    trading: Mapping[uuid.UUID, RecordedTrading]
    actions: _Actions
    refusals: Mapping[uuid.UUID, Sequence[AdviceResponse]]
    brokers: Mapping[uuid.UUID, str]
    closes: Closes
    closes_text: _ClosesText

    def fingerprint_of(self, client_id: uuid.UUID) -> str:
        """Of all that a client's advice is computed from; of times, only what they decide."""
        sent, trading = self.followed[client_id], self.trading[client_id]
        today = day_in_india(self.tables.terms.now)
        text = repr(
            (
                self.tables.common,
                self.brokers.get(client_id, ""),
                [self._decided_of(one, trading) for one in sent],
                [(action, action.ex_on <= today) for action in self.actions.on(sent)],
                trading.orders,
            )
        )
        return hashlib.sha256(f"{text}{trading.trades}".encode()).hexdigest()[:32]

    def _decided_of(self, sent: SentRows, trading: RecordedTrading) -> tuple[object, ...]:
        """Of one advice: what was sent is sealed, so its id is enough."""
        now = self.tables.terms.now
        ends_on, read_at = self.windows[sent.id], trading.read_at
        ends_at = end_of_day(ends_on)
        return (
            sent.id.int,
            ends_on.toordinal(),
            now > ends_at,
            ends_on <= last_day_over(now),
            read_at is not None and read_at > sent.sent_at,
            read_at is not None and read_at >= last_trade_within(ends_at),
            [answer.id.int for answer in self.refusals.get(sent.id, ())],
            self.closes_text.of(sent, day_in_india(min(ends_at, max(now, sent.sent_at)))),
        )

    def client_of(self, client_id: uuid.UUID, models: Mapping[uuid.UUID, str]) -> ClientInput:
        """What the sums of a client take.

        Args:
            models: of advice; "" of the others.
        """
        sent, recorded = self.followed[client_id], self.trading[client_id]
        actions = self.actions.on(sent)
        return ClientInput(
            sent,
            self.windows,
            Trading(recorded.fills(), recorded.orders, actions, recorded.read_at),
            self.refusals,
            self.tables.charges_of(self.brokers.get(client_id, "")),
            self.closes,
            models,
        )


def read_inputs(
    session: Session,
    followed: Followed,
    known: Mapping[uuid.UUID, KnownExecution],
    tables: Tables,
) -> ReadInputs:
    """What the advice of these clients is computed from."""
    windows: dict[uuid.UUID, dt.date] = {}
    for of_client in followed.values():
        windows |= windows_of(of_client, known, tables)
    synced = portfolio.synced_accounts(session, followed)
    closes = _closes_of(session, followed, tables.terms.now)
    return ReadInputs(
        tables,
        followed,
        windows,
        orders.recorded_trading(session, _first_sent(followed)),
        _Actions(instruments.unit_changes_of(session, _isins_of(followed) - {""})),
        queries.refusals_of(session, followed),
        {client_id: account.broker for client_id, account in synced.items()},
        closes,
        _ClosesText(closes),
    )


def _closes_of(session: Session, followed: Followed, now: dt.datetime) -> Closes:
    """The closes of the advised shares since the first sending, by token."""
    if not followed:
        return {}
    since = min(of_client[0].sent_at for of_client in followed.values())
    tokens = {
        row.instrument_token
        for of_client in followed.values()
        for one in of_client
        for row in one.rows
    }
    return prices.closes_between(session, tokens, day_in_india(since), day_in_india(now))
