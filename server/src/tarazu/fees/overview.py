"""The Fees screen: what each client was charged, and the sums of all clients."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.fees import queries
from tarazu.fees.figures import ClientFee, FeeAfterFlows, PassedLimit, changes_by_flows
from tarazu.fees.queries import ClientFeeFilter, Due, ListedCounts
from tarazu.fees.tables import ClientFeeSum, FeeStatus
from tarazu.firm import service as firm
from tarazu.firm.service import FeeTerms
from tarazu.kit import table_versions
from tarazu.kit.db import part_of
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_MOST_KEPT = 100


@dataclass(frozen=True, slots=True)
class ClientFees:
    """The sums of one client's fees."""

    id: uuid.UUID
    client_id: str
    user_name: str
    total_fees: Rupees
    total_due: Rupees
    due_date: dt.date | None
    total_paid: Rupees
    paid_date: dt.date | None
    passed_limit: PassedLimit | None
    flows_changed: Sequence[FeeAfterFlows]

    @property
    def status(self) -> FeeStatus:
        """DUE while any fee is due."""
        return FeeStatus.DUE if self.total_due > ZERO else FeeStatus.PAID

    @property
    def is_over_limit(self) -> bool:
        """Whether the family is over the yearly limit."""
        return self.passed_limit is not None


@dataclass(frozen=True, slots=True)
class FeeSums:
    """The sums of all clients' fees, in rupees."""

    total_fees: Rupees
    total_paid: Rupees
    total_due: Rupees


def list_client_fees(
    session: Session,
    filters: ClientFeeFilter,
    today: dt.date,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[list[ClientFees], int]:
    """One page of clients with the sums of their fees, and how many match.

    The earliest due date first unless sorted; ties by client code; rows without the sorted figure
    last. With a range of days: clients who paid a fee in it, with the last such day.
    """
    is_search = bool(filters.query.strip())
    searched = people.clients_matching(session, filters.query) if is_search else None
    rows = queries.listed_sums(session, filters, searched, today, visible)
    client_ids = [row.client_id for row in rows]
    passed, changed = _passed_limits(session, client_ids), _flows_changed(session, client_ids)
    fees = [
        ClientFees(
            row.client_id,
            row.client_code,
            row.name,
            row.paid + row.due,
            row.due,
            row.due_on,
            row.paid,
            row.paid_on,
            passed.get(row.client_id),
            changed.get(row.client_id, ()),
        )
        for row in rows
    ]
    if is_search or filters.due or filters.since or filters.until:
        return fees, queries.count_listed(session, filters, searched, today, visible)
    return fees, _listed_counts(session, today, visible).clients


def due_counts(
    session: Session, today: dt.date, visible: VisibleClients = ALL_CLIENTS
) -> Mapping[Due, int]:
    """How many clients of the Fees screen have fees due, and overdue fees."""
    return _listed_counts(session, today, visible).by_due


def _listed_counts(session: Session, today: dt.date, visible: VisibleClients) -> ListedCounts:
    """Counted again only after a change, on another day or for a caller with other clients."""
    version = table_versions.number_of(session, ClientFeeSum), today
    kept = part_of(session, _Kept)
    known = kept.at
    if known[0] != version or len(known[1]) > _MOST_KEPT:
        known = kept.at = version, {}
    counts = known[1].get(visible)
    if counts is None:
        counts = known[1][visible] = queries.listed_counts(session, today, visible)
    return counts


@dataclass(slots=True)
class _Kept:
    """The version of the table and the day, and what was counted then by the clients counted."""

    at: tuple[object, dict[VisibleClients, ListedCounts]] = (None, {})


def sums(session: Session, visible: VisibleClients = ALL_CLIENTS) -> FeeSums:
    """The sums of all rows of the Fees screen."""
    if visible.is_all:
        paid, due = queries.listed_totals(session)
    else:
        paid, due = queries.listed_totals_of(session, visible)
    return FeeSums(paid + due, paid, due)


def list_client(session: Session, client_id: uuid.UUID, *, is_listed: bool) -> None:
    """Show a client's fees on the Fees screen and in its sums, or hide them."""
    queries.lock_fees(session)
    sums = queries.client_sums(session, client_id)
    if sums is None or sums.is_listed == is_listed:
        return
    sums.is_listed = is_listed
    sign = 1 if is_listed else -1
    queries.add_to_listed_totals(session, sign * sums.paid, sign * sums.due)
    session.flush()


def renew_sums(session: Session, client: Client) -> None:
    """Write the sums of a client's fees."""
    session.flush()
    row = queries.sums_of(session, client.id)
    sums = queries.client_sums(session, client.id)
    before = (sums.paid, sums.due) if sums else (ZERO, ZERO)
    paid, due = (row.paid or ZERO) - (row.refunded or ZERO), row.due or ZERO
    if sums is None:
        sums = ClientFeeSum(client_id=client.id, client_code=client.code, is_listed=True)
        session.add(sums)
    sums.fees, sums.paid, sums.due, sums.paid_on = row.fees, paid, due, row.paid_on
    sums.due_on, sums.next_due_on = row.due_on, row.due_on or dt.date.max
    if not row.fees:
        session.delete(sums)
    session.flush()
    queries.add_to_listed_totals(session, paid - before[0], due - before[1])


def terms_by_id(session: Session) -> Mapping[uuid.UUID | None, FeeTerms]:
    """The terms of every version of the fee schedule."""
    return {version.id: version.terms for version in firm.fee_schedules(session)}


def _passed_limits(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, PassedLimit | None]:
    """By client, the latest fee over the yearly limit."""
    fees = queries.past_limit(session, client_ids)
    terms = terms_by_id(session) if fees else {}
    return {fee.client_id: ClientFee(fee, terms.get(fee.schedule_id)).passed_limit for fee in fees}


def _flows_changed(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[FeeAfterFlows]]:
    """By client, the fees whose cash flows have changed since, oldest first."""
    charged = queries.charged_to(session, client_ids)
    if not charged:
        return {}
    terms, flows = terms_by_id(session), portfolio.signed_flows_of_all(session, client_ids)
    by_client: dict[uuid.UUID, list[FeeAfterFlows]] = {}
    for fee in sorted(charged, key=lambda fee: fee.starting_on):
        changed = changes_by_flows(fee, terms.get(fee.schedule_id), flows.get(fee.client_id, ()))
        if changed is not None:
            by_client.setdefault(fee.client_id, []).append(changed)
    return by_client
