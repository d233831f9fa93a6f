"""Routes of a client's restrictions."""

import uuid

from sqlalchemy.orm import Session

from tarazu.domain.restrictions import Restriction
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.schemas import Reply, reply
from tarazu.people import service as people
from tarazu.restrictions import service
from tarazu.restrictions.errors import UnfitRestriction
from tarazu.restrictions.schemas import RestrictionsShown, RestrictionsWanted, RestrictionWanted
from tarazu.restrictions.service import ClientRestriction
from tarazu.restrictions.sheets import RESTRICTIONS

router = authorized_router("/admin/clients/client/{client_id}/restrictions")


@router.get("")
def show_restrictions(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[RestrictionsShown]:
    people.client(session, client_id)
    restrictions = service.restrictions_of(session, client_id)
    return reply(RestrictionsShown.model_validate(restrictions))


@list_export(router, "/export", "Restrictions", RESTRICTIONS)
def export_restrictions(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Exported[ClientRestriction]:
    client = people.client(session, client_id)
    return Exported(service.restrictions_of(session, client_id).restrictions, client=client)


@router.put("")
def set_restrictions(
    client_id: uuid.UUID, body: RestrictionsWanted, session: OpenSession, caller: Admin
) -> Reply[RestrictionsShown]:
    people.client(session, client_id)
    rows = [_restriction(session, place, row) for place, row in enumerate(body.restrictions)]
    saved = service.set_restrictions(session, caller, clock.now(), client_id, rows, body.version)
    return reply(RestrictionsShown.model_validate(saved), "Restrictions saved.")


def _restriction(session: Session, place: int, row: RestrictionWanted) -> ClientRestriction:
    try:
        instrument = instruments.named(session, row)
    except InstrumentNotFound as error:
        raise UnfitRestriction(place, error.message) from error
    restriction = Restriction(row.kind, row.minimum_percentage, row.maximum_percentage)
    return ClientRestriction(instrument, restriction, row.reason)
