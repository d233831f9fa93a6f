"""Whether a file as a whole may be imported for the client it is given for."""

import uuid
from collections.abc import Set as AbstractSet

from sqlalchemy.orm import Session

from tarazu.imports.checking import Resolved
from tarazu.imports.errors import (
    ClientIsInactive,
    ClientNotChosen,
    ClientsChanged,
    FileOfAnotherClient,
    FirmFileForOneClient,
)
from tarazu.imports.readers.parsed import FileKind, ParsedFile
from tarazu.imports.records import Records
from tarazu.imports.uploads import ImportRequest
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


def refuse_unfit(
    session: Session, request: ImportRequest, visible: VisibleClients = ALL_CLIENTS
) -> None:
    """Refuse a file that does not fit the chosen client, or needs one."""
    parsed, client = request.file.parsed, request.client
    if parsed.kind == FileKind.CLIENTS:
        if client is not None:
            raise FirmFileForOneClient(
                "This file adds clients; import it without choosing a client."
            )
        return
    if parsed.kind == FileKind.FUNDS:
        codes = {flow.client_code for flow in parsed.flows}
        if client is None and None in codes:
            raise ClientNotChosen
        if client is not None and codes - {client.code, None}:
            raise FirmFileForOneClient(
                f"The file has funds of other clients than {client.code}; "
                "import it without choosing a client."
            )
    elif parsed.kind == FileKind.FIRM_CSV:
        if client is not None and codes_in(parsed) - {client.code}:
            raise FirmFileForOneClient(
                f"This is a firm-wide file with rows of other clients than {client.code}; "
                "import it without choosing a client."
            )
    elif client is None:
        raise ClientNotChosen
    if client is not None:
        if client.status != Status.ACTIVE:
            raise ClientIsInactive(people.why_not_active(client))
        _refuse_foreign(session, parsed.broker_client_id, client, visible)


def _refuse_foreign(
    session: Session, broker_client_id: str | None, client: ClientSummary, visible: VisibleClients
) -> None:
    """Refuse a file from the broker account of another client."""
    if broker_client_id is None:
        return
    known = portfolio.account_summary(session, client.id).broker_user_id
    if known and known.upper() != broker_client_id.upper():
        raise FileOfAnotherClient(
            f"The file belongs to broker account {broker_client_id}, but {client.code} has {known}."
        )
    holders = portfolio.clients_of_broker_user(session, broker_client_id) - {client.id}
    others = [
        card.code if visible.includes(card.id) else "another client"
        for card in people.client_summaries(session, "")
        if card.id in holders
    ]
    if others:
        raise FileOfAnotherClient(
            f"The file belongs to broker account {broker_client_id} of {others[0]}, "
            f"not of {client.code}."
        )


def refuse_changed(resolved: Resolved | Records, active: AbstractSet[uuid.UUID]) -> None:
    """Refuse an import with a client that is not active any more."""
    changed = [card.code for key, card in resolved.clients.items() if key not in active]
    if changed:
        raise ClientsChanged(f"{changed[0]} was changed meanwhile; import the file again.")


def codes_in(parsed: ParsedFile) -> set[str]:
    """The client codes of the holdings and cash rows."""
    codes = {row.client_code for row in parsed.rows} | {row.client_code for row in parsed.cash}
    return {code for code in codes if code is not None}
