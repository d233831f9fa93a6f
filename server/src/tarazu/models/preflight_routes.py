"""The checks before a send, of one client or of a run; it stands here as it knows of both."""

from typing import Annotated

from fastapi import Body, Request
from pydantic import Discriminator, Tag

from tarazu.advice import service as advice
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, guarded_router
from tarazu.kit.db import ReadSession
from tarazu.kit.schemas import Reply, reply
from tarazu.models import runs
from tarazu.models.run_schemas import CheckShown, RunToCheck
from tarazu.models.runs import Sending

router = guarded_router("/admin/advice")


def _kind_of(body: object) -> str:
    return "run" if isinstance(body, dict) and "runId" in body else "advice"


ToCheck = Annotated[
    Annotated[RunToCheck, Tag("run")] | Annotated[advice.AdviceToSend, Tag("advice")],
    Discriminator(_kind_of),
]


@router.post("/preflight")
def check_before_send(
    body: Annotated[ToCheck, Body()], session: ReadSession, request: Request, _: Admin
) -> Reply[list[CheckShown]]:
    now, has_mail = clock.now(), bool(request.app.state.settings.smtp_url)
    if isinstance(body, RunToCheck):
        asked = Sending(0, **body.said())
        found = runs.checks_of(session, body.run_id, asked, now, has_mail_server=has_mail)
    else:
        found = advice.before_sending(session, body, now, has_mail_server=has_mail)
    return reply(CheckShown.rows(found))
