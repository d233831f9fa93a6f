"""Shapes of the records of people on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import BeforeValidator, Field

from tarazu.kit.fields import ContactNumber, CountryCode, Email, Name
from tarazu.kit.schemas import EditedRecord, Flag, Schema, Version
from tarazu.people.tables import Role, Status

MOST_ROWS = 100
MOST_ASSIGNED = 1_000
"""Clients that get a team at once."""


class Profile(Schema):
    name: str
    email: str
    role: Role


def _staff_role(role: object) -> object:
    if not isinstance(role, str) or role not in {Role.ADMIN, Role.USER}:
        raise ValueError("A user's role is USER or ADMIN.")
    return role


StaffRole = Annotated[Role, BeforeValidator(_staff_role)]


class NewUser(Schema):
    name: Name
    email: Email
    country_code: CountryCode = "+91"
    contact_number: ContactNumber = ""
    role: StaffRole


class NewUsers(Schema):
    users: list[NewUser] = Field(min_length=1, max_length=MOST_ROWS)


class AddedUser(Schema):
    """`temporary_password` is shown once, and only if no mail server is set up."""

    id: uuid.UUID = Field(alias="_id")
    name: str
    email: str
    role: Role
    temporary_password: str | None


class EditedUser(EditedRecord):
    name: Name | None = None
    status: Status | None = None
    contact_number: ContactNumber | None = None
    country_code: CountryCode | None = None
    role: StaffRole | None = None


class DeletedUser(Schema):
    user_id: uuid.UUID
    version: Version | None = None


class UserRecord(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: str
    country_code: str
    contact_number: str
    email: str
    role: Role
    status: Status
    awaits_approval: bool
    created_at: dt.datetime
    deleted_at: dt.datetime | None
    version: int


class NewTeam(Schema):
    """`members` are accounts of staff; a USER among them sees the team's clients."""

    name: Name
    members: list[uuid.UUID] = Field(default_factory=list, max_length=MOST_ROWS)


class EditedTeam(NewTeam):
    version: Version | None = None


class AssignedClients(Schema):
    """Clients who get a team, or none."""

    clients: list[uuid.UUID] = Field(min_length=1, max_length=MOST_ASSIGNED)
    team_id: uuid.UUID | None


class TeamAccess(Schema):
    is_on: Flag
    version: Version | None = None


class TeamRow(Schema):
    id: uuid.UUID
    name: str
    members: list[uuid.UUID]
    member_names: list[str]
    clients: int
    version: int


class TeamsShown(Schema):
    """`is_on`: a USER sees the clients of the own teams alone; `without_team` counts clients."""

    is_on: bool
    version: int
    teams: list[TeamRow]
    without_team: int
