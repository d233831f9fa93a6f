"""Runs over the book: create, look, choose clients, send, cancel."""

import datetime as dt
import json
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.book_runs import queries
from tarazu.book_runs.errors import (
    CannotBeIncluded,
    ClientNotInRun,
    NothingIncluded,
    PricesTooOld,
    RunEnded,
    RunNotFound,
    RunNotInReview,
    SelectionChanged,
)
from tarazu.book_runs.preflight import SendRequest, checks_of
from tarazu.book_runs.queries import BookRunFilter, RunClientFilter
from tarazu.book_runs.records import PlanRecord, Rebuilder, RunSender, Snapshot, from_json, to_json
from tarazu.book_runs.requests import RunToSend
from tarazu.book_runs.tables import BookRun, BookRunClient, BookRunState, ClientState, Tile
from tarazu.book_runs.views import BookRunView, reasons_of, view_of
from tarazu.domain.money import Percent
from tarazu.firm import service as firm
from tarazu.firm.service import ApprovedAction
from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.errors import ModelRetired, ModelVersionNotFound, NoSubscribers
from tarazu.model_portfolios.tables import ModelStatus, Outside

JOB = f"{jobs.ITEM}book-run"
"""The kind of the jobs that compute and send runs; their keys are the runs' ids."""
ENDED = frozenset({BookRunState.DONE, BookRunState.CANCELLED, BookRunState.FAILED})


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The input of a run; None: the newest version, the firm's tolerance.

    `client_ids` are the followers that are computed; None for all.
    """

    model_id: uuid.UUID
    version_id: uuid.UUID | None
    tolerance: Percent | None
    outside: Outside
    after_id: uuid.UUID | None
    options: advice.AskedOptions | None
    client_ids: tuple[uuid.UUID, ...] | None = None


def begin(session: Session, actor: Actor, request: RunRequest, now: dt.datetime) -> BookRun:
    """Create a run and the job that computes it.

    Raises:
        ModelNotFound, ModelVersionNotFound, RunNotFound: what the request names does not exist.
        ModelRetired, NoSubscribers: nothing can be computed.
        UnfitRequest: the options are not valid.
    """
    acquire_lock(session, AdvisoryLock.BOOK_RUNS)
    model = models.model(session, request.model_id)
    if model.row.status is ModelStatus.RETIRED:
        raise ModelRetired
    if not model.subscribers:
        raise NoSubscribers
    version = model.versions[0]
    if request.version_id is not None:
        version = models.version(session, request.version_id)
        if version.row.model_id != request.model_id:
            raise ModelVersionNotFound
    client_ids = _client_ids_of(session, request)
    tolerance = request.tolerance
    options = advice.options_of(session, request.options, now)
    run = BookRun(
        id=new_id(),
        model_id=request.model_id,
        version_id=version.row.id,
        after_id=request.after_id,
        state=BookRunState.COMPUTING,
        tolerance=models.limits(session).tolerance if tolerance is None else tolerance,
        outside=request.outside,
        options=to_json(options),
        client_ids=client_ids,
        account_id=actor.account_id,
        author=actor.name,
        created_at=now,
        snapshot="",
        error="",
        rationale="",
        sending="",
        sent_by="",
        version=1,
    )
    session.add(run)
    session.flush()
    jobs.put(session, JOB, str(run.id), now)
    details = {
        "modelId": request.model_id,
        "version": version.row.number,
        "outside": request.outside,
        "band": options.band,
        "minimumTrade": options.minimum_trade,
        "freshFunds": options.allow_fresh_funds,
    }
    if client_ids:
        details["clients"] = len(json.loads(client_ids))
    audit_log.record(session, actor, now, "book_run_begun", ("book_run", run.id), details)
    return run


def _client_ids_of(session: Session, request: RunRequest) -> str:
    """The followers to compute, as JSON; "" for all. A run computed again is of the same ones."""
    before = _run(session, request.after_id).client_ids if request.after_id else ""
    if request.client_ids is None:
        return before
    return json.dumps([str(client_id) for client_id in request.client_ids])


def view(session: Session, run_id: uuid.UUID) -> BookRunView:
    """One run.

    Raises:
        RunNotFound: there is none.
    """
    return view_of(session, _run(session, run_id))


def list_runs(session: Session, filters: BookRunFilter) -> tuple[list[BookRunView], int]:
    """One page of runs, newest first, and how many there are."""
    rows, total = queries.runs(session, filters)
    return [view_of(session, run) for run in rows], total


def clients(
    session: Session, run_id: uuid.UUID, filters: RunClientFilter
) -> tuple[list[BookRunClient], int]:
    """One page of a run's clients, and how many match.

    Raises:
        RunNotFound: there is no such run.
    """
    _run(session, run_id)
    rows, total = queries.clients(session, run_id, filters)
    return list(rows), total


def client(
    session: Session, run_id: uuid.UUID, client_id: uuid.UUID
) -> tuple[BookRunClient, advice.Package | None]:
    """A client of a run, and what would be sent; None where there is no plan.

    Raises:
        RunNotFound, ClientNotInRun: there is no such run, or the client is not in it.
    """
    run = _run(session, run_id)
    row = queries.client_of(session, run_id, client_id)
    if row is None:
        raise ClientNotInRun
    if not row.worked_out:
        return row, None
    rebuilder = Rebuilder(from_json(Snapshot, run.snapshot))
    return row, rebuilder.rebalance_of(from_json(PlanRecord, row.worked_out))


def choose(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    choice: tuple[bool, str],
) -> BookRunClient:
    """Include or exclude a client, with a note why; `place` is run and client.

    Raises:
        RunNotFound, ClientNotInRun: there is no such run, or the client is not in it.
        RunNotInReview: the run was sent or cancelled before.
        CannotBeIncluded: nothing can be sent to the client.
    """
    run_id, client_id = place
    run = _run_in_review(session, run_id)
    row = queries.client_of(session, run_id, client_id, lock=True)
    if row is None:
        raise ClientNotInRun
    is_included, note = choice
    if is_included and not row.can_be_included:
        why = "; ".join(reason.message for reason in reasons_of(row))
        raise CannotBeIncluded(f"{row.name} ({row.code}) cannot be sent: {why}")
    row.is_included, row.note = is_included, note
    run.version += 1
    session.flush()
    details = {"clientId": client_id, "isIncluded": is_included, "note": note}
    audit_log.record(session, actor, now, "book_run_choice", ("book_run", run_id), details)
    return row


def choose_tile(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, Tile],
    choice: tuple[bool, str],
) -> BookRunView:
    """Include or exclude all clients of a tile that can be sent advice.

    Raises:
        RunNotFound, RunNotInReview: as for `choose`.
    """
    run_id, tile = place
    run = _run_in_review(session, run_id)
    is_included, note = choice
    changed = queries.choose_tile(session, run_id, tile, note, is_included=is_included)
    if changed:
        run.version += 1
        details = {"tile": tile, "isIncluded": is_included, "note": note, "clients": changed}
        audit_log.record(session, actor, now, "book_run_choice", ("book_run", run_id), details)
    session.flush()
    return view_of(session, run)


def send(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    run_id: uuid.UUID,
    request: SendRequest,
    *,
    has_mail_server: bool,
    approval: advice.SealedApproval | None = None,
) -> BookRunView:
    """Queue all included clients; the run's job then sends each exactly one advice.

    Raises:
        RunNotFound, RunNotInReview: there is no such run, or it was sent or cancelled before.
        PricesTooOld: the run has to be computed again.
        NothingIncluded, SelectionChanged: the sender saw another selection.
        SendBlocked: a check before the send refuses it.
        ApprovalRequired: a second administrator must approve it, and did not.
    """
    run, checks = check_run_to_send(
        session, actor, now, run_id, request, has_mail_server=has_mail_server
    )
    if approval is None:
        firm.refuse_alone(session, ApprovedAction.RUN)
    queries.queue_included(session, run_id)
    rationale = request.rationale or ""
    if request.rationale is None:
        rationale = models.version(session, run.version_id).row.rationale
    jobs.make_due(session, JOB, str(run_id), now)
    run.state = BookRunState.SENDING
    run.rationale, run.sent_by, run.sent_at = rationale, actor.name, now
    disclosures = request.holdings, request.conflicts, request.compensation
    sealed = tuple(advice.sealed_checks(checks, request.acknowledged))
    run.sending = to_json(RunSender(actor, disclosures, sealed, approval))
    run.version += 1
    session.flush()
    details: dict[str, object] = {"clients": request.clients}
    if approval:
        details["approvalId"] = approval.approval_id
    audit_log.record(session, actor, now, "book_run_sent", ("book_run", run_id), details)
    return view_of(session, run)


def check_run_to_send(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    run_id: uuid.UUID,
    request: SendRequest,
    *,
    has_mail_server: bool,
) -> tuple[BookRun, list[advice.Check]]:
    """A run that can be sent as the sender saw it, locked, and the checks before the send.

    Raises:
        RunNotFound, RunNotInReview, PricesTooOld, NothingIncluded, SelectionChanged, SendBlocked:
            as for `send`.
    """
    run = _run_in_review(session, run_id)
    refuse_old_prices(session, run, now)
    included = queries.included_sums(session, run_id).included
    if not included:
        raise NothingIncluded
    if included != request.clients:
        raise SelectionChanged(
            f"{included} {'client is' if included == 1 else 'clients are'} included, "
            f"not {request.clients}. Look again before you send."
        )
    checks = checks_of(session, actor, run, request, now, has_mail_server=has_mail_server)
    advice.refuse_blocked(checks)
    return run, checks


def cancel(session: Session, actor: Actor, now: dt.datetime, run_id: uuid.UUID) -> BookRunView:
    """Cancel a run; advice already sent stays sent.

    Raises:
        RunNotFound: there is no such run.
        RunEnded: the run has ended.
    """
    run = _run(session, run_id, lock=True)
    if run.state in ENDED:
        raise RunEnded
    stopped = queries.end_queued(session, run_id, ClientState.CANCELLED, "Cancelled.")
    run.state, run.finished_at = BookRunState.CANCELLED, now
    run.version += 1
    session.flush()
    details = {"stopped": stopped}
    audit_log.record(session, actor, now, "book_run_cancelled", ("book_run", run_id), details)
    return view_of(session, run)


def refuse_old_prices(session: Session, run: BookRun, now: dt.datetime) -> None:
    """Refuse a run whose prices were read too long ago.

    Raises:
        PricesTooOld: they are older than the firm's limit.
    """
    most = models.limits(session).price_minutes
    if run.priced_at is None or now - run.priced_at <= dt.timedelta(minutes=most):
        return
    minutes = int((now - run.priced_at).total_seconds() // 60)
    raise PricesTooOld(
        f"The prices of this run were read {minutes} minutes ago; at most {most} are allowed. "
        "Compute again."
    )


def checks_before_send(
    session: Session,
    actor: Actor,
    run_id: uuid.UUID,
    request: SendRequest,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> list[advice.Check]:
    """The checks before the send of a run; nothing is sent.

    Raises:
        RunNotFound, RunNotInReview: there is no such run, or it was sent or cancelled before.
    """
    run = _run(session, run_id)
    if run.state is not BookRunState.REVIEW:
        raise RunNotInReview
    return checks_of(session, actor, run, request, now, has_mail_server=has_mail_server)


def _run(session: Session, run_id: uuid.UUID, *, lock: bool = False) -> BookRun:
    run = queries.run_by_id(session, run_id, lock=lock)
    if run is None:
        raise RunNotFound
    return run


def _run_in_review(session: Session, run_id: uuid.UUID) -> BookRun:
    run = _run(session, run_id, lock=True)
    if run.state is not BookRunState.REVIEW:
        raise RunNotInReview
    return run
