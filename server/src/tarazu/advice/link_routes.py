"""Calls of staff on the link with which a client opens an advice."""

import uuid
from typing import Any

from fastapi import Request, Response

from tarazu.advice import service
from tarazu.advice.schemas import HandedOver, MadeAdviceLink
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Reply, done, reply

router = authorized_router("/admin/advice")


@router.post("/{advice_id}/link", response_model=Reply[MadeAdviceLink])
def make_advice_link(
    advice_id: uuid.UUID, session: OpenSession, request: Request, caller: Admin, once: OnceOnly
) -> Response:
    settings = request.app.state.settings

    def act() -> Any:
        made = service.make_link(session, settings, caller, advice_id, clock.now())
        return reply(MadeAdviceLink(url=made.url, expires_at=made.expires_at), "Link created")

    def redact(answer: Any) -> Any:
        url = once.sealed(session, answer["data"].url)
        return answer | {"data": answer["data"].model_copy(update={"url": url})}

    def again(answer: Any) -> Any:
        url = once.unsealed(session, answer["data"]["url"])
        return answer | {"data": answer["data"] | {"url": url}}

    return once.run(session, act, Reply[MadeAdviceLink], redact=redact, again=again)


@router.delete("/{advice_id}/link")
def end_advice_link(advice_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.revoke_link(session, caller, advice_id, clock.now())
    return done("Link ended")


@router.post("/{advice_id}/link/handed-over")
def note_advice_link_handed_over(
    advice_id: uuid.UUID, body: HandedOver, session: OpenSession, caller: Admin
) -> Done:
    service.note_handed_over(session, caller, advice_id, body.messenger, clock.now())
    return done("Noted")
