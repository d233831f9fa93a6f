"""Records of clients, and the list of clients with live figures."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse, islice

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import LiveBrokerSession
from tarazu.brokers.tables import EndReason
from tarazu.clients.errors import DateOutOfRange, UnfitAccreditation
from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotAllowed
from tarazu.kit.schemas import ListParams
from tarazu.papers import service as papers
from tarazu.people import service as people
from tarazu.people.service import Client, ClientSummary, NewPerson
from tarazu.people.tables import Role, Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.book import Figure, Valued, Worth
from tarazu.prices import service as prices
from tarazu.teams import service as teams
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

MOST_NAMED = 500


@dataclass(frozen=True, slots=True)
class ClientFigures:
    """One row of the client list; `worth` is in units."""

    card: ClientSummary
    worth: Worth
    is_connected: bool
    stale_since: dt.datetime | None
    """The time of the oldest price of the shares held, if it is before the last close."""
    is_action_pending: bool


_LIMITS = frozenset({"family", "kind", "accredited_from", "accredited_until"})
"""What of a client decides how the yearly limit of fees counts."""
_BY_STATUS, _BY_NAME = "status", "name"
_RANKED = frozenset(Figure) - {Figure.CODE} | {_BY_STATUS, _BY_NAME}
"""What clients are put in order by in memory."""


def add_clients(
    session: Session, actor: Actor, now: dt.datetime, new: Sequence[NewPerson]
) -> list[Client]:
    """Add all of these clients or none, each with a code and an empty account.

    Raises:
        EmailTaken: an e-mail address is in use; the row is named.
        NoCodesLeft: C9999 is taken.
        NoOneTeam: the caller sees the clients of teams, but of none or several.
    """
    # The lock of the accounts first, as in every writer of accounts, so that there is no deadlock.
    portfolio.lock_accounts(session)
    team_id = teams.team_of_new_clients(session, actor)
    added = people.add_clients(session, actor, now, new)
    ids = [client.id for client in added]
    portfolio.open_accounts(session, now, ids)
    if team_id is not None:
        teams.assign_clients(session, actor, now, ids, team_id)
    return added


def edit_client(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    changes: Mapping[str, object],
    version: int | None,
) -> Client:
    """Set the columns of `changes`; only ACTIVE clients count in the firm's totals.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the record has changed since `version`.
        DateOutOfRange: the birthday is in the future.
        UnfitAccreditation: a certificate ends before it begins.
        UnfitPaper: a client outside the new family has the same PAN.
    """
    born_on = changes.get("born_on")
    if isinstance(born_on, dt.date) and born_on > clock.day_in_india(now):
        raise DateOutOfRange
    portfolio.lock_accounts(session)
    relatives: Collection[uuid.UUID] = ()
    if _LIMITS & changes.keys():
        fees.lock_fees(session)
        relatives = people.family_of(session, client_id)
    client = people.edit_client(session, actor, now, client_id, changes, version)
    first, last = client.accredited_from, client.accredited_until
    if first is not None and last is not None and first > last:
        raise UnfitAccreditation
    if "family" in changes:
        papers.refuse_shared_pan(session, client_id)
    fees.renew_limits(session, relatives)
    portfolio.count_in_totals(session, now, client_id, counted=client.status == Status.ACTIVE)
    return client


def delete_client(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, version: int | None
) -> list[LiveBrokerSession]:
    """Delete a client: no list, sum or look-up shows it; its data stays.

    Returns:
        The ended sessions, to be logged out at the broker after the commit.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the record has changed since `version`.
    """
    portfolio.lock_accounts(session)
    people.delete_client(session, actor, now, client_id, version)
    sessions = brokers.end_client_sessions(session, actor, client_id, now, EndReason.CLIENT_DELETED)
    portfolio.count_in_totals(session, now, client_id, counted=False)
    fees.list_client(session, client_id, is_listed=False)
    return sessions


def restore_client(session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID) -> None:
    """Restore a deleted client with its code and its data.

    Raises:
        ClientNotFound: there was never such a client.
        EmailTakenMeanwhile: a live record has the e-mail address.
        UnfitPaper: a live client of another family has the same PAN.
    """
    portfolio.lock_accounts(session)
    client = people.restore_client(session, actor, now, client_id)
    papers.refuse_shared_pan(session, client_id)
    portfolio.count_in_totals(session, now, client_id, counted=client.status == Status.ACTIVE)
    fees.list_client(session, client_id, is_listed=True)


def list_clients(
    session: Session,
    now: dt.datetime,
    filters: ListParams,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[list[ClientFigures], int]:
    """One page of clients with their figures at the newest prices, and how many match.

    By client code unless sorted; ties by client code. Values are ranked in memory and only the
    page is read, so the time does not depend on the number of holdings.
    """
    values = portfolio.client_values(session)
    key = filters.sort.removeprefix("-")
    if key in _RANKED:
        ids, total = _ranked_page(session, now, values, filters, visible)
        cards = people.summaries_of(session, ids)
    else:
        cards, total = people.page_of_summaries(session, filters, visible)
    ids = [card.id for card in cards]
    # For many clients, reading the sessions of all is faster than naming each.
    connected = brokers.connected_clients(session, ids if len(ids) <= MOST_NAMED else None, now)
    # By client, the time of the oldest price, if it is before the last close.
    closed_on = prices.day_of_last_close(now, firm.holidays(session))
    fresh_from = clock.start_of(closed_on)
    oldest = portfolio.oldest_prices(session, ids)
    stale = {key: at for key, at in oldest.items() if at < fresh_from}
    pending = portfolio.pending_clients(session)
    rows = [
        ClientFigures(
            card,
            values.worth_of(card.id),
            card.id in connected,
            stale.get(card.id),
            card.id in pending,
        )
        for card in cards
    ]
    return rows, total


def listed_clients(session: Session, caller: Actor, team: uuid.UUID | str | None) -> VisibleClients:
    """The clients of the client list: an administrator may choose a team, or those of none.

    Raises:
        NotAllowed: another than an administrator chose.
    """
    if team is None:
        return teams.visible_clients(session, caller)
    if caller.role != Role.ADMIN:
        raise NotAllowed
    if isinstance(team, uuid.UUID):
        return teams.clients_of_team(session, team)
    return teams.clients_of_no_team(session, people.clients_matching(session, ""))


@dataclass(frozen=True, slots=True)
class ClientTotals:
    """Sums of the client list, in units; None where the figure of a client is not known."""

    clients: int
    portfolio: int | None
    investment: int | None
    pnl: int | None
    cash: int | None


def total_clients(
    session: Session, query: str, visible: VisibleClients = ALL_CLIENTS
) -> ClientTotals:
    """The sums of all clients that match `query`, at the newest prices; without the sample client."""
    values = portfolio.client_values(session)
    if query.strip() or not visible.is_all:
        ids = people.clients_matching(session, query, visible)
    else:
        ids = set(values) - people.client_index(session).gone
    ids -= values.sample
    places = values.clients.places_of(ids)
    return ClientTotals(
        len(ids),
        *(
            values.sum_of(figure, places)
            for figure in (Figure.PORTFOLIO, Figure.INVESTMENT, Figure.PNL, Figure.CASH)
        ),
    )


def _ranked_page(
    session: Session,
    now: dt.datetime,
    values: Valued,
    filters: ListParams,
    visible: VisibleClients,
) -> tuple[list[uuid.UUID], int]:
    """One page of the matching clients in the order of `filters`, and how many match.

    No more of the order is looked at than the page needs.
    """
    matching: Iterable[uuid.UUID] = _ranking(session, now, values, filters.sort)
    if filters.query.strip() or not visible.is_all:
        wanted = people.clients_matching(session, filters.query, visible)
        matching, total = filter(wanted.__contains__, matching), len(wanted)
    else:
        index = people.client_index(session)
        matching, total = filterfalse(index.gone.__contains__, matching), index.live
    return list(islice(matching, filters.skipped, filters.skipped + filters.limit)), total


def _ranking(session: Session, now: dt.datetime, values: Valued, sort: str) -> Sequence[uuid.UUID]:
    """All clients in the order of `sort`; there may be deleted ones among them."""
    key, falls = sort.removeprefix("-"), sort.startswith("-")
    if key == _BY_NAME:
        return people.clients_by_name(session, falls=falls)
    if key != _BY_STATUS:
        return values.ranked(Figure(key), largest_first=falls)
    connected = brokers.connected_clients(session, None, now)
    return sorted(values.ranked(Figure.CODE), key=connected.__contains__, reverse=falls)
