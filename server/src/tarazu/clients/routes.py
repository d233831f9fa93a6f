"""Routes of clients as staff see them."""

import datetime as dt
import uuid
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.clients import (
    benchmarking,
    portfolios,
    remarks,
    reporting,
    returns,
    sample,
    service,
    sheets,
    showing,
)
from tarazu.clients.returns import DayFigures, ReturnFlow
from tarazu.clients.schemas import (
    AddedClient,
    BenchmarkFigures,
    ChosenClients,
    ClientParams,
    ClientPerformance,
    ClientProfile,
    ClientRecord,
    ClientReturns,
    ClientRow,
    ClientSums,
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
    SeriesPoint,
    SpanReturn,
    StartingCapital,
    StartingDate,
    TeamChoice,
)
from tarazu.clients.service import ClientFigures
from tarazu.domain.holdings import ValuedHolding
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import Admin, NotAllowed, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import PDF, Exported, attachment, list_export, note_taken, whole
from tarazu.kit.fields import DayRange
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import (
    Done,
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
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.teams.service import team_by_client, visible_clients

router = authorized_router("")

_CLIENT = "/admin/clients/client/{client_id}"


@router.post(
    "/clients/add", status_code=HTTPStatus.CREATED, response_model=Reply[list[AddedClient]]
)
def add_clients(
    body: NewClients, session: OpenSession, caller: StaffOfVisible, once: OnceOnly
) -> Response:
    new = [
        NewPerson(
            client.name,
            client.email,
            client.contact_number,
            client.country_code,
            language=client.language,
        )
        for client in body.clients
    ]

    def act() -> Any:
        added = service.add_clients(session, caller, clock.now(), new)
        return reply(AddedClient.rows(added), "Client created successfully")

    return once.run(session, act, Reply[list[AddedClient]], HTTPStatus.CREATED)


@router.post(
    "/admin/clients/sample", status_code=HTTPStatus.CREATED, response_model=Reply[AddedClient]
)
def load_sample_client(session: OpenSession, caller: Staff, once: OnceOnly) -> Response:
    """The client to try the screens with; it counts in no figure and gets no advice."""

    def act() -> Any:
        client = sample.load_sample_client(session, caller, clock.now())
        return reply(AddedClient.model_validate(client), "Sample client loaded")

    return once.run(session, act, Reply[AddedClient], HTTPStatus.CREATED)


@router.get("/clients")
def list_client_records(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[RecordListParams, Query()]
) -> Page[ClientRecord]:
    _check_may_list(caller, filters)
    clients, total = people.list_clients(session, filters, visible_clients(session, caller))
    return page_of(_records(session, clients), filters.page, filters.limit, total)


@list_export(router, "/clients/export", "Client Records", sheets.RECORDS)
def export_client_records(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[RecordListParams, Query()]
) -> Exported[Client]:
    _check_may_list(caller, filters)
    visible = visible_clients(session, caller)
    clients, _total = people.list_clients(session, whole(filters), visible)
    return Exported(clients, filters)


def _check_may_list(caller: Actor, filters: RecordListParams) -> None:
    if filters.deleted and caller.role != Role.ADMIN:
        raise NotAllowed


@router.put("/clients/edit")
def edit_client(
    body: EditedClient, session: OpenSession, caller: StaffOfVisible
) -> Reply[ClientRecord]:
    visible = visible_clients(session, caller)
    people.refuse_unseen(visible, body.id)
    family = people.client(session, body.id).family
    edited = service.edit_client(session, caller, clock.now(), body.id, body.wanted, body.version)
    if edited.family != family:
        people.refuse_foreign_family(session, visible, body.id)
    return reply(_records(session, [edited])[0], "Client updated successfully")


def _records(session: Session, clients: Sequence[Client]) -> list[ClientRecord]:
    """The records, each with the client's team."""
    by_client = team_by_client(session, [client.id for client in clients])
    return [
        ClientRecord.model_validate(client).model_copy(update={"team_id": by_client.get(client.id)})
        for client in clients
    ]


@router.post("/clients/delete")
def delete_client(
    body: DeletedClient,
    session: OpenSession,
    request: Request,
    caller: StaffOfVisible,
    later: BackgroundTasks,
) -> Done:
    people.refuse_unseen(visible_clients(session, caller), body.client_id)
    ended = service.delete_client(session, caller, clock.now(), body.client_id, body.version)
    # After the answer, so that nobody waits for a slow broker.
    for live in ended:
        later.add_task(brokers.log_out_at_broker, request.app.state.broker_gateway, live)
    return done("Client deleted successfully")


@router.post("/admin/clients/{client_id}/restore")
def restore_client(client_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.restore_client(session, caller, clock.now(), client_id)
    return done("Client restored successfully")


@router.get("/admin/clients", response_model=Page[ClientRow])
def list_clients(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ClientParams, Query()]
) -> Response:
    visible = service.listed_clients(session, caller, filters.team)
    rows, total = service.list_clients(session, clock.now(), filters, visible)
    return written_page([_client(row) for row in rows], filters.page, filters.limit, total)


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
        action_pending=row.is_action_pending,
    )


@router.get("/admin/clients/totals")
def total_clients(
    session: OpenSession,
    caller: StaffOfVisible,
    query: Annotated[str, Query(max_length=100)] = "",
    team: TeamChoice | None = None,
) -> Reply[ClientSums]:
    visible = service.listed_clients(session, caller, team)
    totals = service.total_clients(session, query, visible)
    return reply(ClientSums.model_validate(totals))


@list_export(router, "/admin/clients/export", "Clients", sheets.CLIENTS)
def export_client_list(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ChosenClients, Query()]
) -> Exported[ClientFigures]:
    now = clock.now()
    visible = service.listed_clients(session, caller, filters.team)
    rows, _total = service.list_clients(session, now, whole(filters), visible)
    chosen = set(filters.clients)
    return Exported(
        [row for row in rows if not chosen or row.card.id in chosen],
        filters,
        words=showing.internal_words(session, now),
    )


@router.get(f"{_CLIENT}/profile")
def show_client_profile(
    client_id: uuid.UUID, session: OpenSession, caller: Staff
) -> Reply[ClientProfile]:
    visible = visible_clients(session, caller)
    profile = portfolios.profile(session, client_id, clock.now(), visible)
    return reply(ClientProfile.model_validate(profile))


@router.get(f"{_CLIENT}/portfolio")
def show_portfolio(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[Portfolio]:
    return _portfolio(session, client_id, clock.now())


@router.post(f"{_CLIENT}/starting-date")
@router.put(f"{_CLIENT}/starting-date", name="replace_starting_date")
def set_starting_date(
    client_id: uuid.UUID, body: StartingDate, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    portfolios.set_starting_date(session, caller, now, client_id, body.starting_date, body.version)
    return _portfolio(session, client_id, now)


# The Starting Capital has two paths; GET …/starting-value belongs to fees.
@router.post(f"{_CLIENT}/starting-capital")
@router.put(f"{_CLIENT}/starting-capital", name="replace_starting_capital")
@router.post(f"{_CLIENT}/starting-value", name="set_starting_value")
@router.put(f"{_CLIENT}/starting-value", name="replace_starting_value")
def set_starting_capital(
    client_id: uuid.UUID, body: StartingCapital, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    portfolios.set_starting_capital(session, caller, now, client_id, body.amount, body.version)
    return _portfolio(session, client_id, now)


@router.put(f"{_CLIENT}/cash")
def enter_cash(
    client_id: uuid.UUID, body: EnteredCash, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now = clock.now()
    portfolio.enter_cash(session, caller, now, client_id, body.amount, body.as_of, body.version)
    return _portfolio(session, client_id, now)


@router.get(f"{_CLIENT}/xirr")
def show_returns(client_id: uuid.UUID, session: OpenSession, _: Staff) -> ClientReturns:
    figures = returns.returns_of(session, client_id, clock.now())
    return ClientReturns(
        success=True,
        data=FlowRow.rows(figures.rows),
        xirr_percentage=figures.xirr.percentage,
        xirr_reason=figures.xirr.code,
        xirr_message=figures.xirr_message,
        absolute_return_percentage=figures.xirr.period_percentage,
        twr_percentage=figures.twr_percentage,
        xirr_period=figures.years,
        spans=SpanReturn.rows(figures.spans),
        max_drawdown=Drawdown.model_validate(figures.drawdown) if figures.drawdown else None,
    )


@router.get(f"{_CLIENT}/performance")
def list_performance(
    client_id: uuid.UUID, session: OpenSession, _: Staff, days: Annotated[DayRange, Query()]
) -> ClientPerformance:
    found = benchmarking.performance(session, client_id, clock.now(), days)
    return ClientPerformance(
        success=True,
        data=DayValue.rows(found.days),
        benchmark=BenchmarkFigures.model_validate(found.benchmark) if found.benchmark else None,
        series=SeriesPoint.rows(found.series),
        closes_not_adjusted=found.unadjusted,
    )


@router.get(f"{_CLIENT}/holdings", response_model=Holdings)
def list_holdings(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Response:
    stocks, valued = portfolios.holdings(session, client_id, clock.now())
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
            "pricedAt": portfolios.newest_quote(stocks),
        }
    )


@router.get("/admin/remarks/client/{client_id}")
def list_remarks(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[list[RemarkRow]]:
    return reply(RemarkRow.rows(remarks.remarks_of(session, client_id)))


@router.post("/admin/remarks", status_code=HTTPStatus.CREATED, response_model=Reply[RemarkRow])
def add_remark(
    body: NewRemark, session: OpenSession, caller: StaffOfVisible, once: OnceOnly
) -> Response:
    people.refuse_unseen(visible_clients(session, caller), body.user)

    def act() -> Any:
        added = remarks.add_remark(session, caller, clock.now(), body.user, body.remark)
        return reply(RemarkRow.model_validate(added), "Remark added")

    return once.run(session, act, Reply[RemarkRow], HTTPStatus.CREATED)


@router.put("/admin/remarks")
def edit_remark(
    body: EditedRemark, session: OpenSession, caller: StaffOfVisible
) -> Reply[RemarkRow]:
    visible = visible_clients(session, caller)
    edited = remarks.edit_remark(
        session, caller, clock.now(), body.remark_id, body.remark, body.version, visible
    )
    return reply(RemarkRow.model_validate(edited), "Remark updated")


@list_export(router, f"{_CLIENT}/holdings/export", "Holdings", sheets.HOLDINGS)
def export_holdings(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Exported[sheets.Holding]:
    client, now = people.client(session, client_id), clock.now()
    stocks, valued = portfolios.holdings(session, client_id, now)
    rows = list(zip(stocks, valued.rows, strict=True))
    totals = sheets.holding_totals(valued.totals)
    words = showing.own_account_words(session, now)
    return Exported(rows, client=client, totals=totals, words=words)


@list_export(router, f"{_CLIENT}/performance/export", "Performance", sheets.DAYS)
def export_performance(
    client_id: uuid.UUID, session: OpenSession, _: Staff, days: Annotated[DayRange, Query()]
) -> Exported[DayFigures]:
    client, now = people.client(session, client_id), clock.now()
    rows = returns.performance_of(session, client_id, now, days)
    return Exported(rows[::-1], days, client, words=showing.own_account_words(session, now))


@list_export(router, f"{_CLIENT}/xirr/export", "XIRR", sheets.FLOWS)
def export_returns(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Exported[ReturnFlow]:
    client, now = people.client(session, client_id), clock.now()
    rows = returns.returns_of(session, client_id, now).rows
    return Exported(rows, client=client, words=showing.own_account_words(session, now))


@router.get(f"{_CLIENT}/report.pdf", response_class=Response, responses=PDF)
def download_report(
    client_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: Staff
) -> Response:
    now = clock.now()
    client, name, pdf = reporting.report(session, client_id, caller.name, now)
    note_taken(trail_session, caller, now, client, {"what": "portfolio-report", "format": "pdf"})
    return attachment(pdf, name, "application/pdf")


def _portfolio(session: Session, client_id: uuid.UUID, now: dt.datetime) -> Reply[Portfolio]:
    return reply(Portfolio.model_validate(portfolios.portfolio_of(session, client_id, now)))


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
        action_pending=stock.is_action_pending,
        uncredited=stock.uncredited,
    )


def _is_stale(stock: HeldStock, row: ValuedHolding) -> bool:
    """Whether a holding has no price, or one that is too old."""
    return row.is_stale or stock.is_price_stale
