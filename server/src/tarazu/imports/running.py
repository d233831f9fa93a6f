"""One import from its RUNNING row to its end: its transactions, its thread, its progress."""

import datetime as dt
import os
import secrets
import socket
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from tarazu.imports import service
from tarazu.imports.errors import RowsRefused
from tarazu.imports.service import Order, Step, Tell
from tarazu.imports.tables import ImportState
from tarazu.kit.db import Database
from tarazu.kit.errors import Busy, Refusal, refusal_of_database
from tarazu.kit.trail import Actor

log = structlog.get_logger()

T = TypeVar("T")

OWNER: Final = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(8)}"
"""The mark of this process, never borne by another: a number may be given again."""

_ATTEMPTS: Final = 3
_FAILED: Final = "Something went wrong; nothing was imported."

_far: dict[uuid.UUID, tuple[Step, int, int]] = {}
"""How far the imports of this process are; the database cannot be written while one applies."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="import")
"""One large import at a time. A process that stops waits for those it has taken on."""


@dataclass(frozen=True, slots=True)
class Run:
    """What an import needs besides the file: where, by whom, the clock, and who is told.

    Attributes:
        report: is told the step, how much of how much of it is done, and the state.
    """

    database: Database
    actor: Actor
    now: Callable[[], dt.datetime]
    report: Callable[[Step, int, int, ImportState], None]


def run(order: Order, by: Run) -> dict[str, Any]:
    """Check or apply a file, now; its report.

    Raises:
        Refusal: it was not done; nothing is changed, and the import says FAILED.
    """
    _begin(order, by)
    return _run(order, by)


def run_behind(order: Order, by: Run) -> dict[str, Any]:
    """Check or apply a file in the background; the report of how far it is."""
    _begin(order, by)
    ended = _thread.submit(_run, order, by)
    ended.add_done_callback(lambda done: _log_outcome(done, order))
    return progress_of(by.database, order.id)


def progress_of(database: Database, import_id: uuid.UUID) -> dict[str, Any]:
    """The report of an import; of one that runs in this process, how far it is this instant.

    Raises:
        ImportNotFound: there is no such import.
    """
    far = _far.get(import_id)
    with database.reading() as session:
        report = service.show_import(session, import_id)
    if report["state"] != ImportState.RUNNING or far is None:
        return report
    return report | dict(zip(("step", "done", "total"), far, strict=True))


def fail_abandoned(database: Database, now: dt.datetime) -> None:
    """Mark imports as failed whose process is gone; at the start, and now and then after it.

    At the start alone would not do: with several processes, one may die while others live.
    """
    with database.reading() as session:
        if not service.has_running(session):
            return
    with database.transaction() as session:
        for import_id in service.fail_abandoned(session, now, is_gone):
            log.warning("import_abandoned", import_id=str(import_id))


def is_gone(owner: str) -> bool:
    """Whether the process of this mark ended, as far as it can be known on this machine.

    One on another machine, or whose number some process bears again, may still be at work.
    """
    host, _, rest = owner.rpartition(":")[0].rpartition(":")
    if owner == OWNER or host != socket.gethostname() or not rest.isdigit():
        return False
    if int(rest) == os.getpid():
        return True  # our number, but not our mark: its bearer was here before us
    if os.name != "posix":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False  # somebody else's process bears the number now
    return False


def _begin(order: Order, by: Run) -> None:
    _far[order.id] = (Step.CHECKING, 0, len(order.file.parsed.rows))
    try:
        _attempt(by.database, lambda s: service.begin(s, by.actor, by.now(), order, OWNER))
    except DBAPIError:
        _far.pop(order.id)  # the import never began; the caller is told
        raise


def _log_outcome(ended: Future[dict[str, Any]], order: Order) -> None:
    """Nobody waits for the background: why it failed is kept with the import, and logged."""
    error = ended.exception()
    if error is not None:
        log.warning("import_failed", import_id=str(order.id), error=type(error).__name__)


def _run(order: Order, by: Run) -> dict[str, Any]:
    def tell(step: Step, done: int, total: int) -> None:
        _far[order.id] = (step, done, total)
        by.report(step, done, total, ImportState.RUNNING)

    state = ImportState.FAILED
    try:
        state = (_check if order.wish.is_dry_run else _apply)(order, by, tell)
    except Exception as error:
        _fail(order, by, error)
        raise
    finally:
        _far.pop(order.id, None)
        by.report(Step.DONE, 1, 1, state)
    return progress_of(by.database, order.id)


def _check(order: Order, by: Run, tell: Tell) -> ImportState:
    with by.database.reading() as session:
        report = service.check(session, order, tell)
    state = ImportState.CHECKED
    _attempt(by.database, lambda s: service.end(s, order.id, state, report, by.now()))
    return state


def _apply(order: Order, by: Run, tell: Tell) -> ImportState:
    # The matching takes longest and needs no lock, so it is done before the writing begins.
    with by.database.reading() as session:
        resolved = service.resolve(session, order, tell)
        service.refuse_rows(session, order, resolved)

    def write(session: Session) -> None:
        report = service.apply(session, by.actor, by.now(), order, resolved, tell)
        service.end(session, order.id, ImportState.APPLIED, report, by.now())

    _attempt(by.database, write)
    return ImportState.APPLIED


def _attempt(database: Database, act: Callable[[Session], T]) -> T:
    """One transaction; begun again when another writer stood in its way too long."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with database.transaction() as session:
                return act(session)
        except OperationalError as error:
            # A deadlock or a lock held too long undid all of it, so it may be done again.
            if attempt == _ATTEMPTS or not isinstance(refusal_of_database(error), Busy):
                raise
    raise AssertionError


def _fail(order: Order, by: Run, error: Exception) -> None:
    if isinstance(error, RowsRefused):
        report = dict(error.outcome)
    else:
        report = service.failed(order, _sentence_of(error))
    try:
        failed = ImportState.FAILED
        _attempt(by.database, lambda s: service.end(s, order.id, failed, report, by.now()))
    except (DBAPIError, PoolTimeoutError, Refusal) as second:
        # The first error is the one that matters; the row is found by `fail_abandoned`.
        log.exception("import_end_lost", import_id=str(order.id), error=type(second).__name__)


def _sentence_of(error: Exception) -> str:
    refusal = error if isinstance(error, Refusal) else None
    if isinstance(error, DBAPIError | PoolTimeoutError):
        refusal = refusal_of_database(error)
    if refusal is None:
        log.error("import_fault", error=type(error).__name__, exc_info=error)
        return _FAILED
    is_ours = refusal.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return refusal.message if is_ours else f"{refusal.message}. Nothing was imported."
