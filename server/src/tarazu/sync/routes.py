"""Calls that sync clients from their brokers, and that list their readiness."""

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
from tarazu.kit.auth_route import Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, ListParams, Reply, done, pagination_of, reply
from tarazu.kit.sockets import Progress, SocketHub
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.sync import readiness, running, service
from tarazu.sync.broker_reads import AT_ONCE
from tarazu.sync.readiness import Readiness, ReadinessFilter
from tarazu.sync.running import RunView, Syncs
from tarazu.sync.schemas import (
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
from tarazu.sync.service import BrokerStatement, SyncContext
from tarazu.sync.sheets import READINESS
from tarazu.sync.tables import Outcome, RunState, SyncRunClient
from tarazu.teams.service import VisibleClients, visible_clients

router = authorized_router("/admin")

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
    context = SyncContext(syncs.database, syncs.gateway, caller)
    wish = body or SyncWish()
    hub: SocketHub = request.app.state.hub

    def report(step: str, done: int, total: int, state: RunState = RunState.RUNNING) -> None:
        hub.publish_progress(
            caller.account_id, Progress(f"sync:{client_id}", step, done, total, state)
        )

    try:
        result = service.sync_client(
            context,
            client_id,
            clock.now(),
            replace(AT_ONCE, on_step=report),
            accept_empty=wish.accept_empty,
        )
    finally:
        report("", 1, 1, RunState.DONE)
    return reply(SyncResult.model_validate(result), "Synced from the broker")


@router.get(f"{_CLIENT}/broker-statement")
def show_broker_statement(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[BrokerStatementShown]:
    return reply(_statement(service.statement_of(session, client_id)))


@router.post(f"{_CLIENT}/accept-money")
def accept_money(client_id: uuid.UUID, session: OpenSession, caller: Staff) -> Done:
    service.accept_money(session, caller, clock.now(), client_id)
    return done("Cash is now compared with the broker's current figure")


@router.post("/sync/changes/{change_id}/seen")
def mark_change_seen(change_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible) -> Done:
    service.mark_change_seen(
        session, caller, clock.now(), change_id, visible_clients(session, caller)
    )
    return done("Marked as seen")


@router.post("/sync", status_code=HTTPStatus.ACCEPTED)
def sync_stale_clients(syncs: OurSyncs, caller: Staff) -> Reply[RunShown]:
    syncs.begin(caller)
    with syncs.database.reading() as session:
        view = running.last_run(session)
        assert view is not None  # noqa: S101 - it was started just now
        return reply(_run(view, []))


@router.get("/sync")
def show_last_sync(
    session: OpenSession, caller: StaffOfVisible, params: Annotated[ListParams, Query()]
) -> LastRun:
    visible = visible_clients(session, caller)
    view = running.last_run(session, visible)
    if view is None:
        return LastRun(
            success=True, data=None, pagination=pagination_of(params.page, params.limit, 0)
        )
    run_clients = running.clients_of(session, view.run.id, params.skipped, params.limit, visible)
    clients = people.clients_of(session, [row.client_id for row in run_clients])
    rows = [_run_client(row, clients.get(row.client_id)) for row in run_clients]
    return LastRun(
        success=True,
        data=_run(view, rows),
        pagination=pagination_of(params.page, params.limit, view.total),
    )


@router.get("/readiness")
def show_readiness(
    session: OpenSession,
    caller: StaffOfVisible,
    filters: Annotated[ReadinessFilter, Query()],
    alarms: OurAlarms,
) -> ReadinessPage:
    result = readiness.readiness(session, clock.now(), filters, visible_clients(session, caller))
    return ReadinessPage(
        success=True,
        data=ReadinessRow.rows(result.rows),
        counts=ReadinessCounts(
            total=result.total,
            ready=result.ready,
            **{problem.lower(): count for problem, count in result.counts.items()},
        ),
        to_connect=result.to_connect,
        masters_read_at=instruments.masters_read_at(session),
        alarms=alarms.texts,
        pagination=pagination_of(filters.page, filters.limit, result.matching),
    )


@list_export(router, "/readiness/export", "Readiness", READINESS)
def export_readiness(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ReadinessFilter, Query()]
) -> Exported[Readiness]:
    visible = visible_clients(session, caller)
    listed = readiness.readiness(session, clock.now(), filters, visible, is_whole=True)
    return Exported(listed.rows, filters)


@router.post("/readiness/send-links", response_model=Reply[LinksSent])
def send_links(
    request: Request,
    session: OpenSession,
    caller: StaffOfVisible,
    once: OnceOnly,
    body: LinksWanted | None = None,
) -> Response:
    visible = visible_clients(session, caller)
    for client_id in (body or LinksWanted()).client_ids or ():
        people.refuse_unseen(visible, client_id)

    def act() -> Any:
        now = clock.now()
        client_ids = (body or LinksWanted()).client_ids
        if client_ids is None:
            client_ids = _without_link(session, visible)
        sent = brokers.send_connect_links(
            session, request.app.state.settings, caller, client_ids, now
        )
        words = "1 connect link is" if len(sent) == 1 else f"{len(sent)} connect links are"
        return reply(LinksSent(sent=len(sent)), f"{words} on the way")

    return once.run(session, act, Reply[LinksSent])


def _without_link(session: Session, visible: VisibleClients) -> list[uuid.UUID]:
    """Clients who are not logged in and have no valid link."""
    return [
        unconnected_client.client_id
        for unconnected_client in brokers.unconnected_clients(session, clock.now())
        if unconnected_client.reported_id is None
        and unconnected_client.linked_at is None
        and visible.includes(unconnected_client.client_id)
    ]


def _run(view: RunView, rows: list[RunClientRow]) -> RunShown:
    run = view.run
    return RunShown.of(
        run,
        done=view.done,
        total=view.total,
        counts=RunCounts(**{outcome.lower(): view.counts.get(outcome, 0) for outcome in Outcome}),
        clients=rows,
    )


def _run_client(row: SyncRunClient, client: Client | None) -> RunClientRow:
    """A client deleted since has no name."""
    return RunClientRow.of(
        row, name=client.name if client else "", code=client.code if client else ""
    )


def _statement(statement: BrokerStatement) -> BrokerStatementShown:
    last = statement.last
    is_known = last is not None and last.synced_at is not None
    return BrokerStatementShown(
        outcome=last.outcome if last else None,
        reason=last.reason if last else "",
        left_out=last.left_out.splitlines() if last else [],
        tried_at=last.tried_at if last else None,
        synced_at=last.synced_at if last else None,
        net=last.net if last and is_known else None,
        collateral=last.collateral if last and is_known else None,
        lines=BrokerLineRow.rows(statement.lines),
        changes=QuantityChangeRow.rows(statement.unseen),
    )
