"""The changes of an import, all in one transaction, with their audit row."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.imports import inferred, records
from tarazu.imports.checking import Compared, Resolved
from tarazu.imports.errors import ClientsChanged
from tarazu.imports.readers.parsed import ParsedFile
from tarazu.imports.records import Records
from tarazu.imports.report import report_of
from tarazu.imports.uploads import ImportRequest, Step, StepProgress
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices

_CLIENTS_PER_BATCH: Final = 500


def apply_holdings(
    session: Session,
    now: dt.datetime,
    compared: Compared,
    parsed: ParsedFile,
    progress: StepProgress,
) -> None:
    """Replace holdings and cash, some clients at a time, so that progress can be shown."""
    source = parsed.kind.value
    traded = inferred.traded_since(session, now, parsed.as_on, compared.statements)
    clients = list(compared.statements)
    for start in range(0, len(clients), _CLIENTS_PER_BATCH):
        progress(Step.APPLYING, start, len(clients))
        batch = {
            key: compared.statements[key] for key in clients[start : start + _CLIENTS_PER_BATCH]
        }
        portfolio.take_statements(session, now, batch, source, compared.present, traded)
    progress(Step.APPLYING, len(clients), len(clients))


def store_prices(
    session: Session, actor: Actor, now: dt.datetime, request: ImportRequest, resolved: Resolved
) -> None:
    """Store the last prices of the file for its day, or for today if it has no day."""
    last_prices = {
        resolved.known[key].instrument_token: row.last_price
        for stocks in resolved.stocks.values()
        for key, row in stocks.items()
        if row.last_price is not None
    }
    day = request.file.parsed.as_on or clock.day_in_india(now)
    stored = prices.keep_prices_of_day(session, last_prices, day, now)
    if stored:
        row = {
            "hash": request.file.hash,
            "name": request.file.name,
            "source": prices.PriceSource.HOLDINGS_FILE.value,
            "day": day,
            "prices": stored,
            "problem": "",
            "at": now,
            "account_id": actor.account_id,
        }
        prices.note_file(session, row)


def add_records(
    session: Session, actor: Actor, now: dt.datetime, request: ImportRequest, resolved: Records
) -> dict[str, Any]:
    """Add the new records and their audit row; return the report."""
    # Matched again under the lock, so that records added meanwhile are not added twice.
    cards = people.client_summaries(session, "")
    by_code = {card.code: card for card in cards}
    today = now.astimezone(clock.INDIA).date()
    current = records.resolve(session, request.file.parsed, by_code, request.client, today)
    if len(current.refused) > len(resolved.refused):
        raise ClientsChanged
    touched = records.apply(session, actor, now, current)
    report = report_of(request, current, Compared())
    if current.added:
        changes = {
            "import": request.id,
            "file": request.file.name,
            "fileHash": request.file.hash,
            "kind": request.file.parsed.kind,
            **touched,
            **{name: report["counts"][name] for name in ("added", "unchanged", "refused")},
        }
        record_of = ("client", request.client.id) if request.client else ("import", request.id)
        audit_log.record(session, actor, now, "records_imported", record_of, changes)
    return report


def brings_broker_id(session: Session, request: ImportRequest) -> bool:
    """Whether the file has the client's id at the broker, and it is not stored yet."""
    if request.client is None or request.file.parsed.broker_client_id is None:
        return False
    return not portfolio.account_summary(session, request.client.id).broker_user_id


def store_broker_id(session: Session, request: ImportRequest) -> bool:
    """Store the client's id at the broker; return whether the file brought a new one."""
    parsed = request.file.parsed
    if not brings_broker_id(session, request) or request.client is None:
        return False
    broker = inferred.BROKERS[parsed.kind]
    portfolio.set_broker(session, request.client.id, broker, parsed.broker_client_id or "")
    return True


def record_import(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    request: ImportRequest,
    report: Mapping[str, Any],
    compared: Compared,
    is_broker_stored: bool,
) -> None:
    """Write the audit row of an import of holdings."""
    counts = report["counts"]
    changes = {
        "import": request.id,
        "file": request.file.name,
        "fileHash": request.file.hash,
        "kind": request.file.parsed.kind,
        "clients": [
            change.client.code for change in compared.clients if not change.change.is_empty
        ],
        "cash": [[cash.client_id, cash.before, cash.after] for cash in compared.cash],
        **{name: counts[name] for name in ("added", "changed", "removed", "refused")},
    }
    if is_broker_stored:
        changes["brokerUserId"] = ["", request.file.parsed.broker_client_id]
    record_of = ("client", request.client.id) if request.client else ("import", request.id)
    audit_log.record(session, actor, now, "holdings_imported", record_of, changes)
