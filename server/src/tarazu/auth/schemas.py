"""Shapes of signing in on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.kit.fields import LONGEST_PASSWORD, Email, KnownEmail, Name, NewPassword
from tarazu.kit.schemas import Flag, Schema, Version, Whole
from tarazu.people.tables import Role


def _given_password(password: str) -> str:
    if not password:
        raise ValueError("Password is required")
    return password[: LONGEST_PASSWORD + 1]


def _with_special_character(password: str) -> str:
    if all(letter.isalnum() for letter in password):
        raise ValueError("Password must contain at least one special character")
    return password


def _four_digits(code: str) -> str:
    if not (len(code) == 4 and code.isascii() and code.isdecimal()):  # noqa: PLR2004
        raise ValueError("Please enter the complete OTP")
    return code


def _text_of_none(given: object) -> object:
    return "" if given is None else given


GivenPassword = Annotated[str, AfterValidator(_given_password)]
StrongPassword = Annotated[NewPassword, AfterValidator(_with_special_character)]
OtpCode = Annotated[str, AfterValidator(_four_digits)]
GivenCode = Annotated[
    str,
    BeforeValidator(_text_of_none, json_schema_input_type=str | None),
    Field(default="", max_length=40),
]


class Registration(Schema):
    name: Name
    email: Email
    password: NewPassword
    setup_code: str = Field(default="", max_length=200)


class Credentials(Schema):
    email: KnownEmail
    password: GivenPassword
    totp_code: GivenCode


class RoleGiven(Schema):
    role: Role


class SignUpState(Schema):
    """What the sign-up screen has to ask for; a set-up code for the first account alone."""

    needs_setup_code: bool


class Registered(Schema):
    success: bool
    message: str
    access_token: str | None
    data: RoleGiven | None


class LoggedInAs(Schema):
    role: Role
    is_first_time_login: bool
    is_second_factor_due: bool
    name: str


class LoggedIn(Schema):
    success: bool
    access_token: str
    data: LoggedInAs


class Verified(Schema):
    """Whose a session is, and what must be set up before it is good for anything else.

    `teams`: the names of those whose clients alone are shown; None where all clients are.
    """

    role: Role
    name: str
    email: str
    is_first_time_login: bool
    is_second_factor_due: bool
    teams: list[str] | None


class ResetAsked(Schema):
    email: KnownEmail


class PasswordByLink(Schema):
    password: StrongPassword


class PasswordChange(Schema):
    password: StrongPassword
    current_password: Annotated[
        str, BeforeValidator(_text_of_none, json_schema_input_type=str | None)
    ] = Field(default="", max_length=2 * LONGEST_PASSWORD)


class OtpAsked(Schema):
    email: KnownEmail


class Challenge(Schema):
    challenge_id: str


class OtpGiven(Schema):
    challenge_id: str = Field(max_length=100)
    code: OtpCode


class ResetRight(Schema):
    reset_token: str


class SessionRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    created_at: dt.datetime
    last_seen_at: dt.datetime
    ip: str
    user_agent: str
    is_current: bool


class AnySessionRow(SessionRow):
    name: str
    email: str
    role: Role


class OwnPassword(Schema):
    password: GivenPassword


class SecondFactorStanding(Schema):
    is_on: bool
    is_required: bool
    recovery_codes_left: int


class SecondFactorBegun(Schema):
    secret: str
    uri: str


class SecondFactorCode(Schema):
    code: str = Field(min_length=1, max_length=40)


class RecoveryCodes(Schema):
    recovery_codes: list[str]


class SsoButton(Schema):
    label: str


class SignInWays(Schema):
    """What the log-in page offers beside the password."""

    has_passkeys: bool
    sso: SsoButton | None


class ProofWays(Schema):
    """How the signed-in person may prove who they are; the password always."""

    has_totp: bool
    has_passkey: bool


class ProofByPassword(Schema):
    password: GivenPassword
    totp_code: GivenCode


class PasskeyOptions(Schema):
    """What the browser's WebAuthn API takes, in the JSON form of the standard."""

    options: dict[str, Any]


class PasskeyAnswer(Schema):
    """What the browser's WebAuthn API made, in the JSON form of the standard."""

    credential: dict[str, Any]


class NewPasskey(PasskeyAnswer):
    name: Name


class PasskeyRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: str
    made_at: dt.datetime
    used_at: dt.datetime | None


class SignInDetails(Schema):
    """How staff sign in; `ssoLabel` is null where single sign-on is not set up."""

    step_up: bool
    step_up_minutes: int
    user_passwords: bool
    sso_label: str | None
    version: int


class EditedSignIn(Schema):
    """A field that is not sent, or is null, stays as it is."""

    step_up: Flag | None = None
    step_up_minutes: Annotated[Whole, Field(ge=1, le=60)] | None = None
    user_passwords: Flag | None = None
    version: Version | None = None

    def entered(self) -> dict[str, object]:
        """The fields to change, by the names of the record."""
        return self.model_dump(exclude_none=True, exclude={"version"})


class SsoBegun(Schema):
    address: str


class SsoReturned(Schema):
    totp_code: GivenCode
