"""Clients' holdings, funds and flows; the totals of the firm; what everyone is worth."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain import holdings as figures
from tarazu.domain.money import ZERO, Rupees, from_units
from tarazu.domain.returns import CashFlow as Flow
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id, part_of
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.people import service as people
from tarazu.portfolio import queries, suspected
from tarazu.portfolio.book import ValueBook, Valued
from tarazu.portfolio.errors import TransactionNotFound, UnfitAmount, UnfitDate, UnfitHolding
from tarazu.portfolio.tables import Account, CashFlow, FlowType
from tarazu.prices import service as prices
from tarazu.prices.book import Quote

MOST_VALUE = Rupees(10) ** 12
"""A single holding above a lakh crore rupees is a mistake, not a holding."""
MOST_FLOWS = 100 * MOST_VALUE
"""What the funds added, or withdrawn, of one client may add up to: the database can sum it."""
EARLIEST_DAY = dt.date(1980, 1, 1)
"""There was no stock market to speak of before."""

_ONE_DAY = dt.timedelta(days=1)


@dataclass(slots=True)
class NewHolding:
    """Whole shares owned, how many of them are pledged, and what one cost.

    `t1` and `bought_today` are owned but not delivered yet: parts of `quantity` that move by
    themselves from day to day, so that they alone make no change. `exchange` is the one on which
    the broker has the shares; empty where that is not known.
    """

    # Never changed, but not frozen: a frozen one takes four times as long to make, and a firm's
    # file has fifty thousand.

    quantity: int
    average_price: Rupees
    pledged: int = 0
    t1: int = field(default=0, compare=False)
    bought_today: int = field(default=0, compare=False)
    exchange: str = field(default="", compare=False)

    @property
    def parts(self) -> tuple[int, int, int, str]:
        """Pledged, of the last trading day, of today, and the exchange."""
        return self.pledged, self.t1, self.bought_today, self.exchange


@dataclass(frozen=True, slots=True)
class Funds:
    """A client's money at the broker."""

    net: Rupees
    available_cash: Rupees
    intraday_payin: Rupees


@dataclass(frozen=True, slots=True)
class Present:
    """What stands of a client now: holdings by instrument, and money.

    `is_counted` tells whether these are in the firm's totals, `is_by_hand` whether staff entered
    the money.
    """

    holdings: Mapping[uuid.UUID, NewHolding]
    funds: Funds
    is_counted: bool
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """All that a client holds, by instrument, and the free cash; None where it is not told."""

    holdings: Mapping[uuid.UUID, NewHolding]
    cash: Rupees | None = None

    def pays(self, present: Present) -> bool:
        """Whether it tells of other cash than there is, or takes the place of cash by hand."""
        funds = present.funds
        is_same = funds.net == funds.available_cash == self.cash and not present.is_by_hand
        return self.cash is not None and not is_same


@dataclass(frozen=True, slots=True)
class HeldStock:
    """A holding with its instrument and the newest quote; None where none was ever seen.

    With a suspected action the shares are of before it and the price of after it, or the reverse:
    the profit is not known. `is_price_stale` is untrue where there is no price.
    """

    instrument: instruments.Listed
    quantity: int
    pledged: int
    average_price: Rupees
    quote: Quote | None
    t1: int = 0
    bought_today: int = 0
    tagged_on: str = ""
    is_action_suspected: bool = False
    is_price_stale: bool = False

    @property
    def exchange(self) -> str:
        """The one that a sale must name: on which the broker has the shares, where it told."""
        return self.tagged_on or self.instrument.exchange

    @property
    def free(self) -> int:
        """Delivered and not pledged: what can be sold as it is."""
        return self.quantity - self.pledged - self.t1 - self.bought_today


@dataclass(frozen=True, slots=True)
class Change:
    """What a new set of holdings changed, by instrument."""

    added: Mapping[uuid.UUID, NewHolding]
    changed: Mapping[uuid.UUID, tuple[NewHolding, NewHolding]]
    removed: Mapping[uuid.UUID, NewHolding]

    @property
    def is_empty(self) -> bool:
        """Whether all holdings stay as they were."""
        return not (self.added or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class HandCash:
    """Cash that staff entered: what it was at the end of a day, when and by whom it was entered."""

    amount: Rupees
    as_of: dt.date
    entered_at: dt.datetime
    entered_by: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class AccountSummary:
    """A client's account as the screens need it.

    `is_valued` is false while neither holdings nor funds were ever read or entered; `hand_cash` is
    None unless staff entered the cash.
    """

    funds: Funds
    starting_capital: Rupees
    started_on: dt.date | None
    broker: str
    broker_user_id: str
    synced_at: dt.datetime | None
    holdings_source: str
    version: int
    is_valued: bool
    hand_cash: HandCash | None


@dataclass(frozen=True, slots=True)
class WholeAccount:
    """One client's money and shares.

    `held` are instrument, whole shares, pledged ones, and the exchange on which the broker has
    them, empty where it is not known.
    """

    client_id: uuid.UUID
    net: Rupees
    broker: str
    holdings_source: str
    synced_at: dt.datetime | None
    held: tuple[tuple[uuid.UUID, int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """Of a holding: shares that are pledged, and those bought but not delivered yet."""

    pledged: int
    undelivered: int


@dataclass(frozen=True, slots=True)
class SyncedAccount:
    """Which broker a client uses, and when holdings last came in, from wherever."""

    broker: str
    synced_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class NewFlow:
    """Funds that a client added or withdrew on a day; the amount is above zero."""

    date: dt.date
    amount: Rupees
    type: FlowType


@dataclass(frozen=True, slots=True)
class Transaction:
    """A cash flow as it stands under Accounting."""

    id: uuid.UUID
    date: dt.date
    amount: Rupees
    type: FlowType
    version: int


@dataclass(frozen=True, slots=True)
class StockSum:
    """What all active clients hold of one instrument."""

    instrument_id: uuid.UUID
    quantity: int
    invested: Rupees


@dataclass(slots=True)
class _Sum:
    quantity: int = 0
    spent: Rupees = ZERO

    def add(self, quantity: int, price: Rupees) -> None:
        self.quantity += quantity
        self.spent += quantity * price


def open_accounts(session: Session, now: dt.datetime, client_ids: Sequence[uuid.UUID]) -> None:
    """Give new clients an empty account that counts in the firm's totals."""
    revision = queries.next_revision(session, now)
    session.add_all(
        Account(
            client_id=client_id,
            is_counted=True,
            net=ZERO,
            available_cash=ZERO,
            intraday_payin=ZERO,
            starting_capital=ZERO,
            started_on=None,
            funds_added=ZERO,
            funds_withdrawn=ZERO,
            broker="",
            broker_user_id="",
            synced_at=None,
            holdings_source="",
            hand_cash=None,
            hand_cash_on=None,
            hand_cash_at=None,
            hand_cash_by=None,
            revision=revision,
            version=1,
        )
        for client_id in client_ids
    )
    queries.add_to_firm_total(session, len(client_ids), ZERO)
    session.flush()


def count_in_totals(
    session: Session, now: dt.datetime, client_id: uuid.UUID, *, counted: bool
) -> None:
    """Take a client into the firm's totals, or out of them."""
    await_turn(session)
    account = _account(session, client_id)
    if account.is_counted == counted:
        return
    sign = 1 if counted else -1
    account.is_counted = counted
    account.revision = queries.next_revision(session, now)
    queries.add_to_firm_total(session, sign, sign * account.net)
    held = queries.holdings_of(session, client_id)
    sums = {h.instrument_id: (sign * h.quantity, sign * h.quantity * h.average_price) for h in held}
    queries.add_to_stock_totals(session, sums)
    session.flush()


def await_turn(session: Session) -> None:
    """Keep others from changing any account until this transaction ends.

    Whoever compares with what is there and then writes calls it before the comparison.
    """
    queries.await_turn(session)


def change_between(
    old: Mapping[uuid.UUID, NewHolding], new: Mapping[uuid.UUID, NewHolding]
) -> Change:
    """What changes when `new` takes the place of `old`."""
    if not old:
        return Change(new, {}, {})
    both = old.keys() & new.keys()
    return Change(
        {key: new[key] for key in new if key not in old},
        {key: (old[key], new[key]) for key in both if old[key] != new[key]},
        {key: old[key] for key in old if key not in new},
    )


def replace_holdings(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    new: Mapping[uuid.UUID, NewHolding],
    source: str,
) -> Change:
    """Make `new`, by instrument, all that a client holds, and keep the totals up.

    The time of the sync is renewed even when nothing else changes.

    Raises:
        UnfitHolding: a quantity, price or pledge that cannot be.
    """
    for holding in new.values():
        _refuse_unfit(holding)
    await_turn(session)
    account = _account(session, client_id)
    old = _held_by(session, [client_id]).get(client_id, {})
    change = change_between(old, new)
    if account.synced_at is None and change.is_empty:
        # Nothing is held, and now that is known: the value is zero and no longer missing.
        account.revision = queries.next_revision(session, now)
    account.synced_at = now
    account.holdings_source = source
    if not change.is_empty or any(old[key].parts != new[key].parts for key in old):
        queries.delete_holdings_of(session, [client_id])
        queries.add_holdings(session, {client_id: new})
    if not change.is_empty:
        account.revision = queries.next_revision(session, now)
        if account.is_counted:
            queries.add_to_stock_totals(session, _sums_of([change]))
        suspected.note_shares(session, now, {client_id: change.changed})
        counts = {
            "source": source,
            "added": len(change.added),
            "changed": len(change.changed),
            "removed": len(change.removed),
        }
        audit_log.record(session, actor, now, "holdings_replaced", ("client", client_id), counts)
    session.flush()
    return change


def present_of(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Present]:
    """What stands of these clients; those without an account are left out."""
    held = _held_by(session, client_ids)
    return {
        client_id: Present(held.get(client_id, {}), Funds(*funds), is_counted, is_by_hand)
        for client_id, is_counted, is_by_hand, *funds in queries.funds_of(session, client_ids)
    }


def take_statements(
    session: Session,
    now: dt.datetime,
    new: Mapping[uuid.UUID, Statement],
    source: str,
    present: Mapping[uuid.UUID, Present] | None = None,
) -> dict[uuid.UUID, Change]:
    """Replace the holdings of many clients at once, and their cash where it is told.

    The totals are kept up; accounts that stay as they were are not touched. The trail is the
    caller's, who knows what the statements were.

    Args:
        present: what stands of these clients, if the caller has read it in its turn.

    Raises:
        UnfitHolding: a quantity, price or pledge that cannot be; nothing is written.
        NotThere: a client has no account.
    """
    for statement in new.values():
        for holding in statement.holdings.values():
            _refuse_unfit(holding)
    await_turn(session)
    old = present_of(session, new) if present is None else present
    if not new.keys() <= old.keys():
        raise NotThere("Client not found")
    changes = {key: change_between(old[key].holdings, new[key].holdings) for key in new}
    moved = [key for key in new if not changes[key].is_empty]
    paid = {
        key: one.cash for key, one in new.items() if one.cash is not None and one.pays(old[key])
    }
    if moved or paid:
        revision = queries.next_revision(session, now)
        queries.renew_sync(session, {*moved, *paid}, now, source, revision)
        queries.delete_holdings_of(session, [key for key in moved if old[key].holdings])
        queries.add_holdings(
            session, {key: _with_exchanges(new[key].holdings, old[key].holdings) for key in moved}
        )
        suspected.note_shares(session, now, {key: changes[key].changed for key in moved})
        counted = [changes[key] for key in moved if old[key].is_counted]
        queries.add_to_stock_totals(session, _sums_of(counted))
        added = [cash - old[key].funds.net for key, cash in paid.items() if old[key].is_counted]
        if added:
            queries.add_to_firm_total(session, 0, sum(added, ZERO))
        queries.set_cash(session, paid)
    return changes


def _with_exchanges(
    new: Mapping[uuid.UUID, NewHolding], old: Mapping[uuid.UUID, NewHolding]
) -> dict[uuid.UUID, NewHolding]:
    """Holdings that a file tells, each on the exchange that a broker told before."""
    return {
        key: replace(holding, exchange=old[key].exchange)
        if key in old and old[key].exchange and not holding.exchange
        else holding
        for key, holding in new.items()
    }


def renew_sync(
    session: Session, now: dt.datetime, client_ids: Collection[uuid.UUID], source: str
) -> None:
    """Record that what these clients hold was just confirmed by `source`."""
    # Nothing was known of some; that they hold nothing is a change of what they are worth.
    first = queries.never_synced(session, client_ids)
    if first:
        queries.renew_sync(session, first, now, source, queries.next_revision(session, now))
    queries.renew_sync(session, set(client_ids) - first, now, source)


def set_funds(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, funds: Funds
) -> bool:
    """Record a client's money at the broker; whether it differed from what was known.

    It takes the place of cash that staff entered.
    """
    await_turn(session)
    account = _account(session, client_id)
    before, was_by_hand = _funds_of(account), account.hand_cash is not None
    account.hand_cash = account.hand_cash_on = account.hand_cash_at = account.hand_cash_by = None
    if before == funds and not was_by_hand:
        return False
    _put_funds(session, account, funds, now)
    changes = {"net": [before.net, funds.net]}
    audit_log.record(session, actor, now, "funds_set", ("client", client_id), changes)
    return before != funds


def enter_cash(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    amount: Rupees,
    as_of: dt.date,
    version: int | None = None,
) -> None:
    """Record the cash that a client had at the end of a day, as staff know it.

    From then it moves with the cash flows of later days, until a broker or a file tells the cash.

    Raises:
        NotThere: the client has no account.
        StaleVersion: the account is no longer at `version`.
        UnfitDate: the day lies ahead, or too far back.
        UnfitAmount: below zero, or beyond what a client can have.
    """
    await_turn(session)
    account = _account(session, client_id)
    _refuse_stale(account, version)
    if not EARLIEST_DAY <= as_of <= day_in_india(now):
        raise UnfitDate
    if not 0 <= amount <= MOST_VALUE:
        raise UnfitAmount
    changes = {
        "cash": [account.net if account.is_valued else None, amount],
        "asOf": [account.hand_cash_on, as_of],
    }
    account.hand_cash, account.hand_cash_on = amount, as_of
    account.hand_cash_at, account.hand_cash_by = now, actor.account_id
    account.version += 1
    _move_hand_cash(session, account, now)
    audit_log.record(session, actor, now, "cash_entered", ("client", client_id), changes)


def set_start(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    *,
    capital: Rupees,
    started_on: dt.date | None,
    version: int | None = None,
) -> None:
    """Record what a client began with, and when; flows before that day stop counting.

    Raises:
        StaleVersion: the account is no longer at `version`.
    """
    await_turn(session)
    account = _account(session, client_id)
    _refuse_stale(account, version)
    changes = {
        "startingCapital": [account.starting_capital, capital],
        "startedFrom": [account.started_on, started_on],
    }
    account.starting_capital = capital
    account.started_on = started_on
    account.version += 1
    _keep_flow_sums(session, account)
    audit_log.record(session, actor, now, "start_set", ("client", client_id), changes)


def set_broker(session: Session, client_id: uuid.UUID, broker: str, broker_user_id: str) -> None:
    """Record which broker a client uses and under which id there."""
    account = _account(session, client_id)
    account.broker = broker
    account.broker_user_id = broker_user_id
    session.flush()


def clients_of_broker_user(session: Session, broker_user_id: str) -> set[uuid.UUID]:
    """The clients who have this id at a broker; capitals do not matter."""
    return set(queries.clients_of_broker_user(session, broker_user_id))


def record_cash_flow(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewFlow
) -> Transaction:
    """Record funds added or withdrawn.

    Raises:
        NotThere: the client has no account.
        UnfitDate: the day lies ahead, or too far back.
        UnfitAmount: zero, below it, or beyond what can be added up.
    """
    await_turn(session)
    _account(session, client_id)
    _refuse_unfit_flow(new, now)
    row = CashFlow(
        id=new_id(),
        client_id=client_id,
        date=new.date,
        amount=new.amount,
        type=new.type,
        created_at=now,
        version=1,
    )
    session.add(row)
    _follow_flows(session, client_id, now)
    changes = {"clientId": client_id, **_told(row)}
    audit_log.record(session, actor, now, "cash_flow_recorded", ("transaction", row.id), changes)
    return _transaction(row)


def change_cash_flow(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    new: NewFlow,
    version: int | None,
) -> Transaction:
    """Correct a flow, named by its client and its own id.

    Raises:
        TransactionNotFound: the client has no such flow.
        StaleVersion: the flow is no longer at `version`.
        UnfitDate, UnfitAmount: as when a flow is recorded.
    """
    await_turn(session)
    row = _flow(session, *place)
    _refuse_stale(row, version)
    _refuse_unfit_flow(new, now)
    before = _told(row)
    row.date, row.amount, row.type = new.date, new.amount, new.type
    after = _told(row)
    changes = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if changes:
        row.version += 1
        _follow_flows(session, row.client_id, now)
        audit_log.record(session, actor, now, "cash_flow_changed", ("transaction", row.id), changes)
    return _transaction(row)


def delete_cash_flow(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    version: int | None,
) -> None:
    """Take a flow, named by its client and its own id, out of every list and sum.

    Raises:
        TransactionNotFound: the client has no such flow.
        StaleVersion: the flow is no longer at `version`.
    """
    await_turn(session)
    row = _flow(session, *place)
    _refuse_stale(row, version)
    row.deleted_at, row.deleted_by = now, actor.account_id
    row.version += 1
    _follow_flows(session, row.client_id, now)
    audit_log.record(session, actor, now, "cash_flow_deleted", ("transaction", row.id), _told(row))


def restore_cash_flow(
    session: Session, actor: Actor, now: dt.datetime, flow_id: uuid.UUID
) -> Transaction:
    """Take the deletion of a flow back; one that is not deleted stays as it is.

    Raises:
        TransactionNotFound: there is no such flow.
        ClientNotFound: its client is deleted.
    """
    await_turn(session)
    row = queries.cash_flow(session, flow_id)
    if row is None:
        raise TransactionNotFound
    people.client(session, row.client_id)
    if row.deleted_at is not None:
        row.deleted_at = row.deleted_by = None
        row.version += 1
        _follow_flows(session, row.client_id, now)
        told = _told(row)
        audit_log.record(session, actor, now, "cash_flow_restored", ("transaction", row.id), told)
    return _transaction(row)


def cash_flows_of(session: Session, client_id: uuid.UUID) -> list[Transaction]:
    """A client's flows, newest first."""
    return [Transaction(*row) for row in queries.cash_flows_of(session, client_id)]


def signed_flows_of(session: Session, client_id: uuid.UUID) -> list[Flow]:
    """Funds added (below zero) and withdrawn (above), as the client sees them; newest first."""
    return [
        Flow(day, amount if kind is FlowType.FUNDS_WITHDRAWN else -amount)
        for _, day, amount, kind, _ in queries.cash_flows_of(session, client_id)
    ]


def signed_flows_of_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[Flow]]:
    """As `signed_flows_of`, by client; those without a flow are left out."""
    found: dict[uuid.UUID, list[Flow]] = {}
    for client_id, day, amount, kind in queries.flows_of_all(session, client_ids):
        signed = amount if kind is FlowType.FUNDS_WITHDRAWN else -amount
        found.setdefault(client_id, []).append(Flow(day, signed))
    return found


def standing_of(session: Session, client_id: uuid.UUID) -> AccountSummary:
    """A client's account."""
    account = _account(session, client_id)
    return AccountSummary(
        _funds_of(account),
        account.starting_capital,
        account.started_on,
        account.broker,
        account.broker_user_id,
        account.synced_at,
        account.holdings_source,
        account.version,
        account.is_valued,
        _hand_cash_of(account),
    )


def suspect_actions(
    session: Session, at: dt.datetime, instrument_ids: Collection[uuid.UUID]
) -> None:
    """Doubt the holdings of these, whose new price of `at` moved as in a split."""
    suspected.note_prices(session, at, instrument_ids)


def suspected_holdings(session: Session) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By client, the instruments whose holding is doubted at the newest prices."""
    marked = {row.instrument_id for row in queries.suspected_marks(session)}
    if not marked:
        return {}
    listed = instruments.by_ids(session, marked)
    quotes = prices.last_prices(session, [one.instrument_token for one in listed.values()])
    by_id = {key: quotes.get(one.instrument_token) for key, one in listed.items()}
    return suspected.suspected_holdings(session, by_id)


def stocks_of(
    session: Session, client_id: uuid.UUID, now: dt.datetime | None = None
) -> list[HeldStock]:
    """All that a client holds, by symbol, with the newest quotes read at one instant.

    Args:
        now: by which a price counts as stale; without it none does.
    """
    held = queries.held_by(session, client_id)
    listed = instruments.by_ids(session, [row[0] for row in held])
    quotes = prices.last_prices(session, [one.instrument_token for one in listed.values()])
    by_id = {key: quotes.get(one.instrument_token) for key, one in listed.items()}
    doubted = suspected.suspected_of(session, client_id, by_id)
    is_stale = prices.staleness_at(session, now) if now else None
    stocks = []
    for instrument_id, quantity, pledged, average, t1, bought_today, tagged_on in held:
        quote = by_id[instrument_id]
        stocks.append(
            HeldStock(
                listed[instrument_id],
                quantity,
                pledged,
                average,
                quote,
                t1,
                bought_today,
                tagged_on,
                is_action_suspected=instrument_id in doubted,
                is_price_stale=quote is not None and is_stale is not None and is_stale(quote),
            )
        )
    return sorted(stocks, key=lambda stock: stock.instrument.symbol)


def holders_at_work(session: Session, client_ids: Collection[uuid.UUID]) -> list[WholeAccount]:
    """What a rebalance of many needs of each of these clients; those without an account left out."""
    held: dict[uuid.UUID, list[tuple[uuid.UUID, int, int, str]]] = {}
    for row in queries.whole_holdings_of(session, client_ids):
        held.setdefault(row[0], []).append((row[1], row[2], row[4], row[7]))
    return [
        WholeAccount(
            account.client_id,
            account.net,
            account.broker,
            account.holdings_source,
            account.synced_at,
            tuple(held.get(account.client_id, ())),
        )
        for account in queries.accounts_of(session, client_ids)
    ]


def tied_up(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, Parts]]:
    """By client and instrument, the holdings of which some shares cannot be sold as they are."""
    found: dict[uuid.UUID, dict[uuid.UUID, Parts]] = {}
    for row in queries.whole_holdings_of(session, client_ids):
        undelivered = row[5] + row[6]
        if row[4] or undelivered:
            found.setdefault(row[0], {})[row[1]] = Parts(row[4], undelivered)
    return found


def valued(stocks: Sequence[HeldStock]) -> figures.ValuedHoldings:
    """The figures of these holdings, in their order, at the quotes they carry."""
    return figures.value_holdings(
        [
            figures.Held(
                stock.quantity,
                stock.average_price,
                stock.quote.price if stock.quote else None,
                is_doubted=stock.is_action_suspected,
            )
            for stock in stocks
        ]
    )


def client_values(session: Session) -> Valued:
    """What every client is worth at the newest prices."""
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.values(prices.book_of(session))


def oldest_prices(
    session: Session, client_ids: Iterable[uuid.UUID]
) -> Mapping[uuid.UUID, dt.datetime]:
    """When the oldest of the prices was made of the shares that each of these clients holds.

    Shares that were never priced do not count; clients without any priced share are left out.
    """
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.oldest_prices(prices.book_of(session), client_ids)


def with_older_prices(session: Session, than: dt.datetime) -> Set[uuid.UUID]:
    """Clients who hold a share whose price was made before an instant.

    The same set, and not only an equal one, as long as it is the same clients.
    """
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.with_older_prices(prices.book_of(session), than)


def stock_sums(session: Session) -> list[StockSum]:
    """What all active clients together hold, from the kept totals."""
    return [StockSum(*row) for row in queries.stock_totals(session)]


def firm_worth(session: Session) -> Rupees:
    """What the shares of all active clients are worth at the newest prices."""
    rows = queries.stock_totals_by_token(session)
    units = prices.book_of(session).units(row.token for row in rows)
    return sum((worth_of(row.quantity, row.invested, units.get(row.token)) for row in rows), ZERO)


def worth_of(quantity: int, invested: Rupees, units: int | None) -> Rupees:
    """Shares at a price in units; what they cost where none was ever told, as for each client."""
    return from_units(quantity * units) if units else invested


def held_instruments(session: Session) -> set[uuid.UUID]:
    """Instruments that any active client holds."""
    return queries.held_instruments(session)


def synced_accounts(session: Session) -> dict[uuid.UUID, SyncedAccount]:
    """Of every client, the broker and when holdings last came in."""
    return {row[0]: SyncedAccount(*row[1:]) for row in queries.synced_accounts(session)}


def net_flows_after(session: Session, days: Mapping[uuid.UUID, dt.date]) -> dict[uuid.UUID, Rupees]:
    """By client, funds added less funds withdrawn after a day of each client's own."""
    sums: dict[uuid.UUID, Rupees] = {}
    if not days:
        return sums
    for client_id, date, amount, kind in queries.flows_after(session, min(days.values())):
        if client_id in days and date > days[client_id]:
            signed = amount if kind == FlowType.FUNDS_ADDED else -amount
            sums[client_id] = sums.get(client_id, ZERO) + signed
    return sums


def follow_new_tokens(session: Session, former: Mapping[uuid.UUID, int]) -> None:
    """Value what holders of these instruments have by their new tokens; known prices go along.

    Args:
        session: in which the instruments have their new tokens.
        former: the tokens before, by instrument.
    """
    if former:
        await_turn(session)
        tokens = instruments.tokens(session)
        prices.take_over(session, {old: tokens[key] for key, old in former.items()})
        queries.renew_holders(session, former.keys(), queries.next_revision(session))


def revision(session: Session) -> int:
    """How often anything of any account changed; the same number means the same books."""
    return int(queries.firm_total(session).revision)


def firm_counts(session: Session) -> tuple[int, Rupees]:
    """How many active clients there are, and their net cash, from the kept totals."""
    total = queries.firm_total(session)
    return total.clients, total.net


def firm_closes(
    session: Session, since: dt.date | None = None, until: dt.date | None = None
) -> list[tuple[dt.date, Rupees]]:
    """The firm's value at each daily close, newest first."""
    return [(row.date, row.value) for row in queries.firm_closes(session, since, until)]


def client_closes(
    session: Session, client_id: uuid.UUID, since: dt.date | None = None
) -> list[tuple[dt.date, Rupees, Rupees]]:
    """Day, holdings value and net of each of a client's closes, oldest first."""
    return [tuple(row) for row in queries.client_closes_of(session, client_id, since)]


def record_closes(
    session: Session,
    clients: Sequence[tuple[uuid.UUID, dt.date, Rupees, Rupees]],
    firm: Sequence[tuple[dt.date, Rupees, int]],
) -> None:
    """Write daily closes: client, day, holdings value, net; and day, value, clients."""
    names = ("client_id", "date", "holdings_value", "net")
    queries.add_closes(
        session,
        [dict(zip(names, row, strict=True)) for row in clients],
        [dict(zip(("date", "value", "clients"), row, strict=True)) for row in firm],
    )


def found_installation(session: Session) -> None:
    """Make the row of totals; once, on an empty database."""
    queries.make_total(session)


def _account(session: Session, client_id: uuid.UUID) -> Account:
    account = queries.account_of(session, client_id)
    if account is None:
        raise NotThere("Client not found")
    return account


def _funds_of(account: Account) -> Funds:
    return Funds(account.net, account.available_cash, account.intraday_payin)


def _hand_cash_of(account: Account) -> HandCash | None:
    amount, on, at = account.hand_cash, account.hand_cash_on, account.hand_cash_at
    if amount is None or on is None or at is None:
        return None
    return HandCash(amount, on, at, account.hand_cash_by)


def _put_funds(session: Session, account: Account, funds: Funds, now: dt.datetime) -> None:
    before = account.net
    account.net = funds.net
    account.available_cash = funds.available_cash
    account.intraday_payin = funds.intraday_payin
    account.revision = queries.next_revision(session, now)
    if account.is_counted:
        queries.add_to_firm_total(session, 0, funds.net - before)
    session.flush()


def _held_by(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, NewHolding]]:
    held: dict[uuid.UUID, dict[uuid.UUID, NewHolding]] = {}
    for client_id, instrument_id, *parts in queries.whole_holdings_of(session, client_ids):
        held.setdefault(client_id, {})[instrument_id] = NewHolding(*parts)
    return held


def _flow(session: Session, client_id: uuid.UUID, flow_id: uuid.UUID) -> CashFlow:
    row = queries.cash_flow(session, flow_id)
    if row is None or row.client_id != client_id or row.deleted_at is not None:
        raise TransactionNotFound
    return row


def _transaction(row: CashFlow) -> Transaction:
    return Transaction(row.id, row.date, row.amount, row.type, row.version)


def _told(row: CashFlow) -> dict[str, object]:
    return {"date": row.date, "amount": row.amount, "type": row.type}


def _refuse_stale(row: Account | CashFlow, version: int | None) -> None:
    if version is not None and version != row.version:
        raise StaleVersion


def _refuse_unfit_flow(new: NewFlow, now: dt.datetime) -> None:
    if not EARLIEST_DAY <= new.date <= day_in_india(now):
        raise UnfitDate
    if not 0 < new.amount <= MOST_VALUE:
        raise UnfitAmount


def _refuse_unfit(holding: NewHolding) -> None:
    quantity, price = holding.quantity, holding.average_price
    pledged, t1, today = holding.pledged, holding.t1, holding.bought_today
    price_is_fit = price.is_finite() and price >= ZERO
    parts_are_fit = pledged >= 0 and t1 >= 0 and today >= 0
    if quantity <= 0 or not price_is_fit or not parts_are_fit or pledged + t1 + today > quantity:
        raise UnfitHolding
    if quantity * price > MOST_VALUE:
        raise UnfitHolding("A single holding cannot be worth more than ₹1,00,000 crore.")


def _sums_of(changes: Iterable[Change]) -> dict[uuid.UUID, tuple[int, Decimal]]:
    """By instrument, how many shares more all these are, and how much more they cost."""
    sums: defaultdict[uuid.UUID, _Sum] = defaultdict(_Sum)
    for change in changes:
        for key, holding in change.added.items():
            sums[key].add(holding.quantity, holding.average_price)
        for key, holding in change.removed.items():
            sums[key].add(-holding.quantity, holding.average_price)
        for key, (old, new) in change.changed.items():
            sums[key].add(-old.quantity, old.average_price)
            sums[key].add(new.quantity, new.average_price)
    return {key: (one.quantity, one.spent) for key, one in sums.items()}


def _follow_flows(session: Session, client_id: uuid.UUID, now: dt.datetime) -> None:
    """Have the sums of a client's flows, and cash by hand, follow a change of the flows."""
    session.flush()
    account = _account(session, client_id)
    _keep_flow_sums(session, account)
    _move_hand_cash(session, account, now)


def _move_hand_cash(session: Session, account: Account, now: dt.datetime) -> None:
    """Make the cash what was entered by hand, and the flows of later days; if it was entered."""
    if account.hand_cash is None or account.hand_cash_on is None:
        return
    added, withdrawn = queries.flow_sums(
        session, account.client_id, account.hand_cash_on + _ONE_DAY
    )
    cash = account.hand_cash + added - withdrawn
    _put_funds(session, account, Funds(cash, cash, ZERO), now)


def _keep_flow_sums(session: Session, account: Account) -> None:
    added, withdrawn = queries.flow_sums(session, account.client_id, account.started_on)
    if max(added, withdrawn) > MOST_FLOWS:
        raise UnfitAmount
    account.funds_added = added
    account.funds_withdrawn = withdrawn
    account.revision = queries.next_revision(session)
    session.flush()


def _catch_up(session: Session, book: ValueBook) -> None:
    newest = queries.firm_total(session).revision
    # A reader on an older snapshot must not turn the book back.
    if newest <= book.revision:
        return
    changed = queries.accounts_after(session, book.revision)
    ids = None if book.revision < 0 else [account.client_id for account in changed]
    held = queries.holdings_of_all(session, ids)
    book.take(changed, held, instruments.tokens(session), people.client_numbers(session, ids))
    book.revision = newest
