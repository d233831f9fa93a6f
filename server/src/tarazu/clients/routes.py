"""Calls on clients as staff see them."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Query, Request, Response

from tarazu.brokers import service as brokers
from tarazu.clients import reporting, returns, service
from tarazu.clients.schemas import (
    AddedClient,
    CashByHand,
    ClientProfile,
    ClientRecord,
    ClientReturns,
    ClientRow,
    DayValue,
    DeletedClient,
    Drawdown,
    EditedClient,
    EditedRemark,
    EnteredCash,
    FlowRow,
    HoldingRow,
    Holdings,
    HoldingTotals,
    NewClients,
    NewRemark,
    Portfolio,
    RemarkRow,
    SpanReturn,
    StartingCapital,
    StartingDate,
)
from tarazu.clients.service import ClientFigures, PortfolioView, ProfileView, RemarkView
from tarazu.clients.sheets import client_sheet, day_sheet, flow_sheet, holding_sheet, record_sheet
from tarazu.domain.holdings import ValuedHolding
from tarazu.domain.money import from_points
from tarazu.domain.xirr import WORDS_OF
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, NotAllowed, Staff, guarded_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import PDF, SHEETS, TakenAway, attachment, note_taken, whole
from tarazu.kit.fields import Day
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import (
    Done,
    ListParams,
    Page,
    RecordListParams,
    Reply,
    done,
    page_of,
    reply,
    written,
    written_page,
)
from tarazu.people import service as people
from tarazu.people.service import Client, NewPerson
from tarazu.people.tables import Role
from tarazu.portfolio.service import HeldStock

router = guarded_router("")


@router.post(
    "/clients/add", status_code=HTTPStatus.CREATED, response_model=Reply[list[AddedClient]]
)
def add_clients(body: NewClients, session: OpenSession, caller: Staff, once: OnceOnly) -> Response:
    new = [
        NewPerson(one.name, one.email, one.contact_number, one.country_code) for one in body.clients
    ]

    def act() -> Any:
        added = service.add_clients(session, caller, clock.now(), new)
        rows = [AddedClient(id=one.id, client_id=one.code, name=one.name) for one in added]
        return reply(rows, "Client created successfully")

    return once.run(session, act, Reply[list[AddedClient]], HTTPStatus.CREATED)


@router.get("/clients")
def list_client_records(
    session: OpenSession, caller: Staff, asked: Annotated[RecordListParams, Query()]
) -> Page[ClientRecord]:
    if asked.deleted and caller.role != Role.ADMIN:
        raise NotAllowed
    found, total = service.list_records(session, asked, deleted=asked.deleted)
    return page_of([_record(one) for one in found], asked.page, asked.limit, total)


@router.get("/clients/export", response_class=Response, responses=SHEETS)
def export_client_records(
    session: OpenSession,
    caller: Staff,
    asked: Annotated[RecordListParams, Query()],
    taking: TakenAway,
) -> Response:
    if asked.deleted and caller.role != Role.ADMIN:
        raise NotAllowed
    found, _ = service.list_records(session, whole(asked), deleted=asked.deleted)
    return taking.sheet(caller, record_sheet(found), asked)


@router.put("/clients/edit")
def edit_client(body: EditedClient, session: OpenSession, caller: Staff) -> Reply[ClientRecord]:
    edited = service.edit_client(session, caller, clock.now(), body.id, body.wanted, body.version)
    return reply(_record(edited), "Client updated successfully")


@router.post("/clients/delete")
def delete_client(
    body: DeletedClient,
    session: OpenSession,
    request: Request,
    caller: Staff,
    later: BackgroundTasks,
) -> Done:
    lives = service.delete_client(session, caller, clock.now(), body.client_id, body.version)
    # Once the answer is sent: here they are over, and nobody waits for a slow broker.
    for live in lives:
        later.add_task(brokers.log_out_at_broker, request.app.state.broker_gateway, live)
    return done("Client deleted successfully")


@router.post("/admin/clients/{client_id}/restore")
def restore_client(client_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.restore_client(session, caller, clock.now(), client_id)
    return done("Client restored successfully")


def _record(client: Client) -> ClientRecord:
    return ClientRecord(
        id=client.id,
        client_id=client.code,
        name=client.name,
        country_code=client.country_code,
        contact_number=client.contact_number,
        email=client.email,
        role="client",
        status=client.status,
        address=client.address,
        dob=client.born_on,
        family=client.family,
        created_at=client.created_at,
        deleted_at=client.deleted_at,
        version=client.version,
    )


@router.get("/admin/clients", response_model=Page[ClientRow])
def list_clients(session: OpenSession, _: Staff, asked: Annotated[ListParams, Query()]) -> Response:
    rows, total = service.list_clients(session, clock.now(), asked)
    return written_page([_client(row) for row in rows], asked.page, asked.limit, total)


def _client(row: ClientFigures) -> dict[str, Any]:
    card, worth = row.card, row.worth
    return ClientRow.plain(
        id=card.id,
        client_id=card.code,
        name=card.name,
        total_portfolio=worth.portfolio_value,
        total_investment=worth.net_investment,
        net_pn_l=worth.total_pnl,
        net_pnl_percentage=worth.pnl_points,
        is_since_purchase=worth.is_since_purchase,
        net_cash_amount=worth.cash,
        is_connected=row.is_connected,
        status=card.status,
        stale_since=row.stale_since,
    )


@router.get("/admin/clients/export", response_class=Response, responses=SHEETS)
def export_client_list(
    session: OpenSession, caller: Staff, asked: Annotated[ListParams, Query()], taking: TakenAway
) -> Response:
    rows, _ = service.list_clients(session, clock.now(), whole(asked))
    return taking.sheet(caller, client_sheet(rows), asked)


@router.get("/admin/clients/client/{client_id}/profile")
def show_client_profile(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[ClientProfile]:
    found = service.profile(session, client_id, clock.now())
    client, standing, value = found.client, found.standing, found.value
    before, after = service.neighbours(session, client.code)
    points = value.worth.pnl_points
    shape = ClientProfile(
        id=client.id,
        name=client.name,
        client_id=client.code,
        email=client.email,
        country_code=client.country_code,
        contact_number=client.contact_number,
        address=client.address,
        dob=client.born_on,
        total_portfolio=value.portfolio_value,
        total_investment=value.net_investment,
        net_pn_l=value.total_pnl,
        net_pnl_percentage=None if points is None else from_points(points),
        is_since_purchase=value.worth.is_since_purchase,
        total_cash=value.net,
        is_connected=found.is_connected,
        last_sync=found.last_sync,
        user_broker_id=standing.broker_user_id,
        broker=_broker(found),
        status=client.status,
        previous_client_id=before,
        next_client_id=after,
    )
    return reply(shape)


@router.get("/admin/clients/client/{client_id}/portfolio")
def show_portfolio(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[Portfolio]:
    return reply(_portfolio(service.portfolio_of(session, client_id, clock.now())))


@router.post("/admin/clients/client/{client_id}/starting-date")
@router.put("/admin/clients/client/{client_id}/starting-date", name="replace_starting_date")
def set_starting_date(
    client_id: uuid.UUID, body: StartingDate, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    service.set_starting_date(session, caller, now, client_id, body.starting_date, body.version)
    return reply(_portfolio(service.portfolio_of(session, client_id, now)))


# What the card calls Starting Capital goes under either name; GET …/starting-value is of fees.
@router.post("/admin/clients/client/{client_id}/starting-capital")
@router.put("/admin/clients/client/{client_id}/starting-capital", name="replace_starting_capital")
@router.post("/admin/clients/client/{client_id}/starting-value", name="set_starting_value")
@router.put("/admin/clients/client/{client_id}/starting-value", name="replace_starting_value")
def set_starting_capital(
    client_id: uuid.UUID, body: StartingCapital, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    service.set_starting_capital(session, caller, now, client_id, body.amount, body.version)
    return reply(_portfolio(service.portfolio_of(session, client_id, now)))


@router.put("/admin/clients/client/{client_id}/cash")
def enter_cash(
    client_id: uuid.UUID, body: EnteredCash, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    service.enter_cash(session, caller, now, client_id, body.amount, body.as_of, body.version)
    return reply(_portfolio(service.portfolio_of(session, client_id, now)))


@router.get("/admin/clients/client/{client_id}/xirr")
def show_returns(client_id: uuid.UUID, session: OpenSession, _: Staff) -> ClientReturns:
    found = returns.returns_of(session, client_id, clock.now())
    return ClientReturns(
        success=True,
        data=FlowRow.rows(found.rows),
        xirr_percentage=found.xirr.percentage,
        xirr_reason=found.xirr.code,
        xirr_message=WORDS_OF.get(found.xirr.code),
        absolute_return_percentage=found.xirr.period_percentage,
        twr_percentage=found.twr_percentage,
        xirr_period=found.years,
        spans=[_span(one) for one in found.spans],
        max_drawdown=Drawdown.model_validate(found.drawdown) if found.drawdown else None,
    )


@router.get("/admin/clients/client/{client_id}/performance")
def list_performance(
    client_id: uuid.UUID,
    session: OpenSession,
    _: Staff,
    since: Annotated[Day | None, Query(alias="from")] = None,
    until: Annotated[Day | None, Query(alias="to")] = None,
) -> Reply[list[DayValue]]:
    days = returns.performance_of(session, client_id, clock.now(), since, until)
    return reply(
        [
            DayValue(
                date=one.date,
                value=one.value,
                net_investment=one.net_investment,
                twr_index=one.index,
            )
            for one in days
        ]
    )


def _span(one: returns.SpanReturn) -> SpanReturn:
    return SpanReturn(
        span=one.span,
        since=one.since,
        days=one.days,
        gross_percentage=one.gross,
        net_percentage=one.net,
        gross_yearly_percentage=one.gross_yearly,
        net_yearly_percentage=one.net_yearly,
        is_estimated=one.is_estimated,
        reason=one.reason,
    )


@router.get("/admin/clients/client/{client_id}/holdings", response_model=Holdings)
def list_holdings(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Response:
    stocks, valued = service.holdings(session, client_id, clock.now())
    held = list(zip(stocks, valued.rows, strict=True))
    return written(
        {
            "success": True,
            "data": [_holding(stock, row) for stock, row in held],
            "totals": HoldingTotals.plain(
                current_value=valued.totals.value,
                invested=valued.totals.invested,
                pnl=valued.totals.pnl,
                pnl_percentage=valued.totals.pnl_percentage,
            ),
            "stale": [stock.instrument.symbol for stock, row in held if _is_stale(stock, row)],
            "pricedAt": service.newest_quote(stocks),
        }
    )


@router.get("/admin/remarks/client/{client_id}")
def list_remarks(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[list[RemarkRow]]:
    return reply([_remark(one) for one in service.remarks_of(session, client_id)])


@router.post("/admin/remarks", status_code=HTTPStatus.CREATED, response_model=Reply[RemarkRow])
def add_remark(body: NewRemark, session: OpenSession, caller: Staff, once: OnceOnly) -> Response:
    def act() -> Any:
        added = service.add_remark(session, caller, clock.now(), body.user, body.remark)
        return reply(_remark(added), "Remark added")

    return once.run(session, act, Reply[RemarkRow], HTTPStatus.CREATED)


@router.put("/admin/remarks")
def edit_remark(body: EditedRemark, session: OpenSession, caller: Staff) -> Reply[RemarkRow]:
    edited = service.edit_remark(
        session, caller, clock.now(), body.remark_id, body.remark, body.version
    )
    return reply(_remark(edited), "Remark updated")


def _remark(view: RemarkView) -> RemarkRow:
    remark = view.remark
    return RemarkRow(
        id=remark.id,
        remark=remark.text,
        created_at=remark.created_at,
        updated_at=remark.updated_at,
        user=remark.client_id,
        author=view.author,
        version=remark.version,
    )


@router.get(
    "/admin/clients/client/{client_id}/holdings/export", response_class=Response, responses=SHEETS
)
def export_holdings(
    client_id: uuid.UUID, session: OpenSession, caller: Staff, taking: TakenAway
) -> Response:
    sheet = holding_sheet(*service.holdings(session, client_id, clock.now()))
    return taking.sheet(caller, sheet, client=people.client(session, client_id))


@router.get(
    "/admin/clients/client/{client_id}/performance/export",
    response_class=Response,
    responses=SHEETS,
)
def export_performance(
    client_id: uuid.UUID,
    session: OpenSession,
    caller: Staff,
    taking: TakenAway,
    since: Annotated[Day | None, Query(alias="from")] = None,
    until: Annotated[Day | None, Query(alias="to")] = None,
) -> Response:
    client = people.client(session, client_id)
    days = returns.performance_of(session, client_id, clock.now(), since, until)
    return taking.sheet(caller, day_sheet(days), {"from": since, "to": until}, client)


@router.get(
    "/admin/clients/client/{client_id}/xirr/export", response_class=Response, responses=SHEETS
)
def export_returns(
    client_id: uuid.UUID, session: OpenSession, caller: Staff, taking: TakenAway
) -> Response:
    client = people.client(session, client_id)
    found = returns.returns_of(session, client_id, clock.now())
    return taking.sheet(caller, flow_sheet(found.rows), client=client)


@router.get("/admin/clients/client/{client_id}/report.pdf", response_class=Response, responses=PDF)
def download_report(
    client_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: Staff
) -> Response:
    now = clock.now()
    client, name, pdf = reporting.report(session, client_id, caller.name, now)
    note_taken(trail_session, caller, now, client, {"what": "portfolio-report", "format": "pdf"})
    return attachment(pdf, name, "application/pdf")


def _portfolio(view: PortfolioView) -> Portfolio:
    standing, found = view.standing, view.figures
    funds = standing.funds if standing.is_valued else None
    by_hand = standing.hand_cash
    return Portfolio(
        started_from=standing.started_on,
        total_days=found.total_days,
        portfolio_value=found.portfolio_value,
        starting_capital=standing.starting_capital,
        total_pn_l=found.total_pnl,
        pnl_percentage=found.pnl_percentage,
        is_since_purchase=found.is_since_purchase,
        xirr_percentage=view.xirr.percentage,
        xirr_reason=view.xirr.code,
        xirr_message=WORDS_OF.get(view.xirr.code),
        absolute_return_percentage=view.xirr.period_percentage,
        twr_percentage=view.twr_percentage,
        xirr_period=found.years,
        net_investment=found.net_investment,
        net_profit=found.net_profit,
        total_current_value=found.holdings_value,
        broker=_broker(view),
        net=funds.net if funds else None,
        cash=funds.available_cash if funds else None,
        intraday_payin=funds.intraday_payin if funds else None,
        cash_by_hand=CashByHand(
            amount=by_hand.amount,
            as_of=by_hand.as_of,
            entered_at=by_hand.entered_at,
            entered_by=view.cash_entered_by,
        )
        if by_hand
        else None,
        is_connected=view.is_connected,
        last_sync=view.last_sync,
        holdings_source=standing.holdings_source,
        priced_at=view.priced_at,
        stale_prices=view.stale.count,
        oldest_stale_at=view.stale.oldest_at,
        stale_sources=list(view.stale.sources),
        action_suspected=list(view.suspected),
        version=standing.version,
    )


def _holding(stock: HeldStock, row: ValuedHolding) -> dict[str, Any]:
    return HoldingRow.plain(
        trading_symbol=stock.instrument.symbol,
        exchange=stock.instrument.exchange,
        isin=stock.instrument.isin,
        instrument_token=stock.instrument.instrument_token,
        quantity=row.quantity,
        free=stock.free,
        t1=stock.t1,
        bought_today=stock.bought_today,
        pledged=stock.pledged,
        ltp=row.last_price,
        average_price=row.average_price,
        current_value=row.value,
        invested=row.invested,
        pnl=row.pnl,
        pnl_percentage=row.pnl_percentage,
        allocation=row.allocation,
        is_stale=_is_stale(stock, row),
        priced_at=stock.quote.at if stock.quote else None,
        price_source=stock.quote.source if stock.quote else None,
        action_suspected=stock.is_action_suspected,
    )


def _is_stale(stock: HeldStock, row: ValuedHolding) -> bool:
    """Without any price, or with one that is too old."""
    return row.is_stale or stock.is_price_stale


def _broker(view: PortfolioView | ProfileView) -> dict[str, str]:
    return {"name": view.standing.broker, "logo": view.broker_logo}
