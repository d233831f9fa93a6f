"""Routes of a client's tax lots and gains."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response

from tarazu.kit import clock
from tarazu.kit.auth_route import Staff, StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import PDF, Exported, attachment, list_export, note_taken
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.people import service as people
from tarazu.tax import service
from tarazu.tax.answers import lots_shown, year_shown
from tarazu.tax.schemas import EnteredHigh, EnteredLot, EntryRow, Gains, Lots, StatedTaxClass
from tarazu.tax.service import NamedGain, NewEntry, StatedClass
from tarazu.tax.sheets import GAINS, LOTS, LotOfStock

router = authorized_router("/admin")

_CLIENT = "/clients/client/{client_id}"
YearName = Annotated[str | None, Query(max_length=10)]


@router.get(f"{_CLIENT}/lots")
def show_lots(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[Lots]:
    return reply(lots_shown(service.lots_of(session, client_id, clock.now())))


@list_export(router, f"{_CLIENT}/lots/export", "Tax Lots", LOTS)
def export_lots(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Exported[LotOfStock]:
    client = people.client(session, client_id)
    lots = service.lots_of(session, client_id, clock.now())
    rows = [(stock, lot) for stock in lots.stocks for lot in stock.lots]
    return Exported(rows, client=client)


@router.post(f"{_CLIENT}/lots", status_code=HTTPStatus.CREATED, response_model=Reply[EntryRow])
def enter_lot(
    client_id: uuid.UUID, body: EnteredLot, session: OpenSession, caller: Staff, once: OnceOnly
) -> Response:
    now = clock.now()

    def act() -> Any:
        row = service.add_entry(session, caller, now, client_id, _entry(body))
        return reply(EntryRow.model_validate(row), "Saved.")

    return once.run(session, act, Reply[EntryRow], HTTPStatus.CREATED)


@router.put(f"{_CLIENT}/lots/{{entry_id}}")
def change_lot(
    client_id: uuid.UUID, entry_id: uuid.UUID, body: EnteredLot, session: OpenSession, caller: Staff
) -> Reply[EntryRow]:
    row = service.change_entry(session, caller, clock.now(), client_id, entry_id, _entry(body))
    return reply(EntryRow.model_validate(row), "Saved.")


def _entry(body: EnteredLot) -> NewEntry:
    return NewEntry(
        body.kind,
        body.isin,
        body.quantity,
        body.moved_on or body.bought_on or clock.today(),
        body.bought_on,
        body.amount,
        body.demat,
    )


@router.delete(f"{_CLIENT}/lots/{{entry_id}}")
def remove_lot(
    client_id: uuid.UUID, entry_id: uuid.UUID, session: OpenSession, caller: Staff
) -> Done:
    service.remove_entry(session, caller, clock.now(), client_id, entry_id)
    return done("Removed.")


@router.put(f"{_CLIENT}/tax-class")
def set_tax_class(
    client_id: uuid.UUID, body: StatedTaxClass, session: OpenSession, caller: Staff
) -> Reply[StatedTaxClass]:
    stated = StatedClass(body.income, body.version)
    saved = service.set_tax_class(session, caller, clock.now(), client_id, stated)
    return reply(StatedTaxClass.model_validate(saved), "Saved.")


@router.put("/tax/highs-of-2018")
def enter_high(body: EnteredHigh, session: OpenSession, caller: StaffWithoutClients) -> Done:
    service.set_high_of_2018(session, caller, clock.now(), body.isin, body.high)
    return done("Saved.")


@router.get(f"{_CLIENT}/gains")
def show_gains(
    client_id: uuid.UUID, session: OpenSession, _: Staff, year: YearName = None
) -> Reply[Gains]:
    return reply(year_shown(service.year_of(session, client_id, year, clock.now())))


@list_export(router, f"{_CLIENT}/gains/export", "Realised Gains", GAINS)
def export_gains(
    client_id: uuid.UUID, session: OpenSession, _: Staff, year: YearName = None
) -> Exported[NamedGain]:
    shown = service.year_of(session, client_id, year, clock.now())
    return Exported(shown.gains, {"year": shown.year.name}, shown.client)


@router.get(f"{_CLIENT}/gains/statement.pdf", response_class=Response, responses=PDF)
def download_gains_statement(
    client_id: uuid.UUID,
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
    year: YearName = None,
) -> Response:
    now = clock.now()
    client, name, pdf = service.gains_statement(session, client_id, year, caller.name, now)
    note_taken(trail_session, caller, now, client, {"what": "gains-statement", "format": "pdf"})
    return attachment(pdf, name, "application/pdf")
