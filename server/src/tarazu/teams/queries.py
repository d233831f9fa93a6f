"""Every SQL statement of teams."""

import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from tarazu.kit.db import insert_into
from tarazu.teams.tables import Team, TeamClient, TeamMember, TeamSettings

AT_ONCE = 5_000


def settings(session: Session, *, lock: bool = False) -> TeamSettings | None:
    statement = select(TeamSettings)
    return session.execute(statement.with_for_update() if lock else statement).scalar_one_or_none()


def teams(session: Session) -> Sequence[Team]:
    return session.execute(select(Team).order_by(Team.name_key)).scalars().all()


def team_to_change(session: Session, team_id: uuid.UUID) -> Team | None:
    """A team that nobody else changes, or gives clients to, meanwhile."""
    statement = select(Team).where(Team.id == team_id).with_for_update()
    return session.execute(statement).scalar_one_or_none()


def has_name(session: Session, name_key: str, but: uuid.UUID | None) -> bool:
    statement = select(Team.id).where(Team.name_key == name_key, Team.id != but)
    return session.execute(statement).first() is not None


def members(session: Session) -> Sequence[TeamMember]:
    return session.execute(select(TeamMember)).scalars().all()


def teams_of(session: Session, account_id: uuid.UUID) -> Sequence[Team]:
    statement = select(Team).join(TeamMember, TeamMember.team_id == Team.id)
    statement = statement.where(TeamMember.account_id == account_id)
    return session.execute(statement.order_by(Team.name_key)).scalars().all()


def set_members(session: Session, team_id: uuid.UUID, accounts: Collection[uuid.UUID]) -> None:
    session.execute(delete(TeamMember).where(TeamMember.team_id == team_id))
    session.add_all(TeamMember(account_id=account, team_id=team_id) for account in accounts)
    session.flush()


def client_counts(session: Session) -> dict[uuid.UUID, int]:
    statement = select(TeamClient.team_id, func.count()).group_by(TeamClient.team_id)
    return {row[0]: row[1] for row in session.execute(statement)}


def has_clients(session: Session, team_id: uuid.UUID) -> bool:
    statement = select(TeamClient.client_id).where(TeamClient.team_id == team_id).limit(1)
    return session.execute(statement).first() is not None


def clients_of_teams(team_ids: Collection[uuid.UUID]) -> Select[uuid.UUID]:
    """A subquery: the clients of these teams."""
    statement: Select[uuid.UUID] = select(TeamClient.client_id)
    return statement.where(TeamClient.team_id.in_(team_ids))


def of_team(team_id: uuid.UUID | None) -> Select[uuid.UUID]:
    """A subquery: the clients of a team; of any team for None."""
    statement: Select[uuid.UUID] = select(TeamClient.client_id)
    return statement if team_id is None else statement.where(TeamClient.team_id == team_id)


def team_by_client(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, uuid.UUID]:
    """The team of each of these clients that has one."""
    clients, found = list(ids), {}
    for start in range(0, len(clients), AT_ONCE):
        some = clients[start : start + AT_ONCE]
        statement = select(TeamClient.client_id, TeamClient.team_id)
        rows = session.execute(statement.where(TeamClient.client_id.in_(some)))
        found.update({row.client_id: row.team_id for row in rows})
    return found


def assign(session: Session, ids: Collection[uuid.UUID], team_id: uuid.UUID | None) -> None:
    """Give clients a team, or take theirs away."""
    clients = list(ids)
    for start in range(0, len(clients), AT_ONCE):
        some = clients[start : start + AT_ONCE]
        if team_id is None:
            session.execute(delete(TeamClient).where(TeamClient.client_id.in_(some)))
            continue
        rows = [{"client_id": client_id, "team_id": team_id} for client_id in some]
        added = insert_into(session, TeamClient).values(rows)
        session.execute(
            added.on_conflict_do_update(index_elements=["client_id"], set_={"team_id": team_id})
        )
