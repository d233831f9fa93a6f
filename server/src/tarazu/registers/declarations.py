"""Holdings and trades that staff declare, their own and those of relatives."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.own_trading import OwnTrade, Window, window_on
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import day_of
from tarazu.kit.schemas import ListParams
from tarazu.people import service as people
from tarazu.people.errors import UserNotFound
from tarazu.people.service import STAFF_ROLES
from tarazu.people.tables import Role
from tarazu.registers import queries
from tarazu.registers.errors import AlreadyClosed, NotOwnEntry, UnfitEntry
from tarazu.registers.records import add_entry, change_entry, entry_of
from tarazu.registers.rules import known_rules
from tarazu.registers.tables import DeclaredInterest, Holder, InterestKind


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a member of staff declared, with the stock it is about."""

    entry: DeclaredInterest
    staff_name: str
    stock: Listed


@dataclass(frozen=True, slots=True)
class StaffInterest:
    """What staff declared of a stock: the newest trade within the window before today, and holdings.

    `traded_on` is None without such a trade. Of whom it is stays out: the letter and the check
    name the stock alone.
    """

    isin: str
    symbol: str
    traded_on: dt.date | None
    is_held: bool


def list_declarations(
    session: Session, actor: Actor, params: ListParams, *, is_open: bool | None
) -> tuple[list[Declaration], int]:
    """One page of declarations, the newest first: all for an ADMIN, the own ones for a USER."""
    only = [] if _sees_all(actor) else [DeclaredInterest.staff_id == actor.account_id]
    entries, total = queries.page_of(session, DeclaredInterest, params, is_open=is_open, only=only)
    return _shown(session, entries), total


def add_declaration(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any], stock: Listed
) -> Declaration:
    """Declare a holding or a trade; without a `staff_id` it is the caller's own.

    Raises:
        NotOwnEntry: a USER declares for somebody else.
        UserNotFound: there is no such member of staff.
        UnfitEntry: a field does not fit.
    """
    columns = _columns(fields, stock, day_in_india(now))
    columns["staff_id"] = fields["staff_id"] or actor.account_id
    if columns["staff_id"] != actor.account_id and not _sees_all(actor):
        raise NotOwnEntry
    staff = people.staff_by_id(session, columns["staff_id"])
    if staff is None or staff.role not in STAFF_ROLES:
        raise UserNotFound
    entry = add_entry(session, actor, now, DeclaredInterest, columns, "interest_declared")
    return _shown(session, [entry])[0]


def edit_declaration(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    stock: Listed,
    version: int | None,
) -> Declaration:
    """Correct a declaration; whose it is stays.

    Raises:
        EntryNotFound, StaleVersion, NotOwnEntry: it is not there, was changed, or is of another.
        UnfitEntry: a field does not fit.
    """
    entry = _own_entry(session, actor, entry_id, version)
    columns = _columns(fields, stock, day_in_india(now))
    if entry.ended_on is not None and (
        columns["kind"] is InterestKind.TRADE or columns["dated_on"] > entry.ended_on
    ):
        raise UnfitEntry("datedOn", f"The holding ended on {day_of(entry.ended_on)}.")
    change_entry(session, actor, now, entry, columns, "declaration_edited")
    return _shown(session, [entry])[0]


def end_holding(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    ended_on: dt.date,
    version: int | None,
) -> Declaration:
    """Say when a holding ended.

    Raises:
        EntryNotFound, StaleVersion, NotOwnEntry: as for `edit_declaration`.
        AlreadyClosed: it has ended.
        UnfitEntry: it is a trade, or the day is before the holding began or in the future.
    """
    entry = _own_entry(session, actor, entry_id, version)
    if entry.kind is not InterestKind.HOLDING:
        raise UnfitEntry("endedOn", "A trade has one day: declare the sale as a trade of its own.")
    if entry.ended_on is not None:
        raise AlreadyClosed("This holding has ended already.")
    if ended_on < entry.dated_on:
        raise UnfitEntry(
            "endedOn", f"The holding is declared from {day_of(entry.dated_on)}: it ended later."
        )
    if ended_on > day_in_india(now):
        raise UnfitEntry("endedOn", "A holding cannot end in the future.")
    change_entry(session, actor, now, entry, {"ended_on": ended_on}, "holding_ended")
    return _shown(session, [entry])[0]


def interests_in(session: Session, isins: Collection[str], today: dt.date) -> list[StaffInterest]:
    """What staff declared of these stocks, by symbol; stocks without any are left out."""
    if not isins:
        return []
    days = window_on(trading_windows(session), today).days_before
    trades = queries.declared_trades(session, today - dt.timedelta(days=days))
    held = queries.declared_holdings(session, today)
    listed = instruments.by_ids(session, {row.instrument_id for row in (*trades, *held)})
    found: dict[str, StaffInterest] = {}
    for row in (*held, *trades):
        stock = listed[row.instrument_id]
        if stock.isin not in isins:
            continue
        known = found.get(stock.isin)
        is_held = row.kind is InterestKind.HOLDING or bool(known and known.is_held)
        traded_on = row.dated_on if row.kind is InterestKind.TRADE else None
        found[stock.isin] = StaffInterest(stock.isin, stock.symbol, traded_on, is_held)
    return sorted(found.values(), key=lambda interest: interest.symbol)


def declared_trades(session: Session) -> list[tuple[Declaration, OwnTrade[uuid.UUID]]]:
    """Every declared trade, oldest first, with what it is to the rules of own trading."""
    shown = _shown(session, queries.declared_trades(session))
    return [
        (
            declaration,
            OwnTrade(
                declaration.entry.id,
                declaration.stock.isin,
                declaration.entry.side,
                declaration.entry.dated_on,
            ),
        )
        for declaration in shown
        if declaration.entry.side is not None
    ]


def trading_windows(session: Session) -> list[Window]:
    """The windows in which staff do not trade what the firm advises on, by their first day."""
    return known_rules(session).windows()


def _sees_all(actor: Actor) -> bool:
    return actor.role == Role.ADMIN


def _own_entry(
    session: Session, actor: Actor, entry_id: uuid.UUID, version: int | None
) -> DeclaredInterest:
    entry = entry_of(session, DeclaredInterest, entry_id, version)
    if entry.staff_id != actor.account_id and not _sees_all(actor):
        raise NotOwnEntry
    return entry


def _columns(fields: Mapping[str, Any], stock: Listed, today: dt.date) -> dict[str, Any]:
    columns = {name: value for name, value in fields.items() if name != "staff_id"}
    columns["instrument_id"] = stock.id
    if columns["dated_on"] > today:
        raise UnfitEntry("datedOn", "This day is in the future.")
    is_trade = columns["kind"] is InterestKind.TRADE
    if is_trade and columns["side"] is None:
        raise UnfitEntry("side", "Choose whether it was bought or sold.")
    if not is_trade:
        columns["side"] = None
    if columns["holder"] is Holder.RELATIVE and not columns["relative"]:
        raise UnfitEntry("relative", "Enter which relative, such as spouse or father.")
    if columns["holder"] is Holder.SELF:
        columns["relative"] = ""
    return columns


def _shown(session: Session, entries: Sequence[DeclaredInterest]) -> list[Declaration]:
    names = people.names_of(session, {entry.staff_id for entry in entries})
    listed = instruments.by_ids(session, {entry.instrument_id for entry in entries})
    return [
        Declaration(entry, names.get(entry.staff_id, ""), listed[entry.instrument_id])
        for entry in entries
    ]
