"""Routes of runs over the book.

A run holds drafts of advice, so all of it is for ADMIN alone.
"""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.book_runs import service
from tarazu.book_runs.queries import BookRunFilter, RunClientFilter
from tarazu.book_runs.requests import RunToSend
from tarazu.book_runs.schemas import (
    BookClientRow,
    BookClientShown,
    BookRunShown,
    BookSummary,
    Choice,
    NewRun,
    OptionsShown,
    ReasonShown,
    RestrictionNamed,
    RunSending,
    RunTotals,
    TileShown,
)
from tarazu.book_runs.service import RunRequest
from tarazu.book_runs.sheets import RUN_CLIENTS, RUNS
from tarazu.book_runs.tables import BookRunClient, ClientState, Tile
from tarazu.book_runs.views import BookRunView, reasons_of
from tarazu.book_runs.worker import BookRunWorker
from tarazu.domain.restrictions import words_of
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Page, Reply, page_of, reply

router = authorized_router("/admin/book-runs")


async def _worker(request: Request) -> BookRunWorker:
    worker: BookRunWorker = request.app.state.books
    return worker


OurWorker = Annotated[BookRunWorker, Depends(_worker)]


@router.post("", status_code=HTTPStatus.ACCEPTED, response_model=Reply[BookRunShown])
def begin_book_run(
    body: NewRun,
    session: OpenSession,
    caller: Admin,
    worker: OurWorker,
    once: OnceOnly,
    after: BackgroundTasks,
) -> Response:
    run_request = RunRequest(
        body.model_id,
        body.version_id,
        body.tolerance_percentage,
        body.outside,
        body.after,
        body.options,
    )

    def act() -> Any:
        run = service.begin(session, caller, run_request, clock.now())
        # After the answer, and so after the commit: another thread reads the run.
        after.add_task(worker.work_on, run.id)
        return reply(_run(service.view(session, run.id)), "The run is being computed.")

    return once.run(session, act, Reply[BookRunShown], HTTPStatus.ACCEPTED)


@router.get("")
def list_book_runs(
    session: OpenSession, _: Admin, filters: Annotated[BookRunFilter, Query()]
) -> Page[BookRunShown]:
    views, total = service.list_runs(session, filters)
    return page_of([_run(view) for view in views], filters.page, filters.limit, total)


@list_export(router, "/export", "Book runs", RUNS, names_clients=False)
def export_book_runs(
    session: OpenSession, _: Admin, filters: Annotated[BookRunFilter, Query()]
) -> Exported[BookRunView]:
    views, _total = service.list_runs(session, whole(filters))
    return Exported(views, filters)


@router.get("/{run_id}")
def show_book_run(run_id: uuid.UUID, session: OpenSession, _: Admin) -> Reply[BookRunShown]:
    return reply(_run(service.view(session, run_id)))


@router.get("/{run_id}/clients")
def list_book_clients(
    run_id: uuid.UUID, session: OpenSession, _: Admin, filters: Annotated[RunClientFilter, Query()]
) -> Page[BookClientRow]:
    rows, total = service.clients(session, run_id, filters)
    return page_of([_client(row) for row in rows], filters.page, filters.limit, total)


@list_export(router, "/{run_id}/export", "Book run", RUN_CLIENTS)
def export_book_run(
    run_id: uuid.UUID, session: OpenSession, _: Admin, filters: Annotated[RunClientFilter, Query()]
) -> Exported[BookRunClient]:
    rows, _total = service.clients(session, run_id, whole(filters))
    return Exported(rows, filters)


@router.get("/{run_id}/clients/{client_id}")
def show_book_client(
    run_id: uuid.UUID, client_id: uuid.UUID, session: OpenSession, _: Admin
) -> Reply[BookClientShown]:
    row, planned = service.client(session, run_id, client_id)
    return reply(_shown(session, row, planned))


@router.put("/{run_id}/clients/{client_id}")
def choose_book_client(
    run_id: uuid.UUID, client_id: uuid.UUID, body: Choice, session: OpenSession, caller: Admin
) -> Reply[BookClientRow]:
    choice = (body.is_included, body.note)
    chosen = service.choose(session, caller, clock.now(), (run_id, client_id), choice)
    return reply(_client(chosen))


@router.put("/{run_id}/tiles/{tile}")
def choose_book_tile(
    run_id: uuid.UUID, tile: Tile, body: Choice, session: OpenSession, caller: Admin
) -> Reply[BookRunShown]:
    choice = (body.is_included, body.note)
    return reply(_run(service.choose_tile(session, caller, clock.now(), (run_id, tile), choice)))


@router.post("/{run_id}/send", status_code=HTTPStatus.ACCEPTED, response_model=Reply[BookRunShown])
def send_book_run(
    run_id: uuid.UUID,
    body: RunToSend,
    session: OpenSession,
    request: Request,
    caller: Admin,
    worker: OurWorker,
    once: OnceOnly,
    after: BackgroundTasks,
) -> Response:

    def act() -> Any:
        view = service.send(
            session,
            caller,
            clock.now(),
            run_id,
            body.request(),
            has_mail_server=bool(request.app.state.settings.smtp_url),
        )
        after.add_task(worker.work_on, run_id)
        return reply(_run(view), "The advice is being sent.")

    return once.run(session, act, Reply[BookRunShown], HTTPStatus.ACCEPTED)


@router.post("/{run_id}/cancel")
def cancel_book_run(run_id: uuid.UUID, session: OpenSession, caller: Admin) -> Reply[BookRunShown]:
    return reply(_run(service.cancel(session, caller, clock.now(), run_id)), "Cancelled.")


def _run(view: BookRunView) -> BookRunShown:
    run = view.run
    counts = {state: view.states.get(state, 0) for state in ClientState}
    return BookRunShown.of(
        run,
        model_name=view.model_name,
        version_number=view.version_number,
        price_sources=view.price_sources,
        oldest_price_at=view.oldest_price_at,
        oldest_price_symbol=view.oldest_price_symbol,
        prices_good_until=view.prices_good_until,
        tolerance_percentage=run.tolerance,
        options=OptionsShown.model_validate(view.options),
        rationale=view.rationale,
        error=run.error or None,
        tiles=TileShown.rows(view.tiles),
        totals=RunTotals.model_validate(view.totals),
        sending=RunSending(
            total=sum(counts.values()) - counts[ClientState.REVIEW],
            queued=counts[ClientState.QUEUED],
            sent=counts[ClientState.SENT],
            changed=counts[ClientState.CHANGED],
            failed=counts[ClientState.FAILED],
        ),
        sent_by=run.sent_by or None,
    )


def _client(row: BookRunClient) -> BookClientRow:
    return BookClientRow.of(
        row,
        id=row.client_id,
        client_id=row.code,
        reasons=ReasonShown.rows(reasons_of(row)),
        investment_value=row.investment,
        estimated_charges=row.charges,
        estimated_tax=row.tax,
        turnover_percentage=row.turnover,
        tracking_error_bps=row.tracking_error,
        proved_gap_bps=row.proved_gap,
    )


def _shown(session: Session, row: BookRunClient, planned: advice.Package | None) -> BookClientShown:
    if planned is None:
        return BookClientShown(
            client=_client(row), legs=[], summary=None, notices=[], restrictions=[]
        )
    (taxed,) = advice.taxes_of_sells(session, row.client_id, [planned])
    return BookClientShown(
        client=_client(row),
        legs=advice.shown_rows(session, planned, taxed),
        summary=_summary(planned),
        notices=list(planned.notices),
        restrictions=[
            RestrictionNamed(
                trading_symbol=restricted.stock.symbol,
                words=words_of(restricted.restriction),
                reason=restricted.reason,
            )
            for restricted in planned.restrictions
        ],
    )


def _summary(planned: advice.Package) -> BookSummary:
    summary = planned.summary
    return BookSummary.of(
        summary,
        active_share_pct=summary.active_share,
        cash_after_pct=summary.cash_after_percent,
        turnover_pct=summary.turnover_percent,
        charges_broker=planned.rates.broker,
        price_time=planned.priced_at,
    )
