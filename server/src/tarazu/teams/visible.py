"""`VisibleClients`: the clients that a caller may see, resolved once for each call.

Services take it as an argument. It is one set of clients, read in the transaction of the call, so
all parts of an answer are of one moment, also where clients are moved meanwhile.
"""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Uuid, any_, bindparam
from sqlalchemy.orm import Session

from tarazu.kit import table_versions
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import part_of, reads_one_moment
from tarazu.teams import queries
from tarazu.teams.tables import TeamClient, TeamMember, TeamSettings

_MOST_KEPT = 200
_NARROWED_ROLE = "USER"


@dataclass(frozen=True, slots=True, eq=False)
class VisibleClients:
    """All clients (`ids` is None), or these; `test` is what a WHERE asks of a column of ids.

    Compared by identity: for sessions that read one moment, an account has the same object until
    the teams or their clients change.
    """

    ids: frozenset[uuid.UUID] | None = None
    test: Callable[[Any], ColumnElement[bool]] | None = None

    @property
    def is_all(self) -> bool:
        """Whether these are all clients."""
        return self.ids is None

    def includes(self, client_id: uuid.UUID | None) -> bool:
        """Whether this client is one of them."""
        return self.ids is None or client_id in self.ids

    def among(self, client_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
        """Those of these clients that are among them."""
        return set(client_ids) if self.ids is None else set(self.ids.intersection(client_ids))

    def condition(self, column: Any) -> list[ColumnElement[bool]]:
        """What a WHERE needs so that a column names these clients alone; nothing for all."""
        return [] if self.test is None else [self.test(column)]


ALL_CLIENTS = VisibleClients()


class _KeptVisible:
    """What was last read, by account, with the versions of the tables that it is of."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.versions: tuple[int, ...] = ()
        self.accounts: dict[uuid.UUID, VisibleClients] = {}


_TABLES = (TeamSettings.__tablename__, TeamMember.__tablename__, TeamClient.__tablename__)


def visible_clients(session: Session, caller: Actor) -> VisibleClients:
    """The clients that a caller may see now: all, or those of a USER's teams while the setting is on."""
    if caller.role != _NARROWED_ROLE or caller.account_id is None:
        return ALL_CLIENTS
    own = _own_of(session, caller.account_id)
    if own.ids is None or reads_one_moment(session):
        return own
    # Each statement reads what is committed by then; the clients must not change between two.
    listed = list(own.ids)
    return VisibleClients(
        own.ids,
        lambda column: column == any_(bindparam(None, listed, ARRAY(Uuid()), unique=True)),
    )


def clients_of_team(session: Session, team_id: uuid.UUID) -> VisibleClients:
    """The clients of one team, to filter a list by."""
    clients = queries.of_team(team_id)
    ids = frozenset(session.execute(clients).scalars())
    return VisibleClients(ids, lambda column: column.in_(clients))


def clients_of_no_team(session: Session, everybody: Iterable[uuid.UUID]) -> VisibleClients:
    """Those of `everybody` who belong to no team, to filter a list by."""
    clients = queries.of_team(None)
    ids = frozenset(everybody).difference(session.execute(clients).scalars())
    return VisibleClients(ids, lambda column: column.not_in(clients))


def _own_of(session: Session, account_id: uuid.UUID) -> VisibleClients:
    """What an account sees: the clients of its teams while the setting is on."""
    kept = part_of(session, _KeptVisible)
    # Before the rows are read: they may be newer than the versions, never older.
    numbers = table_versions.numbers(session)
    versions = tuple(numbers.get(name, 0) for name in _TABLES)
    with kept.lock:
        if kept.versions == versions and account_id in kept.accounts:
            return kept.accounts[account_id]
    setting = queries.settings(session)
    own = ALL_CLIENTS
    if setting is not None and setting.is_on:
        clients = queries.clients_of_teams(
            [team.id for team in queries.teams_of(session, account_id)]
        )
        # Looked up for each row, so that a page costs what it shows.
        own = VisibleClients(
            frozenset(session.execute(clients).scalars()),
            lambda column: clients.where(TeamClient.client_id == column).exists(),
        )
    with kept.lock:
        # An older reader must not put its rows in the place of newer ones.
        if max(kept.versions, versions) == versions:
            if kept.versions != versions or len(kept.accounts) >= _MOST_KEPT:
                kept.versions, kept.accounts = versions, {}
            kept.accounts[account_id] = own
    return own
