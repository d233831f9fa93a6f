"""Calls on the firm's own record."""

from tarazu.firm import service
from tarazu.firm.schemas import RegistrationNotice
from tarazu.kit.access import Public, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.wire import Reply, reply

router = guarded_router("")


@router.get("/firm")
def show_registration(session: OpenSession, _: Public) -> Reply[RegistrationNotice]:
    return reply(RegistrationNotice.model_validate(service.registration(session)))
