"""Imported files: read, checked against the database, applied whole or not at all.

An import uses transactions of its own: a RUNNING row and its job are written first, and how it
ended is written with the holdings, in one transaction. So a process may die at any point: the
holdings are the old ones or the new ones, and another process ends what is still RUNNING.
"""

import datetime as dt
import hashlib
import json
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.imports import queries, records
from tarazu.imports.adapters import reading
from tarazu.imports.adapters.parsed import (
    HOLDINGS,
    FileKind,
    FileWarning,
    ParsedFile,
    UnknownFile,
)
from tarazu.imports.checking import (
    ChangeKind,
    ClientChange,
    Compared,
    HoldingChange,
    Resolved,
    Resolver,
)
from tarazu.imports.checking import compare as compare_with
from tarazu.imports.errors import (
    ClientIsInactive,
    ClientNotChosen,
    ClientsChanged,
    FileOfAnotherClient,
    FileTooLarge,
    FirmFileForOneClient,
    ImportGivenUp,
    ImportNotFound,
    NothingToImport,
    RowsRefused,
    UnreadableFile,
)
from tarazu.imports.matching import KnownInstruments
from tarazu.imports.records import Records
from tarazu.imports.tables import ImportState
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Present
from tarazu.prices import service as prices

LARGEST_FILE: Final = 5 * 1024 * 1024
MANY_ROWS: Final = 5_000
"""A file of more rows is imported in the background."""
MOST_SHOWN: Final = 2_000
_RUNNING: Final = "The file is being imported."
_LONGEST_NAME: Final = 80
_CLIENTS_AT_ONCE: Final = 500
_ERRORS_NAMED: Final = 100
_KIND_NAMES: Final = {
    FileKind.KITE_HOLDINGS_CSV: "Kite holdings (CSV)",
    FileKind.CONSOLE_HOLDINGS_XLSX: "Zerodha Console holdings (XLSX)",
    FileKind.ANGEL_HOLDINGS: "Angel One holdings",
    FileKind.FIRM_CSV: "Firm-wide holdings (CSV)",
    FileKind.CLIENTS: "Clients",
    FileKind.FUNDS: "Funds in and out",
    FileKind.CONSOLE_LEDGER: "Zerodha Console ledger",
    FileKind.CONSOLE_TRADEBOOK: "Zerodha Console tradebook",
}
_BROKERS: Final = {
    FileKind.KITE_HOLDINGS_CSV: "ZERODHA",
    FileKind.CONSOLE_HOLDINGS_XLSX: "ZERODHA",
    FileKind.ANGEL_HOLDINGS: "ANGEL_ONE",
}


class Step(StrEnum):
    READING = "Reading"
    CHECKING = "Checking"
    APPLYING = "Applying"
    DONE = "Done"


Tell = Callable[[Step, int, int], None]
"""Is told the step, and how much of how much of it is done."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted with a file."""

    is_dry_run: bool
    leave_out_refused: bool


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that was read, under a name that can be shown."""

    parsed: ParsedFile
    name: str
    hash: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """One import: `client` is None for a firm-wide file."""

    id: uuid.UUID
    file: GivenFile
    client: ClientSummary | None
    wish: Wish

    @property
    def is_large(self) -> bool:
        """Whether it is too long to wait for."""
        return self.file.parsed.size > MANY_ROWS

    @property
    def is_of_holdings(self) -> bool:
        """Whether it says all that a client holds, rather than adding records."""
        return self.file.parsed.kind in HOLDINGS


# ---------------------------------------------------------------------------- before it begins


def read_file(content: bytes, file_name: str) -> GivenFile:
    """Read a file of any known kind.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is none, with the reason.
    """
    if len(content) > LARGEST_FILE:
        raise FileTooLarge
    name = shown_name(file_name)
    try:
        parsed = reading.read_file(content, name)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return GivenFile(parsed, name, hashlib.sha256(content).hexdigest(), content)


def shown_name(file_name: str) -> str:
    """A file's name as it can be shown: no folders, no control characters, not too long."""
    last = PurePosixPath(file_name.replace("\\", "/")).name
    plain = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C").strip()
    if len(plain) > _LONGEST_NAME:
        ending = PurePosixPath(plain).suffix[:10]
        plain = f"{plain[: _LONGEST_NAME - len(ending) - 1]}…{ending}"
    return plain or "file"


def order_import(
    session: Session, file: GivenFile, client_id: uuid.UUID | None, wish: Wish
) -> Order:
    """An import that may begin: the file as a whole fits the client it is given for.

    Raises:
        ClientNotFound: there is no such client.
        ClientIsInactive, ClientNotChosen, FirmFileForOneClient, FileOfAnotherClient: as named.
    """
    client = None
    if client_id is not None:
        found = people.client(session, client_id)
        client = ClientSummary(found.id, found.code, found.name, found.status)
    order = Order(new_id(), file, client, wish)
    _refuse_unfit(session, order)
    return order


def client_id_of(session: Session, code: str) -> uuid.UUID:
    """The id of the live client with this code.

    Raises:
        ClientNotFound: there is none.
    """
    client = people.client_by_code(session, code.strip().upper())
    if client is None:
        raise ClientNotFound(f"{code[:20]} is not a client here.")
    return client.id


def begin(session: Session, actor: Actor, now: dt.datetime, order: Order) -> None:
    """Record that an import runs."""
    row = {
        "id": order.id,
        "account_id": actor.account_id,
        "client_id": order.client.id if order.client else None,
        "file_name": order.file.name,
        "file_hash": order.file.hash,
        "kind": order.file.parsed.kind.value,
        "is_dry_run": order.wish.is_dry_run,
        "state": ImportState.RUNNING,
        "step": Step.CHECKING.value,
        "done": 0,
        "total": order.file.parsed.size,
        "outcome": json.dumps(_report(order, None, None) | _said(_RUNNING), default=str),
        "started_at": now,
        "finished_at": None,
    }
    queries.add_import(session, row)


# ------------------------------------------------------------------------------ while it runs


def resolve(session: Session, order: Order, today: dt.date, tell: Tell) -> Resolved | Records:
    """Match every row of the file with what it is about: a client, an instrument."""
    if order.client is not None:
        by_code = {order.client.code: order.client}
    else:
        by_code = {card.code: card for card in _cards_of(session, order)}
    if not order.is_of_holdings:
        return records.resolve(session, order.file.parsed, by_code, order.client, today)
    known = KnownInstruments(instruments.all_listed(session))
    resolver = Resolver(order.file.parsed, known, by_code, order.client)
    return resolver.resolve(lambda done, total: tell(Step.CHECKING, done, total))


def _cards_of(session: Session, order: Order) -> list[ClientSummary]:
    """The live clients of whom the file may speak."""
    if not order.is_of_holdings:
        return people.client_cards(session, "")
    known = people.clients_by_code(session, _codes_in(order.file.parsed))
    return people.cards_of(session, list(known.values()))


def _codes_in(parsed: ParsedFile) -> set[str]:
    codes = {row.client_code for row in parsed.rows} | {row.client_code for row in parsed.cash}
    return {code for code in codes if code is not None}


def compare(session: Session, resolved: Resolved | Records) -> Compared:
    """What the matched rows would change of holdings; nothing where records are added."""
    if isinstance(resolved, Records):
        return Compared()
    return _compare(session, resolved, portfolio.present_of(session, resolved.clients))


def _compare(
    session: Session, resolved: Resolved, present: Mapping[uuid.UUID, Present]
) -> Compared:
    held = {key for one in present.values() for key in one.holdings}
    known = instruments.by_ids(session, held - resolved.known.keys())
    return compare_with(resolved, present, resolved.known | known)


def refuse_rows(session: Session, order: Order, resolved: Resolved | Records) -> None:
    """Stop an import that must not be applied.

    Raises:
        RowsRefused: rows are refused, and may not be left out.
        NothingToImport: nothing is left.
    """
    count = len(resolved.refused)
    if count and not order.wish.leave_out_refused:
        rows = "1 row is" if count == 1 else f"{count:,} rows are"
        them = "it" if count == 1 else "them"
        errors = [
            {"field": f"line {row.line}", "message": row.reason}
            for row in islice(resolved.refused, _ERRORS_NAMED)
        ]
        message = f"{rows} refused; nothing was imported. Leave {them} out, or mend the file."
        report = _report(order, resolved, compare(session, resolved))
        raise RowsRefused(message, errors, report | _said(message))
    is_empty = resolved.is_empty if isinstance(resolved, Records) else not resolved.clients
    if is_empty:
        raise NothingToImport


def check(session: Session, order: Order, today: dt.date, tell: Tell) -> dict[str, Any]:
    """The report of a dry run; nothing is changed."""
    resolved = resolve(session, order, today, tell)
    compared = compare(session, resolved)
    is_stopped = bool(resolved.refused) and not order.wish.leave_out_refused
    if isinstance(resolved, Records):
        return _report(order, resolved, compared) | {
            "can_apply": bool(resolved.added) and not is_stopped
        }
    repeats = queries.was_applied(session, order.file.hash, _client_id(order))
    would_do = bool(compared.statements) or not repeats or _takes_broker(session, order)
    can_apply = bool(resolved.clients) and not is_stopped and would_do
    return _report(order, resolved, compared) | {"can_apply": can_apply}


def apply(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    order: Order,
    resolved: Resolved | Records,
    tell: Tell,
) -> dict[str, Any]:
    """Change what the file changes, all in the caller's transaction; the report.

    Args:
        resolved: what `refuse_rows` let pass.

    Raises:
        ClientsChanged: a client of the file is no longer one, or no longer active.
        ClientIsInactive, FileOfAnotherClient: as before it began.
    """
    portfolio.await_turn(session)
    if isinstance(resolved, Records):
        cards = people.client_cards(session, "")
        _refuse_gone(resolved, {card.id for card in cards if card.status == Status.ACTIVE})
        _refuse_unfit(session, order)
        return _add_records(session, actor, now, order, resolved)
    present = portfolio.present_of(session, resolved.clients)
    # Whoever is live and active counts in the totals; nobody else does.
    _refuse_gone(resolved, {key for key, one in present.items() if one.is_counted})
    _refuse_unfit(session, order)
    compared = _compare(session, resolved, present)
    source = order.file.parsed.kind.value
    if not queries.was_applied(session, order.file.hash, _client_id(order)):
        unchanged = [key for key in resolved.clients if key not in compared.statements]
        portfolio.renew_sync(session, now, unchanged, source)
    _take(session, now, compared, source, tell)
    _keep_prices(session, actor, now, order, resolved)
    taken = _take_broker(session, order)
    report = _report(order, resolved, compared)
    if compared.statements or taken:
        _record(session, actor, now, order, report, compared, taken)
    return report


def end(
    session: Session,
    import_id: uuid.UUID,
    state: ImportState,
    report: Mapping[str, Any],
    now: dt.datetime,
) -> None:
    """Keep how an import ended.

    Raises:
        ImportGivenUp: it was given up meanwhile.
    """
    values = {
        "state": state,
        "step": Step.DONE.value,
        "done": 1,
        "total": 1,
        "outcome": json.dumps(report, default=str),
        "finished_at": now,
    }
    if not queries.end_import(session, import_id, values):
        raise ImportGivenUp


def failed(order: Order, message: str) -> dict[str, Any]:
    """The report of an import that failed before it had one."""
    return _report(order, None, None) | _said(message)


# ------------------------------------------------------------------------------------- after it


def show_import(session: Session, import_id: uuid.UUID) -> dict[str, Any]:
    """The report of an import, or how far it is.

    Raises:
        ImportNotFound: there is no such import.
    """
    row = queries.import_by_id(session, import_id)
    if row is None:
        raise ImportNotFound
    report: dict[str, Any] = json.loads(row.outcome)
    return report | {
        "id": row.id,
        "state": row.state,
        "step": row.step,
        "done": row.done,
        "total": row.total,
    }


def give_up(session: Session, import_id: uuid.UUID, reason: str, now: dt.datetime) -> bool:
    """Mark a running import as failed for a reason; False when it does not run any more."""
    row = queries.import_by_id(session, import_id)
    if row is None or row.state != ImportState.RUNNING:
        return False
    end(session, import_id, ImportState.FAILED, json.loads(row.outcome) | _said(reason), now)
    return True


# ----------------------------------------------------------------------------- the whole file


def _refuse_unfit(session: Session, order: Order) -> None:
    parsed, client = order.file.parsed, order.client
    if parsed.kind == FileKind.CLIENTS:
        if client is not None:
            raise FirmFileForOneClient("This file adds clients; import it without choosing one.")
        return
    if parsed.kind == FileKind.FUNDS:
        _refuse_mixed_funds(parsed, client)
    elif parsed.kind == FileKind.FIRM_CSV:
        if client is not None and _codes_in(parsed) - {client.code}:
            raise FirmFileForOneClient(
                f"This is a firm-wide file with rows of other clients than {client.code}; "
                "import it without choosing a client."
            )
    elif client is None:
        raise ClientNotChosen
    if client is not None:
        if client.status != Status.ACTIVE:
            raise ClientIsInactive(f"{client.code} is inactive; activate the client first.")
        _refuse_foreign(session, parsed.broker_client_id, client)


def _refuse_mixed_funds(parsed: ParsedFile, client: ClientSummary | None) -> None:
    codes = {flow.client_code for flow in parsed.flows}
    if client is None and None in codes:
        raise ClientNotChosen
    if client is not None and codes - {client.code, None}:
        raise FirmFileForOneClient(
            f"The file has funds of other clients than {client.code}; "
            "import it without choosing a client."
        )


def _refuse_foreign(session: Session, broker_client_id: str | None, client: ClientSummary) -> None:
    """Refuse a file that a broker made out to somebody else."""
    if broker_client_id is None:
        return
    known = portfolio.standing_of(session, client.id).broker_user_id
    if known and known.upper() != broker_client_id.upper():
        raise FileOfAnotherClient(
            f"The file is of {broker_client_id} at the broker, but {client.code} is {known} there."
        )
    holders = portfolio.clients_of_broker_user(session, broker_client_id) - {client.id}
    others = [card.code for card in people.client_cards(session, "") if card.id in holders]
    if others:
        raise FileOfAnotherClient(
            f"The file is of {broker_client_id} at the broker, which is {others[0]} here, "
            f"not {client.code}."
        )


def _refuse_gone(resolved: Resolved | Records, active: AbstractSet[uuid.UUID]) -> None:
    gone = [card.code for key, card in resolved.clients.items() if key not in active]
    if gone:
        raise ClientsChanged(f"{gone[0]} was changed meanwhile; import the file again.")


# ----------------------------------------------------------------------------------- the apply


def _take(session: Session, now: dt.datetime, compared: Compared, source: str, tell: Tell) -> None:
    clients = list(compared.statements)
    for start in range(0, len(clients), _CLIENTS_AT_ONCE):
        tell(Step.APPLYING, start, len(clients))
        some = {key: compared.statements[key] for key in clients[start : start + _CLIENTS_AT_ONCE]}
        portfolio.take_statements(session, now, some, source, compared.present)
    tell(Step.APPLYING, len(clients), len(clients))


def _keep_prices(
    session: Session, actor: Actor, now: dt.datetime, order: Order, resolved: Resolved
) -> None:
    """What the file itself says that its stocks last cost, as of its day, else of today."""
    found = {
        resolved.known[key].instrument_token: row.last_price
        for stocks in resolved.stocks.values()
        for key, row in stocks.items()
        if row.last_price is not None
    }
    day = order.file.parsed.as_on or clock.day_in_india(now)
    kept = prices.keep_prices_of_day(session, found, day, now)
    if kept:
        row = {
            "hash": order.file.hash,
            "name": order.file.name,
            "source": prices.PriceSource.HOLDINGS_FILE.value,
            "day": day,
            "prices": kept,
            "problem": "",
            "at": now,
            "account_id": actor.account_id,
        }
        prices.note_file(session, row)


def _add_records(
    session: Session, actor: Actor, now: dt.datetime, order: Order, found: Records
) -> dict[str, Any]:
    # Matched again under the lock: what came in meanwhile is not added a second time.
    cards = people.client_cards(session, "")
    by_code = {card.code: card for card in cards}
    today = now.astimezone(clock.INDIA).date()
    fresh = records.resolve(session, order.file.parsed, by_code, order.client, today)
    if len(fresh.refused) > len(found.refused):
        raise ClientsChanged
    touched = records.apply(session, actor, now, fresh)
    report = _report(order, fresh, Compared())
    if fresh.added:
        changes = {
            "import": order.id,
            "file": order.file.name,
            "fileHash": order.file.hash,
            "kind": order.file.parsed.kind,
            **touched,
            **{name: report["counts"][name] for name in ("added", "unchanged", "refused")},
        }
        record_of = ("client", order.client.id) if order.client else ("import", order.id)
        audit_log.record(session, actor, now, "records_imported", record_of, changes)
    return report


def _takes_broker(session: Session, order: Order) -> bool:
    """Whether the file tells an id at the broker that is not known yet."""
    if order.client is None or order.file.parsed.broker_client_id is None:
        return False
    return not portfolio.standing_of(session, order.client.id).broker_user_id


def _take_broker(session: Session, order: Order) -> bool:
    parsed = order.file.parsed
    if not _takes_broker(session, order) or order.client is None:
        return False
    broker = _BROKERS[parsed.kind]
    portfolio.set_broker(session, order.client.id, broker, parsed.broker_client_id or "")
    return True


def _record(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    order: Order,
    report: Mapping[str, Any],
    compared: Compared,
    took_broker: bool,
) -> None:
    counts = report["counts"]
    changes = {
        "import": order.id,
        "file": order.file.name,
        "fileHash": order.file.hash,
        "kind": order.file.parsed.kind,
        "clients": [one.client.code for one in compared.clients if not one.change.is_empty],
        "cash": [[one.client_id, one.before, one.after] for one in compared.cash],
        **{name: counts[name] for name in ("added", "changed", "removed", "refused")},
    }
    if took_broker:
        changes["brokerUserId"] = ["", order.file.parsed.broker_client_id]
    record_of = ("client", order.client.id) if order.client else ("import", order.id)
    audit_log.record(session, actor, now, "holdings_imported", record_of, changes)


# ---------------------------------------------------------------------------------- the report


def _report(
    order: Order, resolved: Resolved | Records | None, compared: Compared | None
) -> dict[str, Any]:
    """What is told of an import; without `resolved`, of one that has not been checked."""
    parsed = order.file.parsed
    resolved = resolved or Resolved(parsed.kind)
    added = resolved if isinstance(resolved, Records) else Records()
    compared = compared or Compared()
    counts = _counts(resolved, compared)
    warnings = [*resolved.warnings, *compared.warnings]
    return {
        "kind": parsed.kind.value,
        "kind_name": _KIND_NAMES[parsed.kind],
        "file_name": order.file.name,
        "as_on": parsed.as_on.isoformat() if parsed.as_on else None,
        "broker_client_id": parsed.broker_client_id,
        "is_dry_run": order.wish.is_dry_run,
        "message": _sentence(counts, compared, is_left_out=order.wish.leave_out_refused),
        "counts": counts,
        "rows": [row._asdict() for row in islice(_changes_first(compared.clients), MOST_SHOWN)],
        "rows_left_out": max(0, _count_rows(compared, added) - MOST_SHOWN),
        "clients": [asdict(row) for row in islice(added.newcomers, MOST_SHOWN)],
        "flows": [asdict(row) for row in islice(added.flows, MOST_SHOWN)],
        "orders": [asdict(row) for row in islice(added.orders, MOST_SHOWN)],
        "cash": [asdict(one) for one in islice(compared.cash, MOST_SHOWN)],
        "refused": [asdict(row) for row in islice(resolved.refused, MOST_SHOWN)],
        "warnings": [asdict(one) for one in _shown(warnings)],
        "left_out": list(islice(parsed.left_out, MOST_SHOWN)),
        "can_apply": False,
    }


def _said(message: str) -> dict[str, Any]:
    return {"message": message, "can_apply": False}


def _count_rows(compared: Compared, added: Records) -> int:
    """How many rows the longest list of the report would have."""
    holdings = sum(sum(one.counts().values()) for one in compared.clients)
    return max(holdings, len(added.newcomers), len(added.flows), len(added.orders))


def _counts(resolved: Resolved | Records, compared: Compared) -> dict[str, int]:
    if isinstance(resolved, Records):
        kinds = {"added": resolved.added, "unchanged": resolved.unchanged}
        clients = len(resolved.clients) or len(resolved.newcomers)
        none = {"changed": 0, "removed": 0}
        return {**none, **kinds, "refused": len(resolved.refused), "clients": clients}
    changes = dict.fromkeys(ChangeKind, 0)
    for one in compared.clients:
        for kind, count in one.counts().items():
            changes[kind] += count
    return {
        **{kind.value.lower(): count for kind, count in changes.items()},
        "refused": len(resolved.refused),
        "clients": len(resolved.clients),
    }


def _sentence(counts: Mapping[str, int], compared: Compared, *, is_left_out: bool) -> str:
    """Such as "3 added, 2 changed, 1 refused.", without what is nought."""
    names = [kind.value.lower() for kind in ChangeKind]
    told = [f"{counts[name]:,} {name}" for name in names if counts[name]]
    if compared.cash:
        clients = "1 client" if len(compared.cash) == 1 else f"{len(compared.cash):,} clients"
        told.append(f"cash of {clients} changed")
    if counts["refused"]:
        left_out = " and left out" if is_left_out else ""
        told.append(f"{counts['refused']:,} refused{left_out}")
    return f"{', '.join(told)}." if told else "The file holds nothing to import."


def _changes_first(clients: Sequence[ClientChange]) -> Iterable[HoldingChange]:
    """The rows of all clients, made as they are asked for: of a whole firm few are shown."""
    moved = (one for one in clients if not one.change.is_empty)
    for some, is_moved in ((moved, True), (clients, False)):
        for one in some:
            for row in one.rows():
                if (row.change is not ChangeKind.UNCHANGED) is is_moved:
                    yield row


def _shown(warnings: Sequence[FileWarning]) -> Iterable[FileWarning]:
    return islice(warnings, MOST_SHOWN)


def _client_id(order: Order) -> uuid.UUID | None:
    return order.client.id if order.client else None
