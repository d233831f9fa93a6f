"""Routes of clients' broker connections: for staff, and for clients with a link."""

import uuid
from typing import Any

from fastapi import Request, Response

from tarazu.auth.guards import Visiting
from tarazu.brokers.errors import LinkInvalid, LoginNotBegun
from tarazu.brokers.service import LoginReturn, LoginTokens
from tarazu.brokers.tables import EndReason
from tarazu.clients import connections
from tarazu.clients.connection_schemas import (
    BegunLogin,
    ChosenSession,
    ClientConnection,
    HandedSession,
    IdToConfirm,
    LinkLogin,
    LinkToken,
    MadeLink,
    ShownLink,
    TakenSession,
    WaitingLink,
    WantedLink,
)
from tarazu.clients.connections import ConnectionView
from tarazu.kit import clock, security
from tarazu.kit.auth_route import Public, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.rate_limit import Limit
from tarazu.kit.schemas import Reply, reply
from tarazu.teams.service import visible_clients

router = authorized_router("")

WRONG_LINKS = Limit(20, 15 * 60)
"""From one address; a valid link still works, because many phones may share the address."""
LOGINS = Limit(100, 3600)
"""By one link."""
LINKS = Limit(200, 3600)


# A POST although it only reads, so that the link's token is in no URL and no log.
@router.post("/broker-links/show")
def show_broker_link(
    body: LinkToken, session: OpenSession, visit: Visiting, _: Public
) -> Reply[ShownLink]:
    try:
        link = connections.show_link(session, body.token, visit.now)
    except LinkInvalid:
        _refuse_guessing(visit)
        raise
    return reply(ShownLink.model_validate(link))


@router.post("/broker-links/begin")
def begin_broker_login(
    body: LinkLogin, session: OpenSession, visit: Visiting, _: Public
) -> Reply[BegunLogin]:
    in_app = body.return_to == "app"
    try:
        begun = connections.begin_login(
            session, visit.settings, body.token, body.broker, visit.now, in_app=in_app
        )
    except LinkInvalid:
        _refuse_guessing(visit)
        raise
    visit.limits.take(f"broker-login:{security.token_digest(body.token)}", LOGINS)
    return reply(BegunLogin.model_validate(begun))


@router.post("/brokers/session")
def hand_over_session(
    body: HandedSession, request: Request, visit: Visiting, _: Public
) -> Reply[TakenSession]:
    handed = LoginTokens(
        body.request_token or body.auth_token,
        body.refresh_token,
        body.feed_token,
        is_request_token=bool(body.request_token),
    )
    try:
        taken = connections.finish_login(
            visit.database,
            request.app.state.broker_gateway,
            visit.nobody,
            LoginReturn(body.state, body.link_token),
            handed,
            visit.now,
        )
    except (LinkInvalid, LoginNotBegun):
        _refuse_guessing(visit)
        raise
    return reply(TakenSession.model_validate(taken), "Broker connected successfully")


@router.get("/admin/clients/broker-ids-to-confirm")
def list_broker_ids_to_confirm(
    session: OpenSession, caller: StaffOfVisible
) -> Reply[list[IdToConfirm]]:
    visible = visible_clients(session, caller)
    return reply(IdToConfirm.rows(connections.ids_to_confirm(session, clock.now(), visible)))


@router.get("/admin/clients/client/{client_id}/connection")
def show_client_connection(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[ClientConnection]:
    return reply(_connection(connections.connection_of(session, client_id, clock.now())))


@router.post("/admin/clients/client/{client_id}/connect-link", response_model=Reply[MadeLink])
def make_connect_link(
    client_id: uuid.UUID,
    body: WantedLink,
    session: OpenSession,
    request: Request,
    caller: Staff,
    once: OnceOnly,
) -> Response:
    request.app.state.limits.take(f"connect-links:{caller.account_id}", LINKS)

    def act() -> Any:
        made = connections.make_link(
            session, request.app.state.settings, caller, client_id, clock.now(), mailed=body.send
        )
        shown = MadeLink(url=None if body.send else made.url, expires_at=made.expires_at)
        return reply(shown, "Connect link sent" if body.send else "Connect link made")

    def redact(answer: Any) -> Any:
        # Anyone with the link can log in as the client, so it is stored encrypted.
        url = once.sealed(session, answer["data"].url)
        return answer | {"data": answer["data"].model_copy(update={"url": url})}

    def again(answer: Any) -> Any:
        url = once.unsealed(session, answer["data"]["url"])
        return answer | {"data": answer["data"] | {"url": url}}

    return once.run(session, act, Reply[MadeLink], redact=redact, again=again)


@router.post("/admin/clients/client/{client_id}/connection/confirm")
def confirm_broker_id(
    client_id: uuid.UUID, body: ChosenSession, session: OpenSession, caller: Staff
) -> Reply[ClientConnection]:
    now = clock.now()
    connections.confirm_id(session, caller, client_id, body.session_id, now)
    shown = _connection(connections.connection_of(session, client_id, now))
    return reply(shown, "Broker ID confirmed")


@router.post("/admin/clients/client/{client_id}/connection/refuse")
def refuse_broker_id(
    client_id: uuid.UUID, body: ChosenSession, request: Request, caller: Staff
) -> Reply[ClientConnection]:
    database, gateway = request.app.state.database, request.app.state.broker_gateway
    now = clock.now()
    connections.refuse_id(database, gateway, caller, client_id, body.session_id, now)
    return _shown(request, client_id, "Broker ID refused")


@router.post("/admin/clients/client/{client_id}/connection/end")
def end_client_connection(
    client_id: uuid.UUID, request: Request, caller: Staff
) -> Reply[ClientConnection]:
    database, gateway = request.app.state.database, request.app.state.broker_gateway
    connections.end_sessions(database, gateway, caller, client_id, clock.now())
    return _shown(request, client_id, "Broker session ended")


@router.post("/admin/clients/client/{client_id}/connection/forget-id")
def forget_broker_id(
    client_id: uuid.UUID, request: Request, caller: Staff
) -> Reply[ClientConnection]:
    database, gateway = request.app.state.database, request.app.state.broker_gateway
    connections.forget_id(database, gateway, caller, client_id, clock.now())
    return _shown(request, client_id, "Broker ID forgotten")


def _refuse_guessing(visit: Visiting) -> None:
    visit.limits.take(f"broker-link:{visit.place}", WRONG_LINKS)


def _shown(request: Request, client_id: uuid.UUID, message: str) -> Reply[ClientConnection]:
    with request.app.state.database.reading() as session:
        view = connections.connection_of(session, client_id, clock.now())
    return reply(_connection(view), message)


def _connection(view: ConnectionView) -> ClientConnection:
    broker_session, link = view.connection.session, view.connection.link
    return ClientConnection(
        state=view.connection.state.value,
        broker=view.broker,
        user_broker_id=view.broker_user_id,
        can_connect=view.is_ready,
        session_id=broker_session.id if broker_session else None,
        session_broker=broker_session.broker if broker_session else None,
        reported_id=broker_session.broker_user_id if broker_session else None,
        connected_at=broker_session.connected_at if broker_session else None,
        connected_until=broker_session.expires_at if broker_session else None,
        confirmed_at=broker_session.confirmed_at if broker_session else None,
        confirmed_by=view.confirmed_by,
        ended_at=broker_session.ended_at if broker_session else None,
        end_reason=EndReason(broker_session.end_reason)
        if broker_session and broker_session.end_reason
        else None,
        link=WaitingLink.model_validate(link) if link else None,
    )
