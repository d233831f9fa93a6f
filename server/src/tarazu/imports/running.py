"""Runs one import as a job: its transactions, its thread, its progress.

A large import runs in the background. Its job has the file, so that another process can finish
it if its process dies.
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

from tarazu.imports import service, uploads
from tarazu.imports.errors import ImportStopped, RowsRefused
from tarazu.imports.readers.grids import OF_TRADEBOOKS
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import ImportOptions, ImportRequest, Step, StepProgress
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

_progress: dict[uuid.UUID, tuple[Step, int, int]] = {}
"""Progress of the imports of this process; an open transaction cannot write it."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="import")
"""One large import at a time. A process that stops waits for the imports it has started."""


@dataclass(frozen=True, slots=True)
class ImportContext:
    """What an import needs besides the file.

    Attributes:
        report: called with the step, what is done of it, its total, and the state.
    """

    database: Database
    actor: Actor
    now: Callable[[], dt.datetime]
    report: Callable[[Step, int, int, ImportState], None]


def run(request: ImportRequest, context: ImportContext) -> dict[str, Any]:
    """Check or apply a file now, and return its report.

    Raises:
        ApiError: the import failed, and nothing is changed.
    """
    return _run_claimed(request, context, _begin(request, context))


def run_in_background(request: ImportRequest, context: ImportContext) -> dict[str, Any]:
    """Check or apply a file in the background, and return its progress."""
    claim = _begin(request, context, can_resume=True)
    future = _thread.submit(_run_claimed, request, context, claim)
    future.add_done_callback(lambda ended: _log_outcome(ended, request))
    return progress_of(context.database, request.id)


def resume(database: Database, now: dt.datetime) -> None:
    """Finish large imports whose process died; mark small ones as failed."""
    while (claim := jobs.claim(database, KIND, now)) is not None:
        with jobs.heartbeat(database, claim, clock.now):
            try:
                _resume(database, claim)
            except ApiError as refusal:
                log.info("import_refused", import_id=claim.key, reason=refusal.message)
                _mark_failed(database, claim, now, refusal.message)


def _resume(database: Database, claim: Claim) -> None:
    with database.reading() as session:
        payload = jobs.payload_of(session, claim)
        if payload.content is None or claim.number > _MOST_CLAIMS:
            # A small import ended with its request; this large one killed each process so far.
            raise ImportStopped
        request, actor = _request_of(session, claim, payload)
    _run(request, ImportContext(database, actor, clock.now, lambda *_: None), claim)


def progress_of(database: Database, import_id: uuid.UUID) -> dict[str, Any]:
    """The report of an import, with its current progress if it runs in this process.

    Raises:
        ImportNotFound: there is no such import.
    """
    progress = _progress.get(import_id)
    with database.reading() as session:
        report = service.show_import(session, import_id)
    if report["state"] != ImportState.RUNNING or progress is None:
        return report
    return report | dict(zip(("step", "done", "total"), progress, strict=True))


def _begin(request: ImportRequest, context: ImportContext, *, can_resume: bool = False) -> Claim:
    def write(session: Session) -> Claim:
        service.begin(session, context.actor, context.now(), request)
        payload = _payload(request, context.actor) if can_resume else None
        return jobs.put_claimed(session, KIND, str(request.id), context.now(), payload)

    _progress[request.id] = (Step.CHECKING, 0, request.file.parsed.size)
    try:
        return _with_retries(context.database, write)
    except DBAPIError:
        _progress.pop(request.id)  # the import was not stored; the caller gets the error
        raise


def _payload(request: ImportRequest, actor: Actor) -> JobPayload:
    about = {
        "name": request.file.name,
        "client": request.client.id if request.client else None,
        "options": asdict(request.options),
        "actor": asdict(actor),
    }
    # Ids become text here, and ids again in `_request_of`.
    return JobPayload(json.loads(json.dumps(about, default=str)), request.file.content)


def _request_of(session: Session, claim: Claim, payload: JobPayload) -> tuple[ImportRequest, Actor]:
    """The requested import, and the person who requested it.

    Raises:
        ApiError: the client was deleted, or is inactive now.
    """
    about, actor = payload.about, payload.about["actor"]
    ids = {name: actor[name] and uuid.UUID(actor[name]) for name in ("account_id", "session_id")}
    client_id = uuid.UUID(about["client"]) if about["client"] else None
    # It was within the limit of its call when it came.
    file = uploads.read_file(payload.content or b"", about["name"], OF_TRADEBOOKS)
    request = service.prepare_import(session, file, client_id, ImportOptions(**about["options"]))
    return replace(request, id=uuid.UUID(claim.key)), Actor(**{**actor, **ids})


def _run_claimed(request: ImportRequest, context: ImportContext, claim: Claim) -> dict[str, Any]:
    with jobs.heartbeat(context.database, claim, context.now):
        return _run(request, context, claim)


def _log_outcome(ended: Future[dict[str, Any]], request: ImportRequest) -> None:
    """Log why a background import failed."""
    error = ended.exception()
    if error is not None:
        log.warning("import_failed", import_id=str(request.id), error=type(error).__name__)


def _run(request: ImportRequest, context: ImportContext, claim: Claim) -> dict[str, Any]:
    def report_progress(step: Step, done: int, total: int) -> None:
        _progress[request.id] = (step, done, total)
        context.report(step, done, total, ImportState.RUNNING)

    state = ImportState.FAILED
    try:
        act = _check if request.options.is_dry_run else _apply
        state = act(request, context, claim, report_progress)
    except Exception as error:
        if isinstance(error, RowsRefused):
            report = dict(error.outcome)
        else:
            report = service.unchecked_report(request, _sentence_of(error))
        try:
            _end(context, claim, ImportState.FAILED, report)
        except (ClaimLost, DBAPIError, PoolTimeoutError, ApiError) as second:
            # The first error is raised; `resume` finds the job when its lease ends.
            log.exception("import_end_lost", import_id=str(request.id), error=type(second).__name__)
        raise
    finally:
        _progress.pop(request.id, None)
        context.report(Step.DONE, 1, 1, state)
    return progress_of(context.database, request.id)


def _check(
    request: ImportRequest, context: ImportContext, claim: Claim, progress: StepProgress
) -> ImportState:
    with context.database.reading() as session:
        report = service.check(session, request, clock.today(), progress)
    _end(context, claim, ImportState.CHECKED, report)
    return ImportState.CHECKED


def _apply(
    request: ImportRequest, context: ImportContext, claim: Claim, progress: StepProgress
) -> ImportState:
    # Matching takes longest and needs no lock, so it is done before the write transaction.
    with context.database.reading() as session:
        resolved = service.resolve(session, request, clock.today(), progress)
        service.refuse_rows(session, request, resolved)

    def write(session: Session) -> None:
        report = service.apply(session, context.actor, context.now(), request, resolved, progress)
        _write_end(session, context, claim, (ImportState.APPLIED, report))

    _with_retries(context.database, write)
    prices.take_filed(context.database)
    return ImportState.APPLIED


def _end(context: ImportContext, claim: Claim, state: ImportState, report: dict[str, Any]) -> None:
    _with_retries(
        context.database, lambda session: _write_end(session, context, claim, (state, report))
    )


def _write_end(
    session: Session,
    context: ImportContext,
    claim: Claim,
    result: tuple[ImportState, dict[str, Any]],
) -> None:
    """Write the result of an import, and the end of its job, in the transaction of its changes."""
    service.end(session, uuid.UUID(claim.key), *result, context.now())
    jobs.finish(session, claim, context.now())


def _mark_failed(database: Database, claim: Claim, now: dt.datetime, reason: str) -> None:
    """Mark an import that cannot be resumed as failed."""
    # ClaimLost: the import and its job have ended already.
    with contextlib.suppress(ClaimLost), database.transaction() as session:
        service.give_up(session, uuid.UUID(claim.key), reason, now)
        jobs.finish(session, claim, now)


def _with_retries(database: Database, act: Callable[[Session], T]) -> T:
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


def _sentence_of(error: Exception) -> str:
    refusal = error if isinstance(error, ApiError) else None
    if isinstance(error, DBAPIError | PoolTimeoutError):
        refusal = refusal_of_database(error)
    if refusal is None:
        log.error("import_fault", error=type(error).__name__, exc_info=error)
        return _FAILED
    is_request_error = refusal.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return refusal.message if is_request_error else f"{refusal.message}. Nothing was imported."
