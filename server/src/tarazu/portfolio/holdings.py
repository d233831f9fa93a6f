"""Changes of clients' holdings."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import NotThere
from tarazu.portfolio import pending, queries, suspected
from tarazu.portfolio.accounts import MOST_VALUE, Funds, account_of, lock_accounts
from tarazu.portfolio.errors import UnfitHolding
from tarazu.portfolio.pending import ShownHolding, Traded


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
class Present:
    """What is recorded for a client now: holdings by instrument, and money.

    `is_counted` is true if these are in the firm's totals, `is_by_hand` if staff entered the money.
    """

    holdings: Mapping[uuid.UUID, NewHolding]
    funds: Funds
    is_counted: bool
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """All that a client holds, by instrument, and the free cash; None if it is unknown."""

    holdings: Mapping[uuid.UUID, NewHolding]
    cash: Rupees | None = None

    def pays(self, present: Present) -> bool:
        """Whether its cash differs from the recorded cash, or replaces cash entered by hand."""
        funds = present.funds
        is_same = funds.net == funds.available_cash == self.cash and not present.is_by_hand
        return self.cash is not None and not is_same


@dataclass(frozen=True, slots=True)
class HoldingsChange:
    """What a new set of holdings changed, by instrument."""

    added: Mapping[uuid.UUID, NewHolding]
    changed: Mapping[uuid.UUID, tuple[NewHolding, NewHolding]]
    removed: Mapping[uuid.UUID, NewHolding]

    @property
    def is_empty(self) -> bool:
        """Whether all holdings stay as they were."""
        return not (self.added or self.changed or self.removed)


@dataclass(slots=True)
class _Sum:
    quantity: int = 0
    spent: Rupees = ZERO

    def add(self, quantity: int, price: Rupees) -> None:
        self.quantity += quantity
        self.spent += quantity * price


def change_between(
    old: Mapping[uuid.UUID, NewHolding], new: Mapping[uuid.UUID, NewHolding]
) -> HoldingsChange:
    """What changes when `new` takes the place of `old`."""
    if not old:
        return HoldingsChange(new, {}, {})
    both = old.keys() & new.keys()
    return HoldingsChange(
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
    traded: Mapping[uuid.UUID, int] | None = None,
) -> HoldingsChange:
    """Make `new`, by instrument, all that a client holds, and keep the totals up.

    The time of the sync is renewed even when nothing else changes.

    Args:
        traded: own trades since the reading before, by instrument, bought less sold: of holdings
            that wait for the shares of a corporate action.

    Raises:
        UnfitHolding: a quantity, price or pledge that cannot be.
    """
    for holding in new.values():
        _check_holding(holding)
    lock_accounts(session)
    account = account_of(session, client_id)
    old = _holdings_by_client(session, [client_id]).get(client_id, {})
    change = change_between(old, new)
    if account.synced_at is None and change.is_empty:
        # Nothing is held, and now that is known: the value is zero and no longer missing.
        account.revision = queries.next_revision(session, now)
    first = {client_id} if account.first_synced_at is None else set[uuid.UUID]()
    account.synced_at, account.first_synced_at = now, account.first_synced_at or now
    account.holdings_source = source
    if not change.is_empty or any(old[key].parts != new[key].parts for key in old):
        queries.delete_holdings_of(session, [client_id])
        queries.add_holdings(session, {client_id: new})
    if not change.is_empty:
        account.revision = queries.next_revision(session, now)
        if account.is_counted:
            queries.add_to_stock_totals(session, _totals_of([change]))
        suspected.note_shares(session, now, {client_id: change.changed})
        counts = {
            "source": source,
            "added": len(change.added),
            "changed": len(change.changed),
            "removed": len(change.removed),
        }
        audit_log.record(session, actor, now, "holdings_replaced", ("client", client_id), counts)
    session.flush()
    shown = {client_id: _shown(change)}
    pending.take_readings(session, now, shown, {client_id: traded or {}}, first)
    return change


def present_of(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Present]:
    """What is recorded for these clients; those without an account are left out."""
    held = _holdings_by_client(session, client_ids)
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
    traded: Traded | None = None,
) -> dict[uuid.UUID, HoldingsChange]:
    """Replace the holdings of many clients at once, and their cash if it is known.

    The totals are kept up; accounts that stay as they were are not touched. The trail is the
    caller's, who knows what the statements were.

    Args:
        traded: as for `replace_holdings`, by client.
        present: what is recorded for these clients, if the caller has already read it.

    Raises:
        UnfitHolding: a quantity, price or pledge that cannot be; nothing is written.
        NotThere: a client has no account.
    """
    for statement in new.values():
        for holding in statement.holdings.values():
            _check_holding(holding)
    lock_accounts(session)
    old = present_of(session, new) if present is None else present
    if not new.keys() <= old.keys():
        raise NotThere("Client not found")
    changes = {key: change_between(old[key].holdings, new[key].holdings) for key in new}
    moved = [key for key in new if not changes[key].is_empty]
    paid = {
        key: statement.cash
        for key, statement in new.items()
        if statement.cash is not None and statement.pays(old[key])
    }
    if moved or paid:
        first = queries.never_synced(session, moved)
        revision = queries.next_revision(session, now)
        queries.renew_sync(session, {*moved, *paid}, now, source, revision)
        queries.delete_holdings_of(session, [key for key in moved if old[key].holdings])
        queries.add_holdings(
            session, {key: _with_exchanges(new[key].holdings, old[key].holdings) for key in moved}
        )
        suspected.note_shares(session, now, {key: changes[key].changed for key in moved})
        counted = [changes[key] for key in moved if old[key].is_counted]
        queries.add_to_stock_totals(session, _totals_of(counted))
        added = [cash - old[key].funds.net for key, cash in paid.items() if old[key].is_counted]
        if added:
            queries.add_to_firm_total(session, 0, sum(added, ZERO))
        queries.set_cash(session, paid)
        shown = {key: _shown(changes[key]) for key in moved}
        pending.take_readings(session, now, shown, traded or {}, first)
    return changes


def _shown(change: HoldingsChange) -> dict[uuid.UUID, tuple[ShownHolding, ShownHolding]]:
    """Shares and averages before and after, of the holdings where they differ."""
    both = {key: (_shown_of(old), _shown_of(new)) for key, (old, new) in change.changed.items()}
    return {
        **{key: (before, after) for key, (before, after) in both.items() if before != after},
        **{key: (pending.NOTHING, _shown_of(new)) for key, new in change.added.items()},
        **{key: (_shown_of(old), pending.NOTHING) for key, old in change.removed.items()},
    }


def _shown_of(holding: NewHolding) -> ShownHolding:
    return ShownHolding(holding.quantity, holding.average_price)


def _with_exchanges(
    new: Mapping[uuid.UUID, NewHolding], old: Mapping[uuid.UUID, NewHolding]
) -> dict[uuid.UUID, NewHolding]:
    """Holdings from a file, each on the exchange that a broker gave before."""
    return {
        key: replace(holding, exchange=old[key].exchange)
        if key in old and old[key].exchange and not holding.exchange
        else holding
        for key, holding in new.items()
    }


def _holdings_by_client(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, NewHolding]]:
    held: dict[uuid.UUID, dict[uuid.UUID, NewHolding]] = {}
    for client_id, instrument_id, *parts in queries.whole_holdings_of(session, client_ids):
        held.setdefault(client_id, {})[instrument_id] = NewHolding(*parts)
    return held


def _check_holding(holding: NewHolding) -> None:
    quantity, price = holding.quantity, holding.average_price
    pledged, t1, today = holding.pledged, holding.t1, holding.bought_today
    price_is_fit = price.is_finite() and price >= ZERO
    parts_are_fit = pledged >= 0 and t1 >= 0 and today >= 0
    if quantity <= 0 or not price_is_fit or not parts_are_fit or pledged + t1 + today > quantity:
        raise UnfitHolding
    if quantity * price > MOST_VALUE:
        raise UnfitHolding("A single holding cannot be worth more than ₹1,00,000 crore.")


def _totals_of(changes: Iterable[HoldingsChange]) -> dict[uuid.UUID, tuple[int, Decimal]]:
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
    return {key: (stock_sum.quantity, stock_sum.spent) for key, stock_sum in sums.items()}
