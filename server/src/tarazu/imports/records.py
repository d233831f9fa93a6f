"""Files that add records: clients, funds in and out, trades. Existing records stay unchanged."""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.imports.readers.parsed import (
    FileWarning,
    ParsedClient,
    ParsedFile,
    ParsedFlow,
    RefusedRow,
)
from tarazu.imports.trade_records import (
    OrderChange,
    RecordChange,
    TradesOfFile,
    add_trades,
    match_trades,
)
from tarazu.kit.audit_log import Actor
from tarazu.kit.translation import Language
from tarazu.people import service as people
from tarazu.people.service import ClientSummary, NewPerson
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewFlow
from tarazu.portfolio.tables import FlowType

EARLIEST: Final = dt.date(1980, 1, 1)


@dataclass(frozen=True, slots=True)
class ClientToAdd:
    """A client to be added; the code is empty until the client is added."""

    line: int
    client_id: str
    name: str
    email: str
    country_code: str
    contact_number: str
    language: Language


@dataclass(frozen=True, slots=True)
class FlowChange:
    """Funds of one client; UNCHANGED if Accounting has the same day, amount and type."""

    line: int
    client_id: str
    client_name: str
    date: dt.date
    amount: Rupees
    type: FlowType
    change: RecordChange


@dataclass(slots=True)
class Records:
    """The rows of a file that can be imported, and the refused rows by line."""

    new_clients: list[ClientToAdd] = field(default_factory=list)
    flows: list[FlowChange] = field(default_factory=list)
    orders: list[OrderChange] = field(default_factory=list)
    trading: TradesOfFile = field(default_factory=TradesOfFile)
    clients: dict[uuid.UUID, ClientSummary] = field(default_factory=dict)
    refused: list[RefusedRow] = field(default_factory=list)
    warnings: list[FileWarning] = field(default_factory=list)

    @property
    def added(self) -> int:
        """How many records the file adds."""
        flows = sum(row.change is RecordChange.ADDED for row in self.flows)
        orders_added = sum(row.change is RecordChange.ADDED for row in self.orders)
        return len(self.new_clients) + flows + orders_added

    @property
    def unchanged(self) -> int:
        """How many records exist already."""
        return len(self.flows) + len(self.orders) + len(self.new_clients) - self.added

    @property
    def is_empty(self) -> bool:
        """Whether no row can be imported."""
        return not (self.new_clients or self.flows or self.orders)


def resolve(
    session: Session,
    parsed: ParsedFile,
    by_code: Mapping[str, ClientSummary],
    chosen: ClientSummary | None,
    today: dt.date,
) -> Records:
    """Match every row of the file with clients and existing records.

    Args:
        by_code: the live clients, by client code.
        chosen: the client that the file belongs to.
        today: the day in India; funds cannot be moved after it.
    """
    records = Records(refused=list(parsed.refused), warnings=list(parsed.warnings))
    _match_clients(session, parsed.clients, records)
    _match_flows(session, parsed.flows, by_code, chosen, today, records)
    if chosen is not None and parsed.trades:
        records.clients[chosen.id] = chosen
        records.trading = match_trades(session, parsed, chosen)
        records.orders = records.trading.orders
        records.refused += records.trading.refused
    records.refused.sort(key=lambda row: row.line)
    return records


def apply(
    session: Session, actor: Actor, now: dt.datetime, records: Records
) -> Mapping[str, Sequence[str]]:
    """Add the new records, and return the codes of the changed clients.

    The feature of each record writes its audit row.

    Raises:
        EmailTaken, NoCodesLeft: a client cannot be added; nothing is.
    """
    codes = _add_clients(session, actor, now, records)
    for row in records.flows:
        if row.change is RecordChange.ADDED:
            new = NewFlow(row.date, row.amount, row.type)
            portfolio.record_cash_flow(session, actor, now, _id_of(records, row.client_id), new)
    add_trades(session, now, records.trading)
    return {"clients": codes or sorted(card.code for card in records.clients.values())}


def _add_clients(
    session: Session, actor: Actor, now: dt.datetime, records: Records
) -> Sequence[str]:
    if not records.new_clients:
        return []
    new = [
        NewPerson(new.name, new.email, new.contact_number, new.country_code, language=new.language)
        for new in records.new_clients
    ]
    added = people.add_clients(session, actor, now, new)
    portfolio.open_accounts(session, now, [client.id for client in added])
    records.new_clients = [
        replace(new, client_id=client.code)
        for new, client in zip(records.new_clients, added, strict=True)
    ]
    return [client.code for client in added]


# ----------------------------------------------------------------------------------- clients


def _match_clients(session: Session, rows: Sequence[ParsedClient], records: Records) -> None:
    taken = people.emails_taken(session, [row.email for row in rows])
    for row in rows:
        if row.email in taken:
            text = f"{row.name}, {row.email}"
            records.refused.append(
                RefusedRow(row.line, text, f"{row.email} is registered already.")
            )
        else:
            records.new_clients.append(
                ClientToAdd(
                    row.line,
                    "",
                    row.name,
                    row.email,
                    row.country_code,
                    row.contact_number,
                    row.language,
                )
            )


# ------------------------------------------------------------------------------------- funds


def _match_flows(
    session: Session,
    rows: Sequence[ParsedFlow],
    by_code: Mapping[str, ClientSummary],
    chosen: ClientSummary | None,
    today: dt.date,
    records: Records,
) -> None:
    present: dict[uuid.UUID, Counter[tuple[dt.date, Rupees]]] = {}
    for row in rows:
        client = by_code.get(row.client_code) if row.client_code else chosen
        reason = _refusal_of(row, client, today)
        if reason or client is None:
            text = f"{row.client_code or ''} {row.date}, {row.amount:f}".strip()
            records.refused.append(RefusedRow(row.line, text, reason))
            continue
        if client.id not in present:
            present[client.id] = _present_flows(session, client, records)
        records.clients[client.id] = client
        key = (row.date, row.amount)
        exists = present[client.id][key] > 0
        # Two equal amounts on one day are two flows: each existing flow matches one row.
        present[client.id][key] -= exists
        flow_row = FlowChange(
            row.line,
            client.code,
            client.name,
            row.date,
            abs(row.amount),
            FlowType.FUNDS_ADDED if row.amount > 0 else FlowType.FUNDS_WITHDRAWN,
            RecordChange.UNCHANGED if exists else RecordChange.ADDED,
        )
        records.flows.append(flow_row)


def _refusal_of(row: ParsedFlow, client: ClientSummary | None, today: dt.date) -> str:
    if client is None:
        return f"{row.client_code} is not a client here." if row.client_code else "No client."
    if client.status != Status.ACTIVE:
        return people.why_not_active(client)
    if not EARLIEST <= row.date <= today:
        return f"The date {row.date} is in the future or before {EARLIEST.year}."
    return ""


def _present_flows(
    session: Session, client: ClientSummary, records: Records
) -> Counter[tuple[dt.date, Rupees]]:
    if portfolio.account_summary(session, client.id).started_on is None:
        text = f"{client.code} has no starting date yet; all its funds count from the first one."
        records.warnings.append(FileWarning(None, text))
    return Counter(
        (flow.date, flow.amount if flow.type == FlowType.FUNDS_ADDED else -flow.amount)
        for flow in portfolio.cash_flows_of(session, client.id)
    )


def _id_of(records: Records, code: str) -> uuid.UUID:
    return next(key for key, card in records.clients.items() if card.code == code)
