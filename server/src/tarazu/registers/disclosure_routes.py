"""Routes of the holdings and trades that staff declare; everybody their own, an ADMIN all."""

import uuid
from typing import Annotated

from fastapi import Query

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.auth_route import StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.registers import service
from tarazu.registers.schemas import (
    DeclarationRow,
    EndedHolding,
    EnteredDeclaration,
    RegisterParams,
)
from tarazu.registers.service import Declaration
from tarazu.registers.sheets import DECLARATIONS

router = authorized_router("/admin/disclosures")

Filters = Annotated[RegisterParams, Query()]


@router.get("")
def list_declarations(
    session: OpenSession, caller: StaffWithoutClients, params: Filters
) -> Page[DeclarationRow]:
    rows, total = service.list_declarations(session, caller, params, is_open=params.is_open)
    return page_of(DeclarationRow.rows(rows), params.page, params.limit, total)


@list_export(router, "/export", "Staff Holdings and Trades", DECLARATIONS, names_clients=False)
def export_declarations(
    session: OpenSession, caller: StaffWithoutClients, params: Filters
) -> Exported[Declaration]:
    rows, _total = service.list_declarations(session, caller, whole(params), is_open=params.is_open)
    return Exported(rows, params)


@router.post("")
def declare_interest(
    body: EnteredDeclaration, session: OpenSession, caller: StaffWithoutClients
) -> Reply[DeclarationRow]:
    stock = instruments.named(session, body)
    declared = service.add_declaration(session, caller, clock.now(), body.fields(), stock)
    return reply(DeclarationRow.model_validate(declared), "Declaration added")


@router.put("/{entry_id}")
def edit_declaration(
    entry_id: uuid.UUID, body: EnteredDeclaration, session: OpenSession, caller: StaffWithoutClients
) -> Reply[DeclarationRow]:
    stock = instruments.named(session, body)
    declared = service.edit_declaration(
        session, caller, clock.now(), entry_id, body.fields(), stock, body.version
    )
    return reply(DeclarationRow.model_validate(declared), "Declaration saved")


@router.post("/{entry_id}/end")
def end_holding(
    entry_id: uuid.UUID, body: EndedHolding, session: OpenSession, caller: StaffWithoutClients
) -> Reply[DeclarationRow]:
    declared = service.end_holding(
        session, caller, clock.now(), entry_id, body.ended_on, body.version
    )
    return reply(DeclarationRow.model_validate(declared), "End of the holding recorded")
