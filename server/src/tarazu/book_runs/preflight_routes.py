"""The route of the checks before a send, of one client or of a run."""

from typing import Annotated

from fastapi import Body, Request
from pydantic import Discriminator, Tag

from tarazu.advice import service as advice
from tarazu.book_runs import service
from tarazu.book_runs.requests import RunToCheck
from tarazu.book_runs.schemas import CheckShown
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import ReadSession
from tarazu.kit.schemas import Reply, reply

router = authorized_router("/admin/advice")


def _kind_of(body: object) -> str:
    return "run" if isinstance(body, dict) and "runId" in body else "advice"


ToCheck = Annotated[
    Annotated[RunToCheck, Tag("run")] | Annotated[advice.AdviceToSend, Tag("advice")],
    Discriminator(_kind_of),
]


@router.post("/preflight")
def check_before_send(
    body: Annotated[ToCheck, Body()], session: ReadSession, request: Request, caller: Admin
) -> Reply[list[CheckShown]]:
    now, has_mail = clock.now(), bool(request.app.state.settings.smtp_url)
    if isinstance(body, RunToCheck):
        checks = service.checks_before_send(
            session, caller, body.run_id, body.request(), now, has_mail_server=has_mail
        )
    else:
        checks = advice.before_sending(session, caller, body, now, has_mail_server=has_mail)
    return reply(CheckShown.rows(checks))
