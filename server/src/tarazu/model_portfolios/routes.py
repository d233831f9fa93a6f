"""Routes of model portfolios, their subscribers, the drift monitor and the limits of runs."""

import uuid
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response
from sqlalchemy.orm import Session

from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, StaffOfVisible, StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, Exported, list_export, whole
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import ListParams, Page, Reply, page_of, reply
from tarazu.model_portfolios import drift, service, sheets
from tarazu.model_portfolios.drift import Drift
from tarazu.model_portfolios.errors import UnfitModel
from tarazu.model_portfolios.queries import DriftFilter, ModelFilter
from tarazu.model_portfolios.schemas import (
    BookLimitsEdit,
    BookLimitsShown,
    CandidateRow,
    ConstituentRow,
    DriftRow,
    FollowedRow,
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
from tarazu.model_portfolios.service import CASH, Constituent, Limits, Model, Version, Words
from tarazu.model_portfolios.subscribers import Subscriber
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.teams.service import visible_clients

MOST_FOLLOWED = 100
"""Clients on a page of the client list."""

router = authorized_router("/admin")


@router.get("/models")
def list_models(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ModelFilter, Query()]
) -> Page[ModelRow]:
    models, total = service.list_models(session, filters, visible_clients(session, caller))
    return page_of([_row(model) for model in models], filters.page, filters.limit, total)


@router.post("/models", status_code=HTTPStatus.CREATED, response_model=Reply[ModelShown])
def add_model(body: NewModel, session: OpenSession, caller: Admin, once: OnceOnly) -> Response:
    def act() -> Any:
        constituents = _constituents(session, body)
        added = service.add_model(
            session, caller, clock.now(), body.name, _words(body), constituents
        )
        return reply(_shown(session, added), "Model portfolio added.")

    return once.run(session, act, Reply[ModelShown], HTTPStatus.CREATED)


@router.get("/models/candidates")
def list_candidates(
    session: OpenSession, caller: StaffOfVisible, query: Annotated[str, Query(max_length=100)] = ""
) -> Reply[list[CandidateRow]]:
    return reply(
        CandidateRow.rows(service.candidates(session, query, visible_clients(session, caller)))
    )


@router.get("/models/drift")
def list_drift(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[DriftFilter, Query()]
) -> Page[DriftRow]:
    drifts, total = drift.monitor(session, filters, visible_clients(session, caller))
    return page_of(DriftRow.rows(drifts), filters.page, filters.limit, total)


@router.get("/models/followed")
def list_followed(
    session: OpenSession,
    caller: StaffOfVisible,
    clients: Annotated[list[uuid.UUID], Query(max_length=MOST_FOLLOWED)],
) -> Reply[list[FollowedRow]]:
    seen = visible_clients(session, caller).among(clients)
    chosen = [client_id for client_id in clients if client_id in seen]
    return reply(FollowedRow.rows(drift.followed_by(session, chosen)))


@list_export(router, "/models/drift/export", "Drift", sheets.DRIFT)
def export_drift(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[DriftFilter, Query()]
) -> Exported[Drift]:
    drifts, _total = drift.monitor(
        session, filters, visible_clients(session, caller), is_whole=True
    )
    return Exported(drifts, filters)


@list_export(router, "/models/export", "Models", sheets.MODELS, names_clients=False)
def export_models(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ModelFilter, Query()]
) -> Exported[Model]:
    models, _total = service.list_models(session, whole(filters), visible_clients(session, caller))
    return Exported(models, filters)


@list_export(
    router,
    "/models/{model_id}/versions/export",
    "Model versions",
    sheets.VERSIONS,
    names_clients=False,
)
def export_model_versions(
    model_id: uuid.UUID, session: OpenSession, _: StaffWithoutClients
) -> Exported[sheets.VersionStock]:
    model = service.model(session, model_id)
    rows = [(version, stock) for version in model.versions for stock in version.constituents]
    return Exported(rows, {"model": model.row.name})


@list_export(router, "/models/{model_id}/subscribers/export", "Model clients", sheets.SUBSCRIBERS)
def export_subscribers(
    model_id: uuid.UUID,
    session: OpenSession,
    caller: StaffOfVisible,
    filters: Annotated[ListParams, Query()],
) -> Exported[Subscriber]:
    model = service.model(session, model_id)
    rows, _total = service.subscribers(
        session, model_id, filters.query, 0, EVERY_ROW, visible_clients(session, caller)
    )
    return Exported(rows, {"model": model.row.name, "query": filters.query or None})


@router.get("/models/{model_id}")
def show_model(
    model_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible
) -> Reply[ModelShown]:
    return reply(
        _shown(session, service.model(session, model_id, visible_clients(session, caller)))
    )


@router.put("/models/{model_id}")
def edit_model(
    model_id: uuid.UUID, body: ModelEdit, session: OpenSession, caller: Admin
) -> Reply[ModelShown]:
    changes = body.model_dump(exclude_none=True, exclude={"version"})
    edited = service.edit_model(session, caller, clock.now(), model_id, changes, body.version)
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
        constituents = _constituents(session, body)
        added = service.add_version(
            session, caller, clock.now(), model_id, _words(body), constituents
        )
        return reply(_shown(session, added), f"Version {added.versions[0].row.number} published.")

    return once.run(session, act, Reply[ModelShown], HTTPStatus.CREATED)


@router.get("/models/{model_id}/subscribers")
def list_subscribers(
    model_id: uuid.UUID,
    session: OpenSession,
    caller: StaffOfVisible,
    filters: Annotated[ListParams, Query()],
) -> Page[SubscriberRow]:
    rows, total = service.subscribers(
        session,
        model_id,
        filters.query,
        filters.skipped,
        filters.limit,
        visible_clients(session, caller),
    )
    return page_of([_subscriber(row) for row in rows], filters.page, filters.limit, total)


@router.put("/models/{model_id}/subscribers")
def change_subscribers(
    model_id: uuid.UUID, body: SubscribersEdit, session: OpenSession, caller: Admin
) -> Reply[ModelRow]:
    added = {row.client_id: row.investment_value for row in body.add}
    changed = service.change_subscribers(
        session, caller, clock.now(), model_id, added, set(body.remove)
    )
    return reply(_row(changed), "Subscribers saved.")


@router.get("/book-limits")
def show_book_limits(session: OpenSession, _: StaffWithoutClients) -> Reply[BookLimitsShown]:
    return reply(_limits(service.limits(session)))


@router.put("/book-limits")
def set_book_limits(
    body: BookLimitsEdit, session: OpenSession, caller: Admin
) -> Reply[BookLimitsShown]:
    values = {
        "holdings_days": body.holdings_days,
        "price_minutes": body.price_minutes,
        "tolerance": body.tolerance_percentage,
    }
    limits = service.set_limits(session, caller, clock.now(), values, body.version)
    return reply(_limits(limits), "Limits saved.")


def _words(body: NewModelVersion) -> Words:
    return Words(body.rationale, body.benchmark, body.universe, body.selection_method, body.risks)


def _constituents(session: Session, body: NewModelVersion) -> list[Constituent]:
    return [_constituent(session, place, row) for place, row in enumerate(body.constituents)]


def _constituent(session: Session, place: int, row: NewConstituent) -> Constituent:
    field = f"constituents.{place}"
    if row.trading_symbol == CASH:
        message = "Cash is what the constituents leave of 100 %: no row is given."
        raise UnfitModel(field, message)
    try:
        return Constituent(instruments.named(session, row), row.allocation_percentage)
    except InstrumentNotFound as error:
        raise UnfitModel(field, error.message) from error


def _row(model: Model) -> ModelRow:
    return ModelRow(**_fields(model))


def _shown(session: Session, model: Model) -> ModelShown:
    tokens = {
        part.instrument.instrument_token
        for version in model.versions
        for part in version.constituents
    }
    quotes = prices.last_prices(session, tokens)
    is_stale = prices.staleness_at(session, clock.now())
    rows = [_version(version, quotes, is_stale) for version in model.versions]
    return ModelShown(**_fields(model), versions=rows)


def _fields(model: Model) -> dict[str, Any]:
    newest, oldest = model.versions[0], model.versions[-1]
    return {
        "id": model.row.id,
        "name": model.row.name,
        "status": model.row.status,
        "version": model.row.version,
        "latest": LatestVersion.of(
            newest.row, stocks=len(newest.constituents), cash_percentage=newest.cash
        ),
        "subscribers": model.subscribers,
        "launched_at": oldest.row.created_at,
        "updated_at": newest.row.created_at,
    }


def _version(
    version: Version, quotes: Mapping[int, Quote], is_stale: Callable[[Quote], bool]
) -> ModelVersionRow:
    constituents = []
    for part in version.constituents:
        stock = part.instrument
        quote = quotes.get(stock.instrument_token)
        constituents.append(
            ConstituentRow.of(
                stock,
                trading_symbol=stock.symbol,
                allocation_percentage=part.allocation,
                ltp=quote.price if quote else None,
                price_at=quote.at if quote else None,
                price_source=quote.source if quote else None,
                is_price_stale=quote is not None and is_stale(quote),
            )
        )
    return ModelVersionRow.of(version.row, cash_percentage=version.cash, constituents=constituents)


def _subscriber(row: Subscriber) -> SubscriberRow:
    return SubscriberRow.of(
        row.client,
        client_id=row.client.code,
        investment_value=row.investment,
        subscribed_at=row.subscribed_at,
        portfolio_value=row.portfolio_value,
    )


def _limits(limits: Limits) -> BookLimitsShown:
    return BookLimitsShown.of(limits, tolerance_percentage=limits.tolerance)
