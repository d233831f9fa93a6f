"""Calls on model portfolios, their subscribers, the drift monitor and the limits of the book."""

import uuid
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response
from sqlalchemy.orm import Session

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, SHEETS, TakenAway
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import ListParams, Page, Reply, page_of, reply
from tarazu.models import drift, service
from tarazu.models.schemas import (
    AskedDrift,
    AskedModels,
    BookLimitsEdit,
    BookLimitsShown,
    CandidateRow,
    ConstituentRow,
    DriftRow,
    LatestVersion,
    ModelEdit,
    ModelRow,
    ModelShown,
    ModelVersionRow,
    NewConstituent,
    NewModel,
    NewModelVersion,
    SubscriberRow,
    SubscribersEdit,
)
from tarazu.models.service import (
    Constituent,
    Limits,
    Model,
    ModelFilter,
    Subscriber,
    Version,
    Words,
)
from tarazu.models.sheets import drift_sheet, model_sheet, subscriber_sheet, version_sheet
from tarazu.prices import service as prices
from tarazu.prices.book import Quote

router = guarded_router("/admin")


@router.get("/models")
def list_models(
    session: OpenSession, _: Staff, asked: Annotated[AskedModels, Query()]
) -> Page[ModelRow]:
    found, total = service.list_models(
        session, asked.status, asked.query, asked.skipped, asked.limit
    )
    return page_of([_row(one) for one in found], asked.page, asked.limit, total)


@router.post("/models", status_code=HTTPStatus.CREATED, response_model=Reply[ModelShown])
def add_model(body: NewModel, session: OpenSession, caller: Admin, once: OnceOnly) -> Response:
    def act() -> Any:
        now = clock.now()
        added = service.add_model(session, caller, now, body.name, _words(body), _wanted(body))
        return reply(_shown(session, added), "Model portfolio added.")

    return once.run(session, act, Reply[ModelShown], HTTPStatus.CREATED)


@router.get("/models/candidates")
def list_candidates(
    session: OpenSession, _: Staff, query: Annotated[str, Query(max_length=100)] = ""
) -> Reply[list[CandidateRow]]:
    rows = [
        CandidateRow(
            id=one.client.id,
            client_id=one.client.code,
            name=one.client.name,
            model_id=one.model_id,
            model_name=one.model_name,
        )
        for one in service.candidates(session, query)
    ]
    return reply(rows)


@router.get("/models/drift")
def list_drift(
    session: OpenSession, _: Staff, asked: Annotated[AskedDrift, Query()]
) -> Page[DriftRow]:
    found = drift.monitor(session, asked.model_id, asked.query, clock.now())
    shown = found[asked.skipped : asked.skipped + asked.limit]
    return page_of([_drift(one) for one in shown], asked.page, asked.limit, len(found))


@router.get("/models/drift/export", response_class=Response, responses=SHEETS)
def export_drift(
    session: OpenSession, caller: Staff, asked: Annotated[AskedDrift, Query()], taking: TakenAway
) -> Response:
    found = drift.monitor(session, asked.model_id, asked.query, clock.now())
    return taking.sheet(caller, drift_sheet(found), asked)


@router.get("/models/export", response_class=Response, responses=SHEETS)
def export_models(
    session: OpenSession, caller: Staff, asked: Annotated[AskedModels, Query()], taking: TakenAway
) -> Response:
    found, _total = service.list_models(session, asked.status, asked.query, 0, EVERY_ROW)
    return taking.sheet(caller, model_sheet(found), asked)


@router.get("/models/{model_id}/versions/export", response_class=Response, responses=SHEETS)
def export_model_versions(
    model_id: uuid.UUID, session: OpenSession, caller: Staff, taking: TakenAway
) -> Response:
    model = service.model(session, model_id)
    return taking.sheet(caller, version_sheet(model), {"model": model.row.name})


@router.get("/models/{model_id}/subscribers/export", response_class=Response, responses=SHEETS)
def export_subscribers(
    model_id: uuid.UUID,
    session: OpenSession,
    caller: Staff,
    asked: Annotated[ListParams, Query()],
    taking: TakenAway,
) -> Response:
    model = service.model(session, model_id)
    found, _total = service.subscribers(session, model_id, asked.query, 0, EVERY_ROW)
    filters = {"model": model.row.name, "query": asked.query or None}
    return taking.sheet(caller, subscriber_sheet(found), filters)


@router.get("/models/{model_id}")
def show_model(model_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[ModelShown]:
    return reply(_shown(session, service.model(session, model_id)))


@router.put("/models/{model_id}")
def edit_model(
    model_id: uuid.UUID, body: ModelEdit, session: OpenSession, caller: Admin
) -> Reply[ModelShown]:
    given = body.model_dump(exclude_unset=True, exclude={"version"})
    wanted = {name: value for name, value in given.items() if value is not None}
    edited = service.edit_model(session, caller, clock.now(), model_id, wanted, body.version)
    return reply(_shown(session, edited), "Model portfolio saved.")


@router.post(
    "/models/{model_id}/versions", status_code=HTTPStatus.CREATED, response_model=Reply[ModelShown]
)
def add_model_version(
    model_id: uuid.UUID,
    body: NewModelVersion,
    session: OpenSession,
    caller: Admin,
    once: OnceOnly,
) -> Response:
    def act() -> Any:
        now = clock.now()
        added = service.add_version(session, caller, now, model_id, _words(body), _wanted(body))
        return reply(_shown(session, added), f"Version {added.versions[0].row.number} published.")

    return once.run(session, act, Reply[ModelShown], HTTPStatus.CREATED)


@router.get("/models/{model_id}/subscribers")
def list_subscribers(
    model_id: uuid.UUID, session: OpenSession, _: Staff, asked: Annotated[ListParams, Query()]
) -> Page[SubscriberRow]:
    found, total = service.subscribers(session, model_id, asked.query, asked.skipped, asked.limit)
    return page_of([_subscriber(one) for one in found], asked.page, asked.limit, total)


@router.put("/models/{model_id}/subscribers")
def change_subscribers(
    model_id: uuid.UUID, body: SubscribersEdit, session: OpenSession, caller: Admin
) -> Reply[ModelRow]:
    added = {one.client_id: one.investment_value for one in body.add}
    changed = service.change_subscribers(
        session, caller, clock.now(), model_id, added, set(body.remove)
    )
    return reply(_row(changed), "Subscribers saved.")


@router.get("/book-limits")
def show_book_limits(session: OpenSession, _: Staff) -> Reply[BookLimitsShown]:
    return reply(_limits(service.limits(session)))


@router.put("/book-limits")
def set_book_limits(
    body: BookLimitsEdit, session: OpenSession, caller: Admin
) -> Reply[BookLimitsShown]:
    wanted = {
        "holdings_days": body.holdings_days,
        "price_minutes": body.price_minutes,
        "tolerance": body.tolerance_percentage,
    }
    kept = service.set_limits(session, caller, clock.now(), wanted, body.version)
    return reply(_limits(kept), "Limits saved.")


def _words(body: NewModelVersion) -> Words:
    return Words(body.rationale, body.benchmark, body.universe, body.selection_method, body.risks)


def _wanted(body: NewModelVersion) -> list[ModelFilter]:
    def one(row: NewConstituent) -> ModelFilter:
        return ModelFilter(
            row.trading_symbol,
            row.exchange.upper(),
            row.instrument_token,
            row.allocation_percentage,
        )

    return [one(row) for row in body.constituents]


def _row(model: Model) -> ModelRow:
    return ModelRow(**_fields(model))


def _shown(session: Session, model: Model) -> ModelShown:
    tokens = {
        one.instrument.instrument_token
        for version in model.versions
        for one in version.constituents
    }
    quotes = prices.last_prices(session, tokens)
    is_stale = prices.staleness_at(session, clock.now())
    rows = [_version(one, quotes, is_stale) for one in model.versions]
    return ModelShown(**_fields(model), versions=rows)


def _fields(model: Model) -> dict[str, Any]:
    newest, oldest = model.versions[0], model.versions[-1]
    return {
        "id": model.row.id,
        "name": model.row.name,
        "status": model.row.status,
        "version": model.row.version,
        "latest": LatestVersion(
            id=newest.row.id,
            number=newest.row.number,
            created_at=newest.row.created_at,
            benchmark=newest.row.benchmark,
            stocks=len(newest.constituents),
            cash_percentage=newest.cash,
        ),
        "subscribers": model.subscribers,
        "launched_at": oldest.row.created_at,
        "updated_at": newest.row.created_at,
    }


def _version(
    one: Version, quotes: Mapping[int, Quote], is_stale: Callable[[Quote], bool]
) -> ModelVersionRow:
    return ModelVersionRow(
        id=one.row.id,
        number=one.row.number,
        created_at=one.row.created_at,
        author=one.row.author,
        rationale=one.row.rationale,
        benchmark=one.row.benchmark,
        universe=one.row.universe,
        selection_method=one.row.selection_method,
        risks=one.row.risks,
        cash_percentage=one.cash,
        constituents=[
            _constituent(part, quotes.get(part.instrument.instrument_token), is_stale)
            for part in one.constituents
        ],
    )


def _constituent(
    part: Constituent, quote: Quote | None, is_stale: Callable[[Quote], bool]
) -> ConstituentRow:
    stock = part.instrument
    return ConstituentRow(
        trading_symbol=stock.symbol,
        exchange=stock.exchange,
        isin=stock.isin,
        name=stock.name,
        instrument_token=stock.instrument_token,
        allocation_percentage=part.allocation,
        ltp=quote.price if quote else None,
        price_at=quote.at if quote else None,
        price_source=quote.source if quote else None,
        is_price_stale=quote is not None and is_stale(quote),
    )


def _subscriber(one: Subscriber) -> SubscriberRow:
    return SubscriberRow(
        id=one.client.id,
        client_id=one.client.code,
        name=one.client.name,
        status=one.client.status,
        investment_value=one.investment,
        subscribed_at=one.subscribed_at,
        portfolio_value=one.portfolio_value,
    )


def _drift(row: drift.Drift) -> DriftRow:
    return DriftRow.model_validate(row)


def _limits(row: Limits) -> BookLimitsShown:
    return BookLimitsShown(
        holdings_days=row.holdings_days,
        price_minutes=row.price_minutes,
        tolerance_percentage=row.tolerance,
        version=row.version,
    )
