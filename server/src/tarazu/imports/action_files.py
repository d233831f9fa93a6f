"""Imports NSE's list of corporate actions, in one transaction.

Lines that cannot be read or told are left out and reported; the others are imported. The same list
again adds nothing, and an action that a person removed is not added again.
"""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.corporate_actions import service as corporate_actions
from tarazu.corporate_actions.service import Known, NewAction
from tarazu.domain.corporate_actions.checks import NAMES, fault_of
from tarazu.domain.corporate_actions.purposes import read_purpose, total_of_dividends
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.imports.errors import FileTooLarge, UnreadableFile
from tarazu.imports.readers.action_list import ListedAction, ParsedActions, read_actions
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile
from tarazu.imports.uploads import MAX_FILE_BYTES, shown_name
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database

MAX_SHOWN: Final = 500
MAX_REFUSED: Final = 200

_SAME_ISSUER: Final = 7
"""Characters of an ISIN for country, kind and issuer."""


class ActionChange(StrEnum):
    """What a list does with one action."""

    ADDED = "ADDED"
    UNCHANGED = "UNCHANGED"
    REMOVED = "REMOVED"
    """A person removed it before: it stays removed."""


@dataclass(frozen=True, slots=True)
class ActionLine:
    """One action of a list; `name` is None for a share that no instrument has."""

    line: int
    trading_symbol: str
    name: str | None
    isin: str
    kind: ActionKind
    ex_on: dt.date
    record_on: dt.date | None
    effect: str
    purpose: str
    change: ActionChange
    clients: int


@dataclass(frozen=True, slots=True)
class ActionReport:
    """The result of a list of actions, as `ActionImportReport` shows it.

    Attributes:
        counts: actions by change; lines by `refused`, `unknown` (shares that are not known),
            `no_action` (meetings, interest) and `other_series`.
        rows: actions that are added, then those that stay removed; shares that clients hold first.
        refused: the first `MAX_REFUSED`, unknown shares last.
    """

    file_name: str
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: Mapping[str, int]
    rows: Sequence[ActionLine]
    rows_left_out: int
    refused: Sequence[RefusedRow]


@dataclass(frozen=True, slots=True)
class UploadedActions:
    """A parsed list of actions; `name` can be shown."""

    parsed: ParsedActions
    name: str
    hash: str


@dataclass(slots=True)
class _Matched:
    """The lines of a list: what each of them says, and those that are left out."""

    actions: list[tuple[ListedAction, CorporateAction]] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    unknown: list[RefusedRow] = field(default_factory=list)
    no_action: int = 0
    known: list[tuple[ListedAction, CorporateAction, ActionChange]] = field(default_factory=list)

    def refuse(self, row: ListedAction, reason: str) -> None:
        self.refused.append(_refused(row, reason))


def read_action_file(content: bytes, file_name: str) -> UploadedActions:
    """Read a list of corporate actions.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is not such a list; the message says why.
    """
    if len(content) > MAX_FILE_BYTES:
        raise FileTooLarge
    try:
        parsed = read_actions(content)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return UploadedActions(parsed, shown_name(file_name), hashlib.sha256(content).hexdigest())


def import_actions(
    database: Database, actor: Actor, now: dt.datetime, file: UploadedActions, *, is_dry_run: bool
) -> ActionReport:
    """Check or import a list of actions; those whose ex-date has come are applied at once."""
    if is_dry_run:
        with database.reading() as session:
            return _report(session, file, _match(session, file, now), is_dry_run=True)
    with database.transaction() as session:
        corporate_actions.lock_actions(session)
        matched = _match(session, file, now)
        report = _report(session, file, matched, is_dry_run=False)
        new = [
            NewAction(action, row.symbol, row.purpose, corporate_actions.NSE_LIST)
            for row, action, change in matched.known
            if change is ActionChange.ADDED
        ]
        if new:
            changes = {"file": file.name, "fileHash": file.hash, **report.counts}
            corporate_actions.enter_listed(session, actor, now, new, changes)
    return report


# ---------------------------------------------------------------------------------------- matching


def _match(session: Session, file: UploadedActions, now: dt.datetime) -> _Matched:
    matched = _Matched(refused=list(file.parsed.refused))
    shares = _Shares(session, file.parsed.rows)
    history, today = instruments.isin_history(session), clock.day_in_india(now)
    for row in file.parsed.rows:
        isin = shares.isin_of(row, matched)
        if isin is None:
            continue
        terms = read_purpose(row.purpose)
        if terms is None:
            matched.refuse(row, "The purpose cannot be read. Enter the action by hand.")
            continue
        matched.no_action += not terms
        for part in total_of_dividends(terms):
            listed = CorporateAction(
                part.kind, isin, "", row.ex_on, part.factor, row.record_on, part.amount
            )
            action = corporate_actions.placed(listed, history)
            fault = fault_of(action, today)
            if fault is None:
                matched.actions.append((row, action))
            else:
                matched.refuse(row, fault.sentence)
    _compare(session, matched)
    return matched


class _Shares:
    """The ISINs of the shares of a list, by the instruments that are known.

    The list's own ISIN may be one that the share had long ago: its symbol goes before it, as long
    as both are of one company.
    """

    def __init__(self, session: Session, rows: Sequence[ListedAction]) -> None:
        names = {("NSE", symbol) for row in rows for symbol in _symbols_of(row)}
        self._by_symbol = instruments.isins_of(session, names)
        self._by_isin = instruments.by_isins(session, {row.isin for row in rows if row.isin})

    def isin_of(self, row: ListedAction, matched: _Matched) -> str | None:
        """The ISIN of a line's share; None, and noted, if it is not known or in doubt."""
        names = (self._by_symbol.get(("NSE", symbol)) for symbol in _symbols_of(row))
        named = next((isin for isin in names if isin), None)
        if row.isin is None or named is None:
            isin = named or row.isin
            if isin is None:
                matched.unknown.append(_refused(row, f"Unknown stock symbol: {row.symbol}."))
            return isin
        listed = self._by_isin.get(row.isin)
        if row.isin[:_SAME_ISSUER] == named[:_SAME_ISSUER] or (listed and listed.isin == named):
            return named
        matched.refuse(row, f"{row.symbol} has the ISIN {named}, not {row.isin}.")
        return None


def _symbols_of(row: ListedAction) -> list[str]:
    """How the share may be called here: with its series, where that is not EQ, or without."""
    has_series = row.series not in {"", "-", "EQ"}
    return [*([f"{row.symbol}-{row.series}"] if has_series else []), row.symbol]


def _compare(session: Session, matched: _Matched) -> None:
    """Compare with what is entered, and refuse what is in doubt."""
    groups: dict[tuple[str, str, dt.date], list[tuple[ListedAction, CorporateAction]]] = {}
    for row, action in matched.actions:
        groups.setdefault((action.isin, action.kind, action.ex_on), []).append((row, action))
    single: list[tuple[ListedAction, CorporateAction]] = []
    for group in groups.values():
        if len({(action.factor, action.amount) for _row, action in group}) == 1:
            single.append(group[0])
            continue
        lines = " and ".join(str(row.line) for row, _action in group)
        for row, action in group:
            matched.refuse(
                row,
                f"Lines {lines} differ about one {NAMES[action.kind]} of {row.symbol}. "
                "Enter it by hand.",
            )
    compared = corporate_actions.compare_actions(session, [action for _row, action in single])
    for (row, _action), result in zip(single, compared, strict=True):
        if result.known is Known.OTHER and result.stored is not None:
            effect = corporate_actions.effect_of(result.stored)
            matched.refuse(
                row,
                f"{row.symbol} has another {NAMES[result.stored.kind]} on that day: {effect}. "
                "Remove it first if the list is right.",
            )
            continue
        matched.known.append((row, result.action, _CHANGES[result.known]))


_CHANGES: Final = {
    Known.NEW: ActionChange.ADDED,
    Known.SAME: ActionChange.UNCHANGED,
    Known.REMOVED: ActionChange.REMOVED,
}


def _refused(row: ListedAction, reason: str) -> RefusedRow:
    return RefusedRow(row.line, f"{row.symbol}, {row.purpose}", reason)


# ------------------------------------------------------------------------------------------ report


def _report(
    session: Session, file: UploadedActions, matched: _Matched, *, is_dry_run: bool
) -> ActionReport:
    changes = Counter(change for _row, _action, change in matched.known)
    counts = {
        **{change.value.lower(): changes[change] for change in ActionChange},
        "refused": len(matched.refused),
        "unknown": len(matched.unknown),
        "no_action": matched.no_action,
        "other_series": file.parsed.other_series,
    }
    rows = _lines(session, matched)
    refused = [
        *sorted(matched.refused, key=lambda row: row.line),
        *sorted(matched.unknown, key=lambda row: row.line),
    ]
    return ActionReport(
        file_name=file.name,
        is_dry_run=is_dry_run,
        can_apply=bool(changes[ActionChange.ADDED]),
        message=_message(counts, "to add" if is_dry_run else "added"),
        counts=counts,
        rows=rows[:MAX_SHOWN],
        rows_left_out=max(0, len(rows) - MAX_SHOWN),
        refused=refused[:MAX_REFUSED],
    )


def _lines(session: Session, matched: _Matched) -> list[ActionLine]:
    changed = [known for known in matched.known if known[2] is not ActionChange.UNCHANGED]
    isins = {action.isin for _row, action, _change in changed}
    listed = instruments.by_isins(session, isins)
    holders = corporate_actions.holders_of(session, isins)
    lines = [
        _line(row, action, change, listed.get(action.isin), holders[action.isin])
        for row, action, change in changed
    ]
    return sorted(lines, key=lambda line: (line.change, -line.clients, line.line))


def _line(
    row: ListedAction,
    action: CorporateAction,
    change: ActionChange,
    stock: Listed | None,
    clients: int,
) -> ActionLine:
    return ActionLine(
        line=row.line,
        trading_symbol=stock.symbol if stock else row.symbol,
        name=stock.name if stock else None,
        isin=action.isin,
        kind=action.kind,
        ex_on=action.ex_on,
        record_on=action.record_on,
        effect=corporate_actions.effect_of(action),
        purpose=row.purpose,
        change=change,
        clients=clients,
    )


def _message(counts: Mapping[str, int], done: str) -> str:
    added = counts["added"]
    parts = [f"{added:,} {'action' if added == 1 else 'actions'} {done}"]
    for name, text in (
        ("unchanged", "already entered"),
        ("removed", "removed before and left out"),
        ("unknown", "of unknown stocks"),
        ("refused", "refused and left out"),
    ):
        if counts[name]:
            parts.append(f"{counts[name]:,} {text}")
    return f"{', '.join(parts)}."
