"""Runs over the book as people see and steer them: begin, look, choose, send, cancel."""

import datetime as dt
import json
import uuid
from dataclasses import asdict, dataclass, replace

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.money import ZERO, Percent, Rupees, from_units
from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.locks import AdvisoryLock
from tarazu.models import queries, run_queries, service
from tarazu.models.errors import (
    CannotBeIncluded,
    ClientNotInRun,
    ModelRetired,
    ModelVersionNotFound,
    NoSubscribers,
    NothingIncluded,
    PricesTooOld,
    RunEnded,
    RunNotFound,
    RunNotInReview,
    SelectionChanged,
)
from tarazu.models.records import (
    Rebuilder,
    Worked,
    options_from,
    options_text,
    snapshot_from,
    worked_from,
)
from tarazu.models.run_queries import BookRunFilter
from tarazu.models.tables import (
    BookRun,
    BookRunClient,
    ClientState,
    ModelStatus,
    Outside,
    RunState,
    Tile,
)

JOB = f"{jobs.ITEM}book-run"
"""The kind of the jobs that compute and send runs; their keys are the runs' ids."""
ENDED = frozenset({RunState.DONE, RunState.CANCELLED, RunState.FAILED})


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run as it is asked for; None: the newest version, the firm's tolerance."""

    model_id: uuid.UUID
    version_id: uuid.UUID | None
    tolerance: Percent | None
    outside: Outside
    after_id: uuid.UUID | None
    options: advice.OptionsAsked


@dataclass(frozen=True, slots=True)
class TileSum:
    """One tile: sums in rupees of all its clients."""

    tile: Tile
    clients: int
    included: int
    can_be_sent: int
    investment: Rupees
    buys: Rupees
    sells: Rupees


@dataclass(frozen=True, slots=True)
class Totals:
    """Of the included; `clients` are all."""

    clients: int
    included: int
    buys: Rupees
    sells: Rupees
    charges: Rupees
    trades: int


@dataclass(frozen=True, slots=True)
class RunView:
    """A run with its tiles; `priced` is source, time and symbol of the prices it was made with."""

    run: BookRun
    model_name: str
    version_number: int
    rationale: str
    tiles: tuple[TileSum, ...]
    totals: Totals
    states: dict[ClientState, int]
    price_sources: tuple[str, ...]
    oldest_price_at: dt.datetime | None
    oldest_price_symbol: str | None
    good_until: dt.datetime | None
    options: advice.Options


@dataclass(frozen=True, slots=True)
class Reason:
    tile: Tile
    message: str


@dataclass(frozen=True, slots=True)
class RunClient:
    """A client of a run with all the reasons for where it stands."""

    row: BookRunClient
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Sending:
    """What a sender says, and how many included clients the sender saw.

    `rationale` is None where it was left out: the model's own is used. `acknowledged` names the
    checks that the sender said to have read.
    """

    clients: int
    rationale: str | None
    holdings: str = ""
    conflicts: str = ""
    compensation: str = ""
    acknowledged: tuple[str, ...] = ()


def begin(session: Session, actor: Actor, asked: NewRun, now: dt.datetime) -> BookRun:
    """Store a run and the job that computes it.

    Raises:
        ModelNotFound, ModelVersionNotFound, RunNotFound: what it names is not there.
        ModelRetired, NoSubscribers: nothing can be computed.
        UnfitRequest: nothing can be planned with the options.
    """
    take_turns(session, AdvisoryLock.BOOK_RUNS)
    model = service.model(session, asked.model_id)
    if model.row.status is ModelStatus.RETIRED:
        raise ModelRetired
    if not model.subscribers:
        raise NoSubscribers
    version = model.versions[0]
    if asked.version_id is not None:
        version = service.version(session, asked.version_id)
        if version.row.model_id != asked.model_id:
            raise ModelVersionNotFound
    if asked.after_id is not None:
        _run(session, asked.after_id)
    tolerance = asked.tolerance
    options = advice.options_of(session, asked.options, now)
    run = BookRun(
        id=new_id(),
        model_id=asked.model_id,
        version_id=version.row.id,
        after_id=asked.after_id,
        state=RunState.COMPUTING,
        tolerance=service.limits(session).tolerance if tolerance is None else tolerance,
        outside=asked.outside,
        options=options_text(options),
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
    told = {
        "modelId": asked.model_id,
        "version": version.row.number,
        "outside": asked.outside,
        "band": options.band,
        "minimumTrade": options.minimum_trade,
        "freshFunds": options.allow_fresh_funds,
    }
    audit_log.record(session, actor, now, "book_run_begun", ("book_run", run.id), told)
    return run


def view(session: Session, run_id: uuid.UUID) -> RunView:
    """A run as it stands.

    Raises:
        RunNotFound: there is none.
    """
    return _view(session, _run(session, run_id))


def list_runs(
    session: Session, model_id: uuid.UUID | None, skipped: int, limit: int
) -> tuple[list[RunView], int]:
    """One page of runs, newest first, and how many there are."""
    found, total = run_queries.runs(session, model_id, skipped, limit)
    return [_view(session, one) for one in found], total


def clients(
    session: Session, run_id: uuid.UUID, wanted: BookRunFilter, skipped: int, limit: int
) -> tuple[list[RunClient], int]:
    """One page of a run's clients, and how many match.

    Raises:
        RunNotFound: there is no such run.
    """
    _run(session, run_id)
    found, total = run_queries.clients(session, run_id, wanted, skipped, limit)
    return [_client(one) for one in found], total


def client(
    session: Session, run_id: uuid.UUID, client_id: uuid.UUID
) -> tuple[RunClient, advice.Package | None]:
    """A client of a run, and what would be sent; None where nothing could be worked out.

    Raises:
        RunNotFound, ClientNotInRun: there is no such run, or the client is not in it.
    """
    run = _run(session, run_id)
    row = run_queries.client_of(session, run_id, client_id)
    if row is None:
        raise ClientNotInRun
    if not row.worked_out:
        return _client(row), None
    rebuilder = Rebuilder(snapshot_from(run.snapshot))
    return _client(row), rebuilder.rebalance_of(worked_from(row.worked_out))


def choose(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    choice: tuple[bool, str],
) -> RunClient:
    """Take a client in or leave it out, with a note why; `place` is run and client.

    Raises:
        RunNotFound, ClientNotInRun: there is no such run, or the client is not in it.
        RunNotInReview: it is not the time for it.
        CannotBeIncluded: nothing can be sent to the client.
    """
    run_id, client_id = place
    run = _run_in_review(session, run_id)
    row = run_queries.client_of(session, run_id, client_id, lock=True)
    if row is None:
        raise ClientNotInRun
    is_included, note = choice
    if is_included and not row.can_be_included:
        why = "; ".join(one.message for one in _client(row).reasons)
        raise CannotBeIncluded(f"{row.name} ({row.code}) cannot be sent: {why}")
    row.is_included, row.note = is_included, note
    run.version += 1
    session.flush()
    told = {"clientId": client_id, "isIncluded": is_included, "note": note}
    audit_log.record(session, actor, now, "book_run_choice", ("book_run", run_id), told)
    return _client(row)


def choose_tile(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, Tile],
    choice: tuple[bool, str],
) -> RunView:
    """Take in, or leave out, all clients of a tile whom something can be sent to.

    Raises:
        RunNotFound, RunNotInReview: as for `choose`.
    """
    run_id, tile = place
    run = _run_in_review(session, run_id)
    is_included, note = choice
    changed = run_queries.choose_tile(session, run_id, tile, note, is_included=is_included)
    if changed:
        run.version += 1
        told = {"tile": tile, "isIncluded": is_included, "note": note, "clients": changed}
        audit_log.record(session, actor, now, "book_run_choice", ("book_run", run_id), told)
    session.flush()
    return _view(session, run)


def send(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    run_id: uuid.UUID,
    asked: Sending,
    *,
    has_mail_server: bool,
) -> RunView:
    """Queue all included clients; the run's job then sends each exactly one advice.

    Raises:
        RunNotFound, RunNotInReview: there is no such run, or it was sent or cancelled before.
        PricesTooOld: it has to be computed again.
        NothingIncluded, SelectionChanged: the sender saw something else.
        SendBlocked: a check before the send refuses it.
    """
    run = _run_in_review(session, run_id)
    refuse_old_prices(session, run, now)
    included = run_queries.included_sums(session, run_id).included
    if not included:
        raise NothingIncluded
    if included != asked.clients:
        raise SelectionChanged(
            f"{included} {'client is' if included == 1 else 'clients are'} included, "
            f"not {asked.clients}. Look again before you send."
        )
    checks = _checks(session, run, asked, now, has_mail_server=has_mail_server)
    advice.refuse_blocked(checks)
    run_queries.queue_included(session, run_id)
    rationale = asked.rationale or ""
    if asked.rationale is None:
        rationale = service.version(session, run.version_id).row.rationale
    jobs.make_due(session, JOB, str(run_id), now)
    run.state = RunState.SENDING
    run.rationale, run.sent_by, run.sent_at = rationale, actor.name, now
    run.sending = json.dumps(
        {
            "role": actor.role,
            "session_id": str(actor.session_id) if actor.session_id else None,
            "ip": actor.ip,
            "request_id": actor.request_id,
            "account_id": str(actor.account_id) if actor.account_id else None,
            "said": [asked.holdings, asked.conflicts, asked.compensation],
            "checks": [asdict(one) for one in advice.sealed_checks(checks, asked.acknowledged)],
        }
    )
    run.version += 1
    session.flush()
    told = {"clients": included}
    audit_log.record(session, actor, now, "book_run_sent", ("book_run", run_id), told)
    return _view(session, run)


def cancel(session: Session, actor: Actor, now: dt.datetime, run_id: uuid.UUID) -> RunView:
    """Give a run up; what was sent by then stays sent.

    Raises:
        RunNotFound: there is no such run.
        RunEnded: it is over.
    """
    run = _run(session, run_id, lock=True)
    if run.state in ENDED:
        raise RunEnded
    stopped = run_queries.end_queued(session, run_id, ClientState.CANCELLED, "Cancelled.")
    run.state, run.finished_at = RunState.CANCELLED, now
    run.version += 1
    session.flush()
    told = {"stopped": stopped}
    audit_log.record(session, actor, now, "book_run_cancelled", ("book_run", run_id), told)
    return _view(session, run)


def refuse_old_prices(session: Session, run: BookRun, now: dt.datetime) -> None:
    """Refuse a run whose prices were read too long ago.

    Raises:
        PricesTooOld: they were.
    """
    most = service.limits(session).price_minutes
    if run.priced_at is None or now - run.priced_at <= dt.timedelta(minutes=most):
        return
    minutes = int((now - run.priced_at).total_seconds() // 60)
    raise PricesTooOld(
        f"The prices of this run were read {minutes} minutes ago; at most {most} are allowed. "
        "Compute again."
    )


def checks_of(
    session: Session,
    run_id: uuid.UUID,
    asked: Sending,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> list[advice.Check]:
    """The checks that stand before the send of a run; nothing is sent.

    Raises:
        RunNotFound, RunNotInReview: there is no such run, or it was sent or cancelled before.
    """
    run = _run(session, run_id)
    if run.state is not RunState.REVIEW:
        raise RunNotInReview
    return _checks(session, run, asked, now, has_mail_server=has_mail_server)


def sender_of(
    run: BookRun,
) -> tuple[Actor, tuple[str, str, str], tuple[advice.SealedCheck, ...]]:
    """Who sends a run, also after a restart; the disclosures and the checks that go with it."""
    said = json.loads(run.sending)
    actor = replace(
        SYSTEM,
        account_id=_id(said["account_id"]),
        role=said["role"],
        name=run.sent_by,
        session_id=_id(said["session_id"]),
        ip=said["ip"],
        request_id=said["request_id"],
    )
    checks = (advice.SealedCheck(**one) for one in said.get("checks", ()))
    holdings, conflicts, compensation = said["said"]
    return actor, (holdings, conflicts, compensation), tuple(checks)


def _checks(
    session: Session, run: BookRun, asked: Sending, now: dt.datetime, *, has_mail_server: bool
) -> list[advice.Check]:
    rebuilder = Rebuilder(snapshot_from(run.snapshot))
    tokens = set(rebuilder.snapshot.columns)
    subjects = []
    for client_id, code, text in run_queries.included(session, run.id):
        worked = worked_from(text)
        tokens.update(worked.sold)
        subjects.append(_subject(client_id, code, worked, rebuilder))
    said = advice.Asked(
        _rationale_of(session, run, asked.rationale),
        bool(asked.holdings),
        has_mail_server,
        f"/home/models/book/{run.id}",
    )
    used = [one for one in rebuilder.snapshot.priced if one.stock.instrument_token in tokens]
    return advice.before_sending_many(session, subjects, used, said, now)


def _rationale_of(session: Session, run: BookRun, given: str | None) -> advice.Rationale:
    if given is not None:
        return advice.Rationale.GIVEN if given else advice.Rationale.EMPTY
    has_own = bool(service.version(session, run.version_id).row.rationale)
    return advice.Rationale.MODEL if has_own else advice.Rationale.STANDARD


def _subject(
    client_id: uuid.UUID, code: str, worked: Worked, rebuilder: Rebuilder
) -> advice.Subject:
    def rows() -> list[advice.Row]:
        return [row for row in rebuilder.rebalance_of(worked).rows if row.quantity]

    return advice.Subject(
        client_id,
        code,
        from_units(worked.cash),
        bool(worked.positions),
        worked.source,
        dt.datetime.fromisoformat(worked.synced_at) if worked.synced_at else None,
        rows,
    )


def _id(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None


def _run(session: Session, run_id: uuid.UUID, *, lock: bool = False) -> BookRun:
    run = run_queries.run_by_id(session, run_id, lock=lock)
    if run is None:
        raise RunNotFound
    return run


def _run_in_review(session: Session, run_id: uuid.UUID) -> BookRun:
    run = _run(session, run_id, lock=True)
    if run.state is not RunState.REVIEW:
        raise RunNotInReview
    return run


def _view(session: Session, run: BookRun) -> RunView:
    sums = {row.tile: row for row in run_queries.tile_sums(session, run.id)}
    included = run_queries.included_sums(session, run.id)
    version = service.version(session, run.version_id)
    oldest = None
    sources: tuple[str, ...] = ()
    if run.snapshot:
        priced = snapshot_from(run.snapshot).priced
        sources = tuple(sorted({one.source for one in priced}))
        oldest = min(priced, key=lambda one: one.at, default=None)
    minutes = dt.timedelta(minutes=service.limits(session).price_minutes)
    return RunView(
        run,
        queries.names_of_models(session)[run.model_id],
        version.row.number,
        run.rationale or version.row.rationale,
        tuple(
            TileSum(
                tile,
                sums[tile].clients,
                int(sums[tile].included),
                int(sums[tile].can_be_sent),
                *(sums[tile][place] for place in (4, 5, 6)),
            )
            if tile in sums
            else TileSum(tile, 0, 0, 0, ZERO, ZERO, ZERO)
            for tile in Tile
        ),
        Totals(
            sum(row.clients for row in sums.values()),
            included.included,
            included.buys,
            included.sells,
            included.charges,
            int(included.trades),
        ),
        run_queries.state_counts(session, run.id),
        sources,
        oldest.at if oldest else None,
        oldest.stock.symbol if oldest else None,
        run.priced_at + minutes if run.priced_at else None,
        _options_of(session, run),
    )


def _options_of(session: Session, run: BookRun) -> advice.Options:
    if run.options:
        return options_from(run.options)
    # Begun by an older version, with the firm's options of then.
    return snapshot_from(run.snapshot).options if run.snapshot else advice.usual_options(session)


def _client(row: BookRunClient) -> RunClient:
    reasons = tuple(Reason(Tile(tile), message) for tile, message in json.loads(row.reasons))
    return RunClient(row, reasons)
