"""Why someone is not let in."""

from http import HTTPStatus

from tarazu.kit.errors import Invalid, Refusal


class WrongCredentials(Refusal):
    status = HTTPStatus.UNAUTHORIZED
    message = "Invalid email or password"


class OnlyAdminCanLogIn(Refusal):
    status = HTTPStatus.FORBIDDEN
    message = "Only admin can login"


class AccountInactive(Refusal):
    status = HTTPStatus.FORBIDDEN
    message = "Your account is inactive. Contact an administrator."


class AwaitsApproval(Refusal):
    status = HTTPStatus.FORBIDDEN
    message = "Your account awaits approval by an administrator."


class SignUpClosed(Refusal):
    status = HTTPStatus.FORBIDDEN
    message = "Sign up is closed. Ask an administrator for an invitation."


class SetupCodeWrong(Refusal):
    status = HTTPStatus.FORBIDDEN
    message = "The set-up code of this installation is needed for the first sign up."


class PasswordTooCommon(Invalid):
    message = "Password is too common."
