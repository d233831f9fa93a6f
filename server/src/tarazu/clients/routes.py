"""Calls on clients as staff see them."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response

from tarazu.clients import service
from tarazu.clients.schemas import (
    AddedClient,
    ClientProfile,
    ClientRow,
    HoldingRow,
    Holdings,
    NewClients,
    Portfolio,
    StartingCapital,
    StartingDate,
)
from tarazu.clients.service import PortfolioView
from tarazu.domain.holdings import ValuedHolding
from tarazu.kit import clock
from tarazu.kit.access import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.once import OnceOnly
from tarazu.kit.wire import Asked, Page, Reply, page_of, reply
from tarazu.people.service import NewPerson
from tarazu.portfolio.service import HeldStock, Standing

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


@router.get("/admin/clients")
def list_clients(
    session: OpenSession, _: Staff, asked: Annotated[Asked, Query()]
) -> Page[ClientRow]:
    rows, total = service.list_clients(session, asked.query, asked.sort, asked.skipped, asked.limit)
    return page_of(ClientRow.rows(rows), asked.page, asked.limit, total)


@router.get("/admin/clients/client/{client_id}/profile")
def show_client_profile(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[ClientProfile]:
    client, standing, value = service.profile(session, client_id)
    before, after = service.neighbours(session, client_id)
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
        total_cash=value.net,
        last_sync=standing.synced_at,
        user_broker_id=standing.broker_user_id,
        broker=_broker(standing),
        status=client.status,
        previous_client_id=before,
        next_client_id=after,
    )
    return reply(shape)


@router.get("/admin/clients/client/{client_id}/portfolio")
def show_portfolio(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[Portfolio]:
    return reply(_portfolio(service.portfolio_of(session, client_id, clock.today())))


@router.post("/admin/clients/client/{client_id}/starting-date")
def set_starting_date(
    client_id: uuid.UUID, body: StartingDate, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    now, today = clock.now(), clock.today()
    service.set_starting_date(session, caller, now, client_id, body.starting_date, today)
    return reply(_portfolio(service.portfolio_of(session, client_id, today)))


@router.post("/admin/clients/client/{client_id}/starting-capital")
def set_starting_capital(
    client_id: uuid.UUID, body: StartingCapital, session: OpenSession, caller: Staff
) -> Reply[Portfolio]:
    service.set_starting_capital(session, caller, clock.now(), client_id, body.amount)
    return reply(_portfolio(service.portfolio_of(session, client_id, clock.today())))


@router.get("/admin/clients/client/{client_id}/holdings")
def list_holdings(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Holdings:
    stocks, valued = service.holdings(session, client_id)
    rows = [_holding(stock, row) for stock, row in zip(stocks, valued.rows, strict=True)]
    return Holdings.model_validate(
        {
            "success": True,
            "data": rows,
            "totals": {
                "current_value": valued.totals.value,
                "invested": valued.totals.invested,
                "pnl": valued.totals.pnl,
                "pnl_percentage": valued.totals.pnl_percentage,
            },
            "stale": [row.trading_symbol for row in rows if row.is_stale],
            "priced_at": service.newest_quote(stocks),
        }
    )


def _portfolio(view: PortfolioView) -> Portfolio:
    standing, found = view.standing, view.figures
    return Portfolio(
        started_from=standing.started_on,
        total_days=found.total_days,
        portfolio_value=found.portfolio_value,
        starting_capital=standing.starting_capital,
        total_pn_l=found.total_pnl,
        pnl_percentage=found.pnl_percentage,
        xirr_percentage=view.xirr.percentage,
        xirr_reason=view.xirr.code,
        absolute_return_percentage=view.xirr.period_percentage,
        twr_percentage=view.twr_percentage,
        xirr_period=found.years,
        net_investment=found.net_investment,
        net_profit=found.net_profit,
        total_current_value=found.holdings_value,
        broker=_broker(standing),
        net=standing.funds.net,
        cash=standing.funds.available_cash,
        intraday_payin=standing.funds.intraday_payin,
        last_sync=standing.synced_at,
        holdings_source=standing.holdings_source,
        priced_at=view.priced_at,
        version=standing.version,
    )


def _holding(stock: HeldStock, row: ValuedHolding) -> HoldingRow:
    return HoldingRow(
        trading_symbol=stock.instrument.symbol,
        exchange=stock.instrument.exchange,
        isin=stock.instrument.isin,
        instrument_token=stock.instrument.instrument_token,
        quantity=row.quantity,
        pledged=stock.pledged,
        ltp=row.last_price,
        average_price=row.average_price,
        current_value=row.value,
        invested=row.invested,
        pnl=row.pnl,
        pnl_percentage=row.pnl_percentage,
        allocation=row.allocation,
        is_stale=row.is_stale,
    )


def _broker(standing: Standing) -> dict[str, str]:
    return {"name": standing.broker, "logo": ""}
