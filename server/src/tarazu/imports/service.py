"""Imported files: read, checked against the database, applied whole or not at all.

An import uses transactions of its own: a RUNNING row and its job are written first, and the
result is written with the holdings, in one transaction. So a process may die at any point: the
holdings are the old ones or the new ones, and another process finishes what is still RUNNING.

A file takes eight steps from the route to the report:

1. `routes.import_holdings` (or `commands`) takes the file and the options.
2. `uploads.read_file` recognises the format and reads the rows.
3. `prepare_import` checks that the file fits the chosen client.
4. `running.run`, or `run_in_background` for a large file, writes the RUNNING row and the job.
5. `resolve` matches each row with a client and an instrument.
6. A dry run ends with `check`; otherwise `refuse_rows` stops an import with refused rows.
7. `apply` writes the changes and the audit row.
8. `end` stores the report in the transaction of the changes; `show_import` returns it.
"""

import datetime as dt
import json
import uuid
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.imports import applying, inferred, queries, records
from tarazu.imports.checking import Compared, Resolved, Resolver
from tarazu.imports.checking import compare as compare_with
from tarazu.imports.client_checks import codes_in, refuse_changed, refuse_unfit
from tarazu.imports.errors import ImportGivenUp, ImportNotFound, NothingToImport, RowsRefused
from tarazu.imports.matching import KnownInstruments
from tarazu.imports.records import Records
from tarazu.imports.report import report_of
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import (
    ImportOptions,
    ImportRequest,
    Step,
    StepProgress,
    UploadedFile,
)
from tarazu.instruments import service as instruments
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Present
from tarazu.teams.errors import OnlyForAllClients
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_RUNNING: Final = "The file is being imported."
_MAX_ERRORS: Final = 100


def prepare_import(
    session: Session,
    file: UploadedFile,
    client_id: uuid.UUID | None,
    options: ImportOptions,
    visible: VisibleClients = ALL_CLIENTS,
) -> ImportRequest:
    """Return the import of a file that fits the chosen client.

    Raises:
        ClientNotFound: there is no such client, or the caller may not see it.
        OnlyForAllClients: a file of many clients, from somebody who sees only some.
        ClientIsInactive, ClientNotChosen, FirmFileForOneClient, FileOfAnotherClient: the file
            does not fit.
    """
    client = None
    if client_id is None and not visible.is_all:
        raise OnlyForAllClients
    if client_id is not None:
        people.refuse_unseen(visible, client_id)
        person = people.client(session, client_id)
        client = ClientSummary(person.id, person.code, person.name, person.status)
    request = ImportRequest(new_id(), file, client, options)
    refuse_unfit(session, request, visible)
    return request


def client_id_of(session: Session, code: str) -> uuid.UUID:
    """The id of the live client with this code.

    Raises:
        ClientNotFound: there is none.
    """
    client = people.client_by_code(session, code.strip().upper())
    if client is None:
        raise ClientNotFound(f"{code[:20]} is not a client here.")
    return client.id


def begin(session: Session, actor: Actor, now: dt.datetime, request: ImportRequest) -> None:
    """Store an import as RUNNING."""
    row = {
        "id": request.id,
        "account_id": actor.account_id,
        "client_id": request.client.id if request.client else None,
        "file_name": request.file.name,
        "file_hash": request.file.hash,
        "kind": request.file.parsed.kind.value,
        "is_dry_run": request.options.is_dry_run,
        "state": ImportState.RUNNING,
        "step": Step.CHECKING.value,
        "done": 0,
        "total": request.file.parsed.size,
        "outcome": json.dumps(unchecked_report(request, _RUNNING), default=str),
        "started_at": now,
        "finished_at": None,
    }
    queries.add_import(session, row)


def resolve(
    session: Session, request: ImportRequest, today: dt.date, progress: StepProgress
) -> Resolved | Records:
    """Match every row of the file with its client and its instrument."""
    if request.client is not None:
        by_code = {request.client.code: request.client}
    else:
        by_code = {card.code: card for card in _cards_of(session, request)}
    if not request.is_of_holdings:
        return records.resolve(session, request.file.parsed, by_code, request.client, today)
    known = KnownInstruments(instruments.all_listed(session), instruments.by_former_isins(session))
    resolver = Resolver(request.file.parsed, known, by_code, request.client)
    return resolver.resolve(lambda done, total: progress(Step.CHECKING, done, total))


def _cards_of(session: Session, request: ImportRequest) -> list[ClientSummary]:
    """The live clients that the file may name."""
    if not request.is_of_holdings:
        return people.client_summaries(session, "")
    known = people.clients_by_code(session, codes_in(request.file.parsed))
    return people.summaries_of(session, list(known.values()))


def compare(session: Session, resolved: Resolved | Records) -> Compared:
    """What the matched rows would change of holdings; nothing where records are added."""
    if isinstance(resolved, Records):
        return Compared()
    return _compare(session, resolved, portfolio.present_of(session, resolved.clients))


def _compare(
    session: Session, resolved: Resolved, present: Mapping[uuid.UUID, Present]
) -> Compared:
    held = {key for account in present.values() for key in account.holdings}
    known = instruments.by_ids(session, held - resolved.known.keys())
    return compare_with(resolved, present, resolved.known | known)


def refuse_rows(session: Session, request: ImportRequest, resolved: Resolved | Records) -> None:
    """Refuse an import with refused rows, or without any row to import.

    Raises:
        RowsRefused: rows are refused, and the options do not leave them out.
        NothingToImport: nothing is left.
    """
    count = len(resolved.refused)
    if count and not request.options.leave_out_refused:
        rows = "1 row is" if count == 1 else f"{count:,} rows are"
        them = "it" if count == 1 else "them"
        errors = [
            {"field": f"line {row.line}", "message": row.reason}
            for row in islice(resolved.refused, _MAX_ERRORS)
        ]
        message = f"{rows} refused; nothing was imported. Leave {them} out or correct the file."
        report = report_of(request, resolved, compare(session, resolved))
        raise RowsRefused(message, errors, report | {"message": message})
    is_empty = resolved.is_empty if isinstance(resolved, Records) else not resolved.clients
    if is_empty:
        raise NothingToImport


def check(
    session: Session, request: ImportRequest, today: dt.date, progress: StepProgress
) -> dict[str, Any]:
    """The report of a dry run; nothing is changed."""
    resolved = resolve(session, request, today, progress)
    compared = compare(session, resolved)
    is_stopped = bool(resolved.refused) and not request.options.leave_out_refused
    if isinstance(resolved, Records):
        return report_of(request, resolved, compared) | {
            "can_apply": bool(resolved.added) and not is_stopped
        }
    repeats = queries.was_applied(session, request.file.hash, request.client_id)
    would_do = (
        bool(compared.statements) or not repeats or applying.brings_broker_id(session, request)
    )
    can_apply = bool(resolved.clients) and not is_stopped and would_do
    return report_of(request, resolved, compared) | {"can_apply": can_apply}


def apply(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    request: ImportRequest,
    resolved: Resolved | Records,
    progress: StepProgress,
) -> dict[str, Any]:
    """Write the changes of the file in the caller's transaction, and return the report.

    Args:
        resolved: rows that passed `refuse_rows`.

    Raises:
        ClientsChanged: a client of the file was deleted, or is not active any more.
        ClientIsInactive, FileOfAnotherClient: the file does not fit its client any more.
    """
    portfolio.lock_accounts(session)
    if isinstance(resolved, Records):
        cards = people.client_summaries(session, "")
        refuse_changed(resolved, {card.id for card in cards if card.status == Status.ACTIVE})
        refuse_unfit(session, request)
        return applying.add_records(session, actor, now, request, resolved)
    present = portfolio.present_of(session, resolved.clients)
    # Only live and active clients count in the totals.
    refuse_changed(resolved, {key for key, account in present.items() if account.is_counted})
    refuse_unfit(session, request)
    compared = _compare(session, resolved, present)
    parsed, ids = request.file.parsed, resolved.clients
    before = inferred.readings_before(session, parsed.kind, ids)
    if not queries.was_applied(session, request.file.hash, request.client_id):
        unchanged = [key for key in resolved.clients if key not in compared.statements]
        portfolio.renew_sync(session, now, unchanged, parsed.kind.value)
    applying.apply_holdings(session, now, compared, parsed, progress)
    inferred.record_inferred(session, now, parsed.as_on, compared.clients, before)
    applying.store_prices(session, actor, now, request, resolved)
    is_broker_stored = applying.store_broker_id(session, request)
    report = report_of(request, resolved, compared)
    if compared.statements or is_broker_stored:
        applying.record_import(session, actor, now, request, report, compared, is_broker_stored)
    return report


def end(
    session: Session,
    import_id: uuid.UUID,
    state: ImportState,
    report: Mapping[str, Any],
    now: dt.datetime,
) -> None:
    """Store the state and the report with which an import ended.

    Raises:
        ImportGivenUp: the import was stopped before.
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


def unchecked_report(request: ImportRequest, message: str) -> dict[str, Any]:
    """The report of an import whose rows are not checked yet."""
    return report_of(request, None, None) | {"message": message}


def refuse_unseen(session: Session, import_id: uuid.UUID, visible: VisibleClients) -> None:
    """Keep a caller from the report of a file with clients of other teams.

    Raises:
        ImportNotFound: the file was not of one client whom the caller sees.
    """
    row = queries.import_by_id(session, import_id)
    is_firm_wide = row is not None and row.client_id is None
    if not visible.is_all and (row is None or is_firm_wide or not visible.includes(row.client_id)):
        raise ImportNotFound


def show_import(session: Session, import_id: uuid.UUID) -> dict[str, Any]:
    """The report of an import, with its progress.

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
    """Mark a running import as failed for a reason; False if it is not running."""
    row = queries.import_by_id(session, import_id)
    if row is None or row.state != ImportState.RUNNING:
        return False
    end(session, import_id, ImportState.FAILED, json.loads(row.outcome) | {"message": reason}, now)
    return True
