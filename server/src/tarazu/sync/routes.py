"""Calls that sync clients from their brokers, and that tell how ready they are."""

import uuid
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.alarms import OurAlarms
from tarazu.kit.auth_route import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import SHEETS, TakenAway
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, ListParams, Reply, done, pagination_of, reply
from tarazu.kit.sockets import Progress, SocketHub
from tarazu.people import service as people
from tarazu.sync import readiness, running, service
from tarazu.sync.broker_reads import AT_ONCE
from tarazu.sync.readiness import Problem, ReadinessFilter
from tarazu.sync.running import RunView, Syncs
from tarazu.sync.schemas import (
    AskedReadiness,
    BrokerLineRow,
    BrokerStatementShown,
    LastRun,
    LinksSent,
    LinksWanted,
    QuantityChangeRow,
    ReadinessCounts,
    ReadinessPage,
    ReadinessRow,
    RunClientRow,
    RunCounts,
    RunShown,
    SyncResult,
    SyncWish,
)
from tarazu.sync.service import BrokerStatement, Way
from tarazu.sync.sheets import readiness_sheet
from tarazu.sync.tables import Outcome, RunState

router = guarded_router("/admin")

_CLIENT = "/clients/client/{client_id}"


async def _syncs(request: Request) -> Syncs:
    syncs: Syncs = request.app.state.syncs
    return syncs


# A sync goes through several transactions, so these calls get the runs, not a session.
OurSyncs = Annotated[Syncs, Depends(_syncs)]


@router.post(f"{_CLIENT}/sync")
def sync_client(
    client_id: uuid.UUID,
    request: Request,
    syncs: OurSyncs,
    caller: Staff,
    body: SyncWish | None = None,
) -> Reply[SyncResult]:
    way = Way(syncs.database, syncs.gateway, caller)
    wish = body or SyncWish()
    hub: SocketHub = request.app.state.hub

    def tell(step: str, done: int, total: int, state: RunState = RunState.RUNNING) -> None:
        hub.publish_progress(
            caller.account_id, Progress(f"sync:{client_id}", step, done, total, state)
        )

    try:
        result = service.sync_client(
            way,
            client_id,
            clock.now(),
            replace(AT_ONCE, tell=tell),
            accept_empty=wish.accept_empty,
        )
    finally:
        tell("", 1, 1, RunState.DONE)
    return reply(SyncResult.model_validate(result), "Synced from the broker")


@router.get(f"{_CLIENT}/broker-statement")
def show_broker_statement(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[BrokerStatementShown]:
    return reply(_statement(service.statement_of(session, client_id)))


@router.post(f"{_CLIENT}/accept-money")
def accept_money(client_id: uuid.UUID, session: OpenSession, caller: Staff) -> Done:
    service.accept_money(session, caller, clock.now(), client_id)
    return done("The broker's figure is the one to compare with from now on")


@router.post("/sync/changes/{change_id}/seen")
def mark_change_seen(change_id: uuid.UUID, session: OpenSession, caller: Staff) -> Done:
    service.mark_change_seen(session, caller, clock.now(), change_id)
    return done("Marked as seen")


@router.post("/sync", status_code=HTTPStatus.ACCEPTED)
def sync_stale_clients(syncs: OurSyncs, caller: Staff) -> Reply[RunShown]:
    syncs.begin(caller)
    with syncs.database.reading() as session:
        view = running.last_run(session)
        assert view is not None  # noqa: S101 - it was begun just now
        return reply(_run(view, []))


@router.get("/sync")
def show_last_sync(
    session: OpenSession, _: Staff, asked: Annotated[ListParams, Query()]
) -> LastRun:
    view = running.last_run(session)
    if view is None:
        return LastRun(
            success=True, data=None, pagination=pagination_of(asked.page, asked.limit, 0)
        )
    found = running.clients_of(session, view.run.id, asked.skipped, asked.limit)
    # Those that were deleted since have no name here.
    live = people.clients_of(session, [one.client_id for one in found])
    rows = [
        RunClientRow(
            client_id=one.client_id,
            name=live[one.client_id].name if one.client_id in live else "",
            code=live[one.client_id].code if one.client_id in live else "",
            outcome=one.outcome,
            reason=one.reason,
            finished_at=one.finished_at,
        )
        for one in found
    ]
    return LastRun(
        success=True,
        data=_run(view, rows),
        pagination=pagination_of(asked.page, asked.limit, view.total),
    )


@router.get("/readiness")
def show_readiness(
    session: OpenSession, _: Staff, asked: Annotated[AskedReadiness, Query()], alarms: OurAlarms
) -> ReadinessPage:
    wanted = replace(_wanted(asked), skipped=asked.skipped, limit=asked.limit)
    desk = readiness.readiness(session, clock.now(), wanted)
    return ReadinessPage(
        success=True,
        data=ReadinessRow.rows(desk.rows),
        counts=ReadinessCounts(
            total=desk.total,
            ready=desk.ready,
            session=desk.counts[Problem.SESSION],
            sync=desk.counts[Problem.SYNC],
            left_out=desk.counts[Problem.LEFT_OUT],
            unmapped=desk.counts[Problem.UNMAPPED],
            changes=desk.counts[Problem.CHANGES],
            money=desk.counts[Problem.MONEY],
            prices=desk.counts[Problem.PRICES],
        ),
        to_connect=desk.to_connect,
        masters_read_at=instruments.masters_read_at(session),
        alarms=alarms.texts,
        pagination=pagination_of(asked.page, asked.limit, desk.wanted),
    )


@router.get("/readiness/export", response_class=Response, responses=SHEETS)
def export_readiness(
    session: OpenSession,
    caller: Staff,
    asked: Annotated[AskedReadiness, Query()],
    taking: TakenAway,
) -> Response:
    desk = readiness.readiness(session, clock.now(), _wanted(asked))
    return taking.sheet(caller, readiness_sheet(desk.rows), asked)


@router.post("/readiness/send-links", response_model=Reply[LinksSent])
def send_links(
    request: Request,
    session: OpenSession,
    caller: Staff,
    once: OnceOnly,
    body: LinksWanted | None = None,
) -> Response:
    def act() -> Any:
        now = clock.now()
        wanted = (body or LinksWanted()).client_ids
        if wanted is None:
            wanted = _without_link(session)
        sent = brokers.send_connect_links(session, request.app.state.settings, caller, wanted, now)
        words = "1 connect link is" if len(sent) == 1 else f"{len(sent)} connect links are"
        return reply(LinksSent(sent=len(sent)), f"{words} on the way")

    return once.run(session, act, Reply[LinksSent])


def _wanted(asked: AskedReadiness) -> ReadinessFilter:
    return ReadinessFilter(asked.query, asked.problem, asked.ready)


def _without_link(session: Session) -> list[uuid.UUID]:
    """Clients who neither logged in nor have a link with which they could."""
    return [
        one.client_id
        for one in brokers.clients_to_connect(session, clock.now())
        if one.reported_id is None and one.linked_at is None
    ]


def _run(view: RunView, rows: list[RunClientRow]) -> RunShown:
    run, counts = view.run, view.counts
    return RunShown(
        id=run.id,
        kind=run.kind,
        state=run.state,
        started_at=run.started_at,
        finished_at=run.finished_at,
        done=view.done,
        total=view.total,
        counts=RunCounts(
            waiting=counts.get(Outcome.WAITING, 0),
            done=counts.get(Outcome.DONE, 0),
            no_session=counts.get(Outcome.NO_SESSION, 0),
            dead=counts.get(Outcome.DEAD, 0),
            doubted=counts.get(Outcome.DOUBTED, 0),
            failed=counts.get(Outcome.FAILED, 0),
        ),
        clients=rows,
    )


def _statement(found: BrokerStatement) -> BrokerStatementShown:
    last = found.last
    is_known = last is not None and last.synced_at is not None
    return BrokerStatementShown(
        outcome=last.outcome if last else None,
        reason=last.reason if last else "",
        left_out=last.left_out.splitlines() if last else [],
        tried_at=last.tried_at if last else None,
        synced_at=last.synced_at if last else None,
        net=last.net if last and is_known else None,
        collateral=last.collateral if last and is_known else None,
        lines=[
            BrokerLineRow(
                exchange=line.exchange,
                symbol=line.symbol,
                isin=line.isin,
                instrument_token=line.token,
                is_mapped=line.instrument_id is not None,
                free=line.free,
                t1=line.t1,
                pledged=line.pledged,
                today=line.today,
                margin_funded=line.margin_funded,
                average_price=line.average_price,
                last_price=line.last_price,
                is_doubted=line.is_doubted,
            )
            for line in found.lines
        ],
        changes=QuantityChangeRow.rows(found.unseen),
    )
