"""Routes of teams: administrators say who sees which clients."""

import uuid
from collections.abc import Collection
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response
from sqlalchemy.orm import Session

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, AdminStepUp, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Reply, Whole, done, reply
from tarazu.people import service
from tarazu.people.errors import ClientNotFound, UserNotFound
from tarazu.people.schemas import (
    AssignedClients,
    EditedTeam,
    NewTeam,
    TeamAccess,
    TeamRow,
    TeamsShown,
)
from tarazu.teams import service as teams

router = authorized_router("")


@router.get("/admin/teams")
def list_teams(session: OpenSession, _: Admin) -> Reply[TeamsShown]:
    return reply(_shown(session))


@router.post("/admin/teams", status_code=HTTPStatus.CREATED, response_model=Reply[TeamsShown])
def add_team(body: NewTeam, session: OpenSession, caller: AdminStepUp, once: OnceOnly) -> Response:
    def act() -> Any:
        _check_staff(session, body.members)
        teams.add_team(session, caller, clock.now(), body.name, set(body.members))
        return reply(_shown(session), "Team added.")

    return once.run(session, act, Reply[TeamsShown], HTTPStatus.CREATED)


@router.put("/admin/teams/clients")
def assign_clients(body: AssignedClients, session: OpenSession, caller: Admin) -> Done:
    chosen = set(body.clients)
    if len(service.summaries_of(session, list(chosen))) != len(chosen):
        raise ClientNotFound
    moved = teams.assign_clients(session, caller, clock.now(), chosen, body.team_id)
    return done(f"{moved} {'client' if moved == 1 else 'clients'} moved.")


@router.put("/admin/teams/{team_id}")
def edit_team(
    team_id: uuid.UUID, body: EditedTeam, session: OpenSession, caller: AdminStepUp
) -> Reply[TeamsShown]:
    _check_staff(session, body.members)
    members = set(body.members)
    teams.edit_team(session, caller, clock.now(), team_id, body.name, members, body.version)
    return reply(_shown(session), "Team saved.")


@router.delete("/admin/teams/{team_id}")
def delete_team(
    team_id: uuid.UUID,
    session: OpenSession,
    caller: AdminStepUp,
    version: Annotated[Whole | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Reply[TeamsShown]:
    teams.delete_team(session, caller, clock.now(), team_id, version)
    return reply(_shown(session), "Team removed.")


@router.put("/settings/team-access")
def edit_team_access(
    body: TeamAccess, session: OpenSession, caller: AdminStepUp
) -> Reply[TeamsShown]:
    teams.set_setting(session, caller, clock.now(), is_on=body.is_on, version=body.version)
    return reply(_shown(session), "Saved.")


def _shown(session: Session) -> TeamsShown:
    listed, setting = teams.list_teams(session), teams.setting(session)
    names = service.names_of(session, {key for team in listed for key in team.members})
    everybody = service.clients_matching(session, "")
    return TeamsShown(
        is_on=setting.is_on,
        version=setting.version,
        teams=[
            TeamRow.of(team, member_names=[names[key] for key in team.members]) for team in listed
        ],
        without_team=len(teams.clients_of_no_team(session, everybody).ids or ()),
    )


def _check_staff(session: Session, members: Collection[uuid.UUID]) -> None:
    for account_id in members:
        if service.staff_by_id(session, account_id) is None:
            raise UserNotFound
