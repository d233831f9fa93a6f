"""Calls on the brokers' records, and on the firm's own session with one."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Query, Request, Response
from pydantic import BeforeValidator

from tarazu.brokers import service
from tarazu.brokers.protocol.port import LoginTokens
from tarazu.brokers.requests import EditedBroker, Named, NewBroker
from tarazu.brokers.schemas import (
    Connection,
    Handover,
    ListedBroker,
    LoginAddress,
    ShownBroker,
)
from tarazu.brokers.tables import BrokerName
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, AdminStepUp, StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.openapi_document import refused_with
from tarazu.kit.schemas import Reply, reply

router = authorized_router("")

NamedOrNone = Annotated[Named | None, BeforeValidator(lambda given: given or None)]


@router.get("/brokers")
def list_brokers(session: OpenSession, _: StaffWithoutClients) -> Reply[list[ListedBroker]]:
    return reply(ListedBroker.rows(service.list_brokers(session)))


# Viewing a broker's settings is recorded in the audit log, so this GET writes.
@router.get("/brokers/{broker_id}")
def show_broker(
    broker_id: uuid.UUID, session: WriteSession, caller: StaffWithoutClients
) -> Reply[ShownBroker]:
    broker = service.show_broker(session, caller, broker_id, clock.now())
    return reply(ShownBroker.model_validate(broker))


@router.post("/brokers/add", status_code=HTTPStatus.CREATED, response_model=Reply[ShownBroker])
def add_broker(
    body: NewBroker, session: OpenSession, request: Request, caller: AdminStepUp, once: OnceOnly
) -> Response:
    settings = request.app.state.settings

    def act() -> Any:
        added = service.add_broker(
            session, settings, caller, clock.now(), BrokerName(body.name), body.fields()
        )
        return reply(ShownBroker.model_validate(added), "Broker added successfully")

    def again(answer: Any) -> Any:
        # The key is encrypted in its record, and stored nowhere else.
        key = service.api_key_of(session, uuid.UUID(answer["data"]["_id"]))
        return answer | {"data": answer["data"] | {"apiKey": key}}

    return once.run(session, act, Reply[ShownBroker], HTTPStatus.CREATED, _without_key, again)


@router.put("/brokers/edit")
def edit_broker(
    body: EditedBroker,
    session: OpenSession,
    request: Request,
    caller: AdminStepUp,
    later: BackgroundTasks,
) -> Reply[ShownBroker]:
    edited, lives = service.edit_broker(
        session,
        request.app.state.settings,
        caller,
        clock.now(),
        body.id,
        body.fields(),
        body.version,
    )
    if lives:
        # After the answer: here they are over, and no caller waits for a slow broker.
        later.add_task(service.log_out_all_at_broker, request.app.state.broker_gateway, lives)
    return reply(ShownBroker.model_validate(edited), "Broker updated successfully")


@router.get("/admin/broker")
def show_broker_connection(session: OpenSession, _: StaffWithoutClients) -> Reply[Connection]:
    return reply(Connection.model_validate(service.connection(session, clock.now())))


# Each address has its own stored login state, so this GET writes too.
@router.get("/admin/broker/login-url", responses={409: refused_with(HTTPStatus.CONFLICT)})
def show_broker_login(
    session: WriteSession,
    request: Request,
    caller: Admin,
    broker: Annotated[NamedOrNone, Query()] = None,
) -> Reply[LoginAddress]:
    settings = request.app.state.settings
    name = BrokerName(broker) if broker else None
    started = service.begin_login(session, settings, caller, name, clock.now())
    return reply(LoginAddress.model_validate(started))


@router.post("/admin/broker/connect")
def connect_broker(body: Handover, request: Request, caller: Admin) -> Reply[Connection]:
    login_tokens = LoginTokens(body.request_token, body.refresh_token, body.feed_token)
    state = request.app.state
    connection = service.connect(
        state.database, state.broker_gateway, caller, body.state, login_tokens, clock.now()
    )
    return reply(Connection.model_validate(connection), "Broker connected successfully")


@router.post("/admin/broker/logout")
def log_out_broker(request: Request, caller: Admin) -> Reply[Connection]:
    state, now = request.app.state, clock.now()
    is_told = service.disconnect(state.database, state.broker_gateway, caller, now)
    with state.database.reading() as session:
        connection = service.connection(session, now)
    words = (
        "Logged out at the broker"
        if is_told
        else "Logged out here. The broker did not answer; its session will expire on its own."
    )
    return reply(Connection.model_validate(connection), words)


def _without_key(answer: Any) -> Any:
    return answer | {"data": answer["data"].model_copy(update={"api_key": ""})}
