"""Calls on runs over the book: begin, look, choose, send, cancel, take away.

What a run holds are drafts of advice, so all of it is ADMIN's alone.
"""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.restrictions import words_of
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, SHEETS, TakenAway
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.models import runs
from tarazu.models.run_queries import BookRunFilter
from tarazu.models.run_schemas import (
    AskedRunClients,
    AskedRuns,
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
    RunToSend,
    RunTotals,
    TileShown,
)
from tarazu.models.running import BookRunWorker
from tarazu.models.runs import RunClient, RunView, Sending
from tarazu.models.sheets import run_sheet, runs_sheet
from tarazu.models.tables import ClientState, Tile

router = guarded_router("/admin/book-runs")


async def _books(request: Request) -> BookRunWorker:
    books: BookRunWorker = request.app.state.books
    return books


OurBooks = Annotated[BookRunWorker, Depends(_books)]


@router.post("", status_code=HTTPStatus.ACCEPTED, response_model=Reply[BookRunShown])
def begin_book_run(
    body: NewRun,
    session: OpenSession,
    caller: Admin,
    books: OurBooks,
    once: OnceOnly,
    after: BackgroundTasks,
) -> Response:
    asked = runs.NewRun(
        body.model_id,
        body.version_id,
        body.tolerance_percentage,
        body.outside,
        body.after,
        advice.options_asked(body.options),
    )

    def act() -> Any:
        run = runs.begin(session, caller, asked, clock.now())
        # After the answer, and so after the commit: another thread reads the run.
        after.add_task(books.work_on, run.id)
        return reply(_run(runs.view(session, run.id)), "The book is being worked out.")

    return once.run(session, act, Reply[BookRunShown], HTTPStatus.ACCEPTED)


@router.get("")
def list_book_runs(
    session: OpenSession, _: Admin, asked: Annotated[AskedRuns, Query()]
) -> Page[BookRunShown]:
    found, total = runs.list_runs(session, asked.model_id, asked.skipped, asked.limit)
    return page_of([_run(one) for one in found], asked.page, asked.limit, total)


@router.get("/export", response_class=Response, responses=SHEETS)
def export_book_runs(
    session: OpenSession, caller: Admin, asked: Annotated[AskedRuns, Query()], taking: TakenAway
) -> Response:
    found, _total = runs.list_runs(session, asked.model_id, 0, EVERY_ROW)
    return taking.sheet(caller, runs_sheet(found), asked)


@router.get("/{run_id}")
def show_book_run(run_id: uuid.UUID, session: OpenSession, _: Admin) -> Reply[BookRunShown]:
    return reply(_run(runs.view(session, run_id)))


@router.get("/{run_id}/clients")
def list_book_clients(
    run_id: uuid.UUID, session: OpenSession, _: Admin, asked: Annotated[AskedRunClients, Query()]
) -> Page[BookClientRow]:
    found, total = runs.clients(session, run_id, _wanted(asked), asked.skipped, asked.limit)
    return page_of([_client(one) for one in found], asked.page, asked.limit, total)


@router.get("/{run_id}/export", response_class=Response, responses=SHEETS)
def export_book_run(
    run_id: uuid.UUID,
    session: OpenSession,
    caller: Admin,
    asked: Annotated[AskedRunClients, Query()],
    taking: TakenAway,
) -> Response:
    found, _total = runs.clients(session, run_id, _wanted(asked), 0, EVERY_ROW)
    return taking.sheet(caller, run_sheet(found), asked)


@router.get("/{run_id}/clients/{client_id}")
def show_book_client(
    run_id: uuid.UUID, client_id: uuid.UUID, session: OpenSession, _: Admin
) -> Reply[BookClientShown]:
    found, planned = runs.client(session, run_id, client_id)
    return reply(_shown(session, found, planned))


@router.put("/{run_id}/clients/{client_id}")
def choose_book_client(
    run_id: uuid.UUID, client_id: uuid.UUID, body: Choice, session: OpenSession, caller: Admin
) -> Reply[BookClientRow]:
    choice = (body.is_included, body.note)
    chosen = runs.choose(session, caller, clock.now(), (run_id, client_id), choice)
    return reply(_client(chosen))


@router.put("/{run_id}/tiles/{tile}")
def choose_book_tile(
    run_id: uuid.UUID, tile: Tile, body: Choice, session: OpenSession, caller: Admin
) -> Reply[BookRunShown]:
    choice = (body.is_included, body.note)
    return reply(_run(runs.choose_tile(session, caller, clock.now(), (run_id, tile), choice)))


@router.post("/{run_id}/send", status_code=HTTPStatus.ACCEPTED, response_model=Reply[BookRunShown])
def send_book_run(
    run_id: uuid.UUID,
    body: RunToSend,
    session: OpenSession,
    request: Request,
    caller: Admin,
    books: OurBooks,
    once: OnceOnly,
    after: BackgroundTasks,
) -> Response:
    asked = Sending(body.clients, **body.said())

    def act() -> Any:
        view = runs.send(
            session,
            caller,
            clock.now(),
            run_id,
            asked,
            has_mail_server=bool(request.app.state.settings.smtp_url),
        )
        after.add_task(books.work_on, run_id)
        return reply(_run(view), "The advice is being sent.")

    return once.run(session, act, Reply[BookRunShown], HTTPStatus.ACCEPTED)


@router.post("/{run_id}/cancel")
def cancel_book_run(run_id: uuid.UUID, session: OpenSession, caller: Admin) -> Reply[BookRunShown]:
    return reply(_run(runs.cancel(session, caller, clock.now(), run_id)), "Cancelled.")


def _wanted(asked: AskedRunClients) -> BookRunFilter:
    return BookRunFilter(asked.tile, asked.state, asked.included, asked.query, asked.sort)


def _run(view: RunView) -> BookRunShown:
    run, totals, states = view.run, view.totals, view.states
    told = {state: states.get(state, 0) for state in ClientState}
    return BookRunShown(
        id=run.id,
        model_id=run.model_id,
        model_name=view.model_name,
        version_id=run.version_id,
        version_number=view.version_number,
        state=run.state,
        created_at=run.created_at,
        author=run.author,
        computed_at=run.computed_at,
        priced_at=run.priced_at,
        price_sources=list(view.price_sources),
        oldest_price_at=view.oldest_price_at,
        oldest_price_symbol=view.oldest_price_symbol,
        prices_good_until=view.good_until,
        tolerance_percentage=run.tolerance,
        outside=run.outside,
        options=OptionsShown(
            band_percentage=view.options.band,
            minimum_trade_value=view.options.minimum_trade,
            include_charges=view.options.include_charges,
            allow_fresh_funds=view.options.allow_fresh_funds,
            price_buffer_percentage=view.options.price_buffer,
        ),
        rationale=view.rationale,
        error=run.error or None,
        tiles=[
            TileShown(
                tile=one.tile,
                clients=one.clients,
                included=one.included,
                can_be_sent=one.can_be_sent,
                investment_value=one.investment,
                buy_value=one.buys,
                sell_value=one.sells,
            )
            for one in view.tiles
        ],
        totals=RunTotals(
            clients=totals.clients,
            included=totals.included,
            buy_value=totals.buys,
            sell_value=totals.sells,
            estimated_charges=totals.charges,
            trades=totals.trades,
        ),
        sending=RunSending(
            total=sum(told.values()) - told[ClientState.REVIEW],
            queued=told[ClientState.QUEUED],
            sent=told[ClientState.SENT],
            changed=told[ClientState.CHANGED],
            failed=told[ClientState.FAILED],
        ),
        sent_by=run.sent_by or None,
        sent_at=run.sent_at,
        finished_at=run.finished_at,
        version=run.version,
    )


def _client(found: RunClient) -> BookClientRow:
    row = found.row
    return BookClientRow(
        id=row.client_id,
        client_id=row.code,
        name=row.name,
        tile=row.tile,
        reasons=[ReasonShown(tile=one.tile, message=one.message) for one in found.reasons],
        is_included=row.is_included,
        can_be_included=row.can_be_included,
        note=row.note,
        investment_value=row.investment,
        cash=row.cash,
        cash_after=row.cash_after,
        funds_to_add=row.funds_to_add,
        trades=row.trades,
        buy_value=row.buy_value,
        sell_value=row.sell_value,
        estimated_charges=row.charges,
        turnover_percentage=row.turnover,
        max_drift=row.max_drift,
        max_drift_symbol=row.max_drift_symbol,
        tracking_error_bps=row.tracking_error,
        proved_gap_bps=row.proved_gap,
        broker=row.broker,
        holdings_source=row.holdings_source,
        synced_at=row.synced_at,
        state=row.state,
        error=row.error,
        advice_id=row.advice_id,
        sent_at=row.sent_at,
    )


def _shown(session: Session, found: RunClient, planned: advice.Package | None) -> BookClientShown:
    if planned is None:
        return BookClientShown(
            client=_client(found), legs=[], summary=None, notices=[], restrictions=[]
        )
    return BookClientShown(
        client=_client(found),
        legs=advice.shown_rows(session, planned),
        summary=_summary(planned),
        notices=list(planned.notices),
        restrictions=[
            RestrictionNamed(
                trading_symbol=one.stock.symbol,
                words=words_of(one.restriction),
                reason=one.reason,
            )
            for one in planned.restrictions
        ],
    )


def _summary(planned: advice.Package) -> BookSummary:
    summary = planned.summary
    return BookSummary(
        tracking_error_bps=summary.tracking_error_bps,
        proved_gap_bps=summary.proved_gap_bps,
        active_share_pct=summary.active_share,
        cash_after=summary.cash_after,
        cash_after_pct=summary.cash_after_percent,
        estimated_charges=summary.estimated_charges,
        charges_broker=planned.rates.broker,
        turnover_pct=summary.turnover_percent,
        funds_to_add=summary.funds_to_add,
        buy_value=summary.buy_value,
        sell_value=summary.sell_value,
        trades=summary.trades,
        price_time=planned.priced_at,
    )
