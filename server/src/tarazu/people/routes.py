"""Calls on the records of people."""

from tarazu.kit.access import NotSignedIn, SignedIn, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.wire import Reply, reply
from tarazu.people import service
from tarazu.people.schemas import Profile

router = guarded_router("")


@router.get("/profile")
def show_profile(session: OpenSession, caller: SignedIn) -> Reply[Profile]:
    own = service.staff_by_id(session, caller.account_id) if caller.account_id else None
    if own is None:
        raise NotSignedIn
    return reply(Profile.model_validate(own))
