"""Calls on what a client does not want traded."""

import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field
from sqlalchemy.orm import Session

from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Number, Reply, Schema, Whole, reply
from tarazu.people import service as people
from tarazu.portfolio import restrictions
from tarazu.portfolio.errors import UnfitRestriction
from tarazu.portfolio.restrictions import MOST_RESTRICTIONS, Restricted, Restrictions
from tarazu.portfolio.sheets import RESTRICTIONS

router = guarded_router("/admin/clients/client/{client_id}/restrictions")

LONGEST_REASON = 300


def _reason(text: str) -> str:
    plain = text.strip()
    if len(plain) > LONGEST_REASON or not is_plain(plain):
        raise ValueError("A reason has at most 300 characters, none of them for control.")
    return plain


def _none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


Token = Annotated[Annotated[Whole, Field(ge=1, le=2**62)] | None, BeforeValidator(_none_if_blank)]
End = Annotated[Number | None, BeforeValidator(_none_if_blank)]


class RestrictionWanted(Schema):
    trading_symbol: Annotated[
        str, Field(min_length=1, max_length=40), AfterValidator(lambda text: text.strip().upper())
    ]
    exchange: Annotated[str, Field(max_length=10)] = "NSE"
    instrument_token: Token = None
    kind: Kind
    minimum_percentage: End = None
    maximum_percentage: End = None
    reason: Annotated[str, AfterValidator(_reason)] = ""


class RestrictionsWanted(Schema):
    """The whole list; what is not in it is taken away."""

    version: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = None
    restrictions: Annotated[list[RestrictionWanted], Field(max_length=MOST_RESTRICTIONS)]


class RestrictionRow(Schema):
    trading_symbol: str
    exchange: str
    isin: str
    name: str
    instrument_token: int
    kind: Kind
    minimum_percentage: Number | None
    maximum_percentage: Number | None
    reason: str


class RestrictionsShown(Schema):
    """`version` is 0 before the first were set."""

    version: int
    restrictions: list[RestrictionRow]


@router.get("")
def show_restrictions(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[RestrictionsShown]:
    people.client(session, client_id)
    return reply(_shown(restrictions.restrictions_of(session, client_id)))


@list_export(router, "/export", "Restrictions", RESTRICTIONS)
def export_restrictions(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Exported[Restricted]:
    client = people.client(session, client_id)
    return Exported(restrictions.restrictions_of(session, client_id).rows, client=client)


@router.put("")
def set_restrictions(
    client_id: uuid.UUID, body: RestrictionsWanted, session: OpenSession, caller: Admin
) -> Reply[RestrictionsShown]:
    people.client(session, client_id)
    wanted = [_wanted(session, place, one) for place, one in enumerate(body.restrictions)]
    kept = restrictions.set_restrictions(
        session, caller, clock.now(), client_id, wanted, body.version
    )
    return reply(_shown(kept), "Restrictions saved.")


def _wanted(session: Session, place: int, one: RestrictionWanted) -> Restricted:
    try:
        listed = instruments.by_symbol(session, one.exchange, one.trading_symbol)
    except InstrumentNotFound as error:
        raise UnfitRestriction(place, error.message) from error
    if one.instrument_token not in {None, listed.instrument_token}:
        raise UnfitRestriction(place, f"{listed.symbol}: the token is of another stock.")
    kept = Restriction(one.kind, one.minimum_percentage, one.maximum_percentage)
    return Restricted(listed, kept, one.reason)


def _shown(found: Restrictions) -> RestrictionsShown:
    return RestrictionsShown(
        version=found.version,
        restrictions=[
            RestrictionRow(
                trading_symbol=one.instrument.symbol,
                exchange=one.instrument.exchange,
                isin=one.instrument.isin,
                name=one.instrument.name,
                instrument_token=one.instrument.instrument_token,
                kind=one.restriction.kind,
                minimum_percentage=one.restriction.minimum,
                maximum_percentage=one.restriction.maximum,
                reason=one.reason,
            )
            for one in found.rows
        ],
    )
