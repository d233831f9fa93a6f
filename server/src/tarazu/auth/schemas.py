"""Shapes of signing in on the wire."""

from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.kit.fields import LONGEST_PASSWORD, Email, Name, NewPassword
from tarazu.kit.wire import Wire
from tarazu.people.tables import Role


def _given_password(password: str) -> str:
    if not password:
        raise ValueError("Password is required")
    return password[: LONGEST_PASSWORD + 1]


GivenPassword = Annotated[str, AfterValidator(_given_password)]


class Registration(Wire):
    name: Name
    email: Email
    password: NewPassword
    setup_code: str = Field(default="", max_length=200)


class Credentials(Wire):
    email: Email
    password: GivenPassword


class RoleGiven(Wire):
    role: Role


class Registered(Wire):
    success: bool
    message: str
    access_token: str | None
    data: RoleGiven | None


class LoggedInAs(Wire):
    role: Role
    is_first_time_login: bool
    name: str


class LoggedIn(Wire):
    success: bool
    access_token: str
    data: LoggedInAs


class Verified(Wire):
    role: Role
    name: str
    email: str
