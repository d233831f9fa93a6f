"""One import from its RUNNING row to its end: its transactions, its thread, its progress.

Every import is a job. A large one runs in the background of the request, so nobody could send the
file again if its process died: the job has the file, and another process goes on with it.
"""

import contextlib
import datetime as dt
import json
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from tarazu.imports import service
from tarazu.imports.errors import ImportStopped, RowsRefused
from tarazu.imports.service import Order, Step, Tell, Wish
from tarazu.imports.tables import ImportState
from tarazu.kit import clock, jobs
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError, Busy, refusal_of_database
from tarazu.kit.jobs import Claim, ClaimLost, JobPayload
from tarazu.prices import service as prices

log = structlog.get_logger()

T = TypeVar("T")

KIND: Final = f"{jobs.ITEM}import"
"""The jobs of imports; their keys are the imports' ids."""

_ATTEMPTS: Final = 3
_MOST_CLAIMS: Final = 3
_FAILED: Final = "Something went wrong; nothing was imported."

_far: dict[uuid.UUID, tuple[Step, int, int]] = {}
"""Progress of the imports of this process; none can be written while one's transaction is open."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="import")
"""One large import at a time. A process that stops waits for those it has started."""


@dataclass(frozen=True, slots=True)
class Run:
    """What an import needs besides the file.

    Attributes:
        report: called with the step, how much of how much of it is done, and the state.
        claim: of the import's job; its end is written with the import's.
    """

    database: Database
    actor: Actor
    now: Callable[[], dt.datetime]
    report: Callable[[Step, int, int, ImportState], None]
    claim: Claim | None = None


def run(order: Order, by: Run) -> dict[str, Any]:
    """Check or apply a file now, and return its report.

    Raises:
        ApiError: it was not done; nothing is changed, and the import says FAILED.
    """
    return _run_claimed(order, replace(by, claim=_begin(order, by)))


def run_behind(order: Order, by: Run) -> dict[str, Any]:
    """Check or apply a file in the background, and return its progress."""
    claim = _begin(order, by, can_resume=True)
    ended = _thread.submit(_run_claimed, order, replace(by, claim=claim))
    ended.add_done_callback(lambda done: _log_outcome(done, order))
    return progress_of(by.database, order.id)


def resume(database: Database, now: dt.datetime) -> None:
    """Go on with large imports whose process ended; mark the small ones as failed."""
    while (claim := jobs.claim(database, KIND, now)) is not None:
        with jobs.heartbeat(database, claim, clock.now):
            try:
                _resume(database, claim)
            except ApiError as refusal:
                log.info("import_refused", import_id=claim.key, reason=refusal.message)
                _give_up(database, claim, now, refusal.message)


def _resume(database: Database, claim: Claim) -> None:
    with database.reading() as session:
        payload = jobs.payload_of(session, claim)
        if payload.content is None or claim.number > _MOST_CLAIMS:
            # A small one was part of a request that failed; a large one killed each process.
            raise ImportStopped
        order, actor = _order_of(session, claim, payload)
    _run(order, Run(database, actor, clock.now, lambda *_: None, claim))


def progress_of(database: Database, import_id: uuid.UUID) -> dict[str, Any]:
    """The report of an import; of one that runs in this process, with its progress right now.

    Raises:
        ImportNotFound: there is no such import.
    """
    far = _far.get(import_id)
    with database.reading() as session:
        report = service.show_import(session, import_id)
    if report["state"] != ImportState.RUNNING or far is None:
        return report
    return report | dict(zip(("step", "done", "total"), far, strict=True))


def _begin(order: Order, by: Run, *, can_resume: bool = False) -> Claim:
    def begin(session: Session) -> Claim:
        service.begin(session, by.actor, by.now(), order)
        payload = _payload(order, by.actor) if can_resume else None
        return jobs.put_claimed(session, KIND, str(order.id), by.now(), payload)

    _far[order.id] = (Step.CHECKING, 0, order.file.parsed.size)
    try:
        return _attempt(by.database, begin)
    except DBAPIError:
        _far.pop(order.id)  # the import never began; the caller gets the error
        raise


def _payload(order: Order, actor: Actor) -> JobPayload:
    about = {
        "name": order.file.name,
        "client": order.client.id if order.client else None,
        "wish": asdict(order.wish),
        "actor": asdict(actor),
    }
    # Ids become text here, and ids again in `_order_of`.
    return JobPayload(json.loads(json.dumps(about, default=str)), order.file.content)


def _order_of(session: Session, claim: Claim, payload: JobPayload) -> tuple[Order, Actor]:
    """The import that was requested, and by whom.

    Raises:
        ApiError: the client is gone, or inactive, meanwhile.
    """
    about, actor = payload.about, payload.about["actor"]
    ids = {name: actor[name] and uuid.UUID(actor[name]) for name in ("account_id", "session_id")}
    client_id = uuid.UUID(about["client"]) if about["client"] else None
    file = service.read_file(payload.content or b"", about["name"])
    order = service.order_import(session, file, client_id, Wish(**about["wish"]))
    return replace(order, id=uuid.UUID(claim.key)), Actor(**{**actor, **ids})


def _run_claimed(order: Order, by: Run) -> dict[str, Any]:
    assert by.claim is not None  # noqa: S101 - set by `run` and `run_behind`
    with jobs.heartbeat(by.database, by.claim, by.now):
        return _run(order, by)


def _log_outcome(ended: Future[dict[str, Any]], order: Order) -> None:
    """Log why a background import failed; its report says so, too."""
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
        report = service.check(session, order, clock.today(), tell)
    _end(by, order.id, ImportState.CHECKED, report)
    return ImportState.CHECKED


def _apply(order: Order, by: Run, tell: Tell) -> ImportState:
    # The matching takes longest and needs no lock, so it is done before the writing begins.
    with by.database.reading() as session:
        resolved = service.resolve(session, order, clock.today(), tell)
        service.refuse_rows(session, order, resolved)

    def write(session: Session) -> None:
        report = service.apply(session, by.actor, by.now(), order, resolved, tell)
        _write_end(session, by, order.id, (ImportState.APPLIED, report))

    _attempt(by.database, write)
    prices.take_filed(by.database)
    return ImportState.APPLIED


def _end(by: Run, import_id: uuid.UUID, state: ImportState, report: dict[str, Any]) -> None:
    _attempt(by.database, lambda session: _write_end(session, by, import_id, (state, report)))


def _write_end(
    session: Session, by: Run, import_id: uuid.UUID, ended: tuple[ImportState, dict[str, Any]]
) -> None:
    """Write how an import ended, and the end of its job, in the transaction of its changes."""
    service.end(session, import_id, *ended, by.now())
    if by.claim is not None:
        jobs.finish(session, by.claim, by.now())


def _give_up(database: Database, claim: Claim, now: dt.datetime, reason: str) -> None:
    """Mark an import that cannot start any more as failed."""
    # If it was refused later, its end, and that of its job, is written already.
    with contextlib.suppress(ClaimLost), database.transaction() as session:
        service.give_up(session, uuid.UUID(claim.key), reason, now)
        jobs.finish(session, claim, now)


def _attempt(database: Database, act: Callable[[Session], T]) -> T:
    """Run one transaction; try again if another writer blocked it for too long."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with database.transaction() as session:
                return act(session)
        except OperationalError as error:
            # A deadlock or a lock timeout rolled everything back, so it can be done again.
            if attempt == _ATTEMPTS or not isinstance(refusal_of_database(error), Busy):
                raise
    raise AssertionError


def _fail(order: Order, by: Run, error: Exception) -> None:
    if isinstance(error, RowsRefused):
        report = dict(error.outcome)
    else:
        report = service.failed(order, _sentence_of(error))
    try:
        _end(by, order.id, ImportState.FAILED, report)
    except (ClaimLost, DBAPIError, PoolTimeoutError, ApiError) as second:
        # The first error matters; `resume` finds the job once its lease ends.
        log.exception("import_end_lost", import_id=str(order.id), error=type(second).__name__)


def _sentence_of(error: Exception) -> str:
    refusal = error if isinstance(error, ApiError) else None
    if isinstance(error, DBAPIError | PoolTimeoutError):
        refusal = refusal_of_database(error)
    if refusal is None:
        log.error("import_fault", error=type(error).__name__, exc_info=error)
        return _FAILED
    is_ours = refusal.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return refusal.message if is_ours else f"{refusal.message}. Nothing was imported."
