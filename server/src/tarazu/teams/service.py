"""The door to teams: who belongs to them, which clients they have, and what a caller may see."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.teams import queries
from tarazu.teams.errors import NoOneTeam, TeamHasClients, TeamNameTaken, TeamNotFound
from tarazu.teams.tables import Team, TeamSettings
from tarazu.teams.visible import (
    ALL_CLIENTS,
    VisibleClients,
    clients_of_no_team,
    clients_of_team,
    visible_clients,
)

__all__ = [
    "ALL_CLIENTS",
    "VisibleClients",
    "clients_of_no_team",
    "clients_of_team",
    "visible_clients",
]


@dataclass(frozen=True, slots=True)
class ListedTeam:
    """A team with the accounts of its members and the number of its clients."""

    id: uuid.UUID
    name: str
    members: tuple[uuid.UUID, ...]
    clients: int
    version: int


@dataclass(frozen=True, slots=True)
class Setting:
    """Whether a USER sees the clients of the own teams alone."""

    is_on: bool
    version: int


OFF = Setting(is_on=False, version=1)


def setting(session: Session) -> Setting:
    """The firm's setting; off until an administrator turns it on."""
    stored = queries.settings(session)
    return Setting(stored.is_on, stored.version) if stored else OFF


def set_setting(
    session: Session, actor: Actor, now: dt.datetime, *, is_on: bool, version: int | None
) -> None:
    """Turn the setting on or off.

    Raises:
        StaleVersion: somebody else changed it since `version`.
    """
    acquire_lock(session, AdvisoryLock.TEAMS)
    stored = queries.settings(session, lock=True)
    was_on, at = (stored.is_on, stored.version) if stored else (OFF.is_on, OFF.version)
    if version is not None and version != at:
        raise StaleVersion
    if was_on == is_on:
        return
    if stored is None:
        session.add(TeamSettings(id=1, is_on=is_on, version=at + 1, updated_at=now))
    else:
        stored.is_on, stored.version, stored.updated_at = is_on, at + 1, now
    session.flush()
    about, changes = ("team_settings", "firm"), {"isOn": [was_on, is_on]}
    audit_log.record(session, actor, now, "team_settings_edited", about, changes)


def list_teams(session: Session) -> list[ListedTeam]:
    """Every team, by name."""
    counts, by_team = queries.client_counts(session), dict[uuid.UUID, list[uuid.UUID]]()
    for member in queries.members(session):
        by_team.setdefault(member.team_id, []).append(member.account_id)
    return [
        ListedTeam(
            team.id,
            team.name,
            tuple(sorted(by_team.get(team.id, ()))),
            counts.get(team.id, 0),
            team.version,
        )
        for team in queries.teams(session)
    ]


def add_team(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    name: str,
    members: Collection[uuid.UUID],
) -> uuid.UUID:
    """Add a team without clients; its id.

    Raises:
        TeamNameTaken: another team has the name.
    """
    acquire_lock(session, AdvisoryLock.TEAMS)
    _check_name(session, name, None)
    team = Team(id=new_id(), name=name, name_key=name.casefold(), version=1, created_at=now)
    session.add(team)
    session.flush()
    queries.set_members(session, team.id, members)
    changes = {"name": name, "members": _texts(members)}
    audit_log.record(session, actor, now, "team_added", ("team", team.id), changes)
    return team.id


def edit_team(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    team_id: uuid.UUID,
    name: str,
    members: Collection[uuid.UUID],
    version: int | None,
) -> None:
    """Rename a team and set its members.

    Raises:
        TeamNotFound: there is no such team.
        StaleVersion: somebody else changed it since `version`.
        TeamNameTaken: another team has the name.
    """
    team = _team_to_change(session, team_id, version)
    _check_name(session, name, team_id)
    before = {row.account_id for row in queries.members(session) if row.team_id == team_id}
    changes: dict[str, object] = {}
    if team.name != name:
        changes["name"] = [team.name, name]
    if before != set(members):
        changes["members"] = [_texts(before), _texts(members)]
        queries.set_members(session, team_id, members)
    if not changes:
        return
    team.name, team.name_key, team.version = name, name.casefold(), team.version + 1
    session.flush()
    audit_log.record(session, actor, now, "team_edited", ("team", team_id), changes)


def delete_team(
    session: Session, actor: Actor, now: dt.datetime, team_id: uuid.UUID, version: int | None
) -> None:
    """Remove a team that has no clients.

    Raises:
        TeamNotFound: there is no such team.
        StaleVersion: somebody else changed it since `version`.
        TeamHasClients: it has clients, which nobody but an administrator would see.
    """
    team = _team_to_change(session, team_id, version)
    if queries.has_clients(session, team_id):
        raise TeamHasClients
    queries.set_members(session, team_id, ())
    session.delete(team)
    session.flush()
    changes = {"name": [team.name, None]}
    audit_log.record(session, actor, now, "team_deleted", ("team", team_id), changes)


def assign_clients(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_ids: Collection[uuid.UUID],
    team_id: uuid.UUID | None,
) -> int:
    """Give clients a team, or none; how many had another one. The audit trail names each of them.

    Raises:
        TeamNotFound: there is no such team.
    """
    acquire_lock(session, AdvisoryLock.TEAMS)
    if team_id is not None and queries.team_to_change(session, team_id) is None:
        raise TeamNotFound
    before = queries.team_by_client(session, client_ids)
    moved = [client_id for client_id in client_ids if before.get(client_id) != team_id]
    queries.assign(session, moved, team_id)
    rows = [
        (("client", client_id), {"team": [_text(before.get(client_id)), _text(team_id)]})
        for client_id in moved
    ]
    audit_log.record_many(session, actor, now, "client_team_set", rows)
    return len(moved)


def team_of_new_clients(session: Session, actor: Actor) -> uuid.UUID | None:
    """The team that clients get whom this caller adds; None for none.

    Raises:
        NoOneTeam: the caller, who sees the clients of the own teams alone, has none or several.
    """
    if actor.account_id is None or visible_clients(session, actor).is_all:
        return None
    own = queries.teams_of(session, actor.account_id)
    if len(own) != 1:
        raise NoOneTeam
    return own[0].id


def team_by_client(
    session: Session, client_ids: Collection[uuid.UUID]
) -> Mapping[uuid.UUID, uuid.UUID]:
    """The team of each of these clients that has one."""
    return queries.team_by_client(session, client_ids)


def limiting_teams(session: Session, caller: Actor) -> list[str] | None:
    """The names of the teams whose clients alone a caller sees; None where it is all clients."""
    if caller.account_id is None or visible_clients(session, caller).is_all:
        return None
    return [team.name for team in queries.teams_of(session, caller.account_id)]


def _team_to_change(session: Session, team_id: uuid.UUID, version: int | None) -> Team:
    acquire_lock(session, AdvisoryLock.TEAMS)
    team = queries.team_to_change(session, team_id)
    if team is None:
        raise TeamNotFound
    if version is not None and version != team.version:
        raise StaleVersion
    return team


def _check_name(session: Session, name: str, but: uuid.UUID | None) -> None:
    if queries.has_name(session, name.casefold(), but):
        raise TeamNameTaken


def _text(team_id: uuid.UUID | None) -> str | None:
    return None if team_id is None else str(team_id)


def _texts(ids: Collection[uuid.UUID]) -> list[str]:
    return sorted(map(str, ids))
