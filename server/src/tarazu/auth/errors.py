"""Why sign-in or an account change is refused."""

from http import HTTPStatus

from tarazu.kit.auth_route import SessionExpired
from tarazu.kit.errors import ApiError, Invalid


class SessionRanOut(SessionExpired):
    """The session is idle or too old, but not ended in the database yet."""

    code = "session_expired"


class WrongCredentials(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "Invalid email or password"
    commit_on_error = True


class OnlyAdminCanLogIn(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Only admin can login"
    commit_on_error = True


class AccountInactive(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Your account is inactive. Contact an administrator."
    commit_on_error = True


class AwaitsApproval(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Your account awaits approval by an administrator."
    commit_on_error = True


class TotpRequired(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "Enter the code of your authenticator app."


class TotpWrong(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "The code is incorrect. Enter the newest code from your authenticator app."
    commit_on_error = True


class SecondFactorDue(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Set up a second factor to continue."
    code = "SECOND_FACTOR_REQUIRED"


class SecondFactorNeeded(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Your role needs a second factor."


class SecondFactorIsOn(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The second factor is already set up."


class SecondFactorNotBegun(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Begin to set up the second factor first."


class CodeWrong(Invalid):
    message = "The code is incorrect. Enter the newest code from your authenticator app."
    commit_on_error = True

    def __init__(self) -> None:
        super().__init__(errors=[{"field": "code", "message": self.message}])


class SignUpClosed(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Sign up is closed. Ask an administrator for an invitation."


class SetupCodeWrong(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "The set-up code of this installation is needed for the first sign up."

    def __init__(self) -> None:
        super().__init__(errors=[{"field": "setupCode", "message": self.message}])


class ResetLinkInvalid(ApiError):
    message = "This reset link is invalid or has expired."


class OtpInvalid(ApiError):
    message = "Invalid OTP. Please try again."
    commit_on_error = True


class _OfPassword(Invalid):
    """A password that is refused, with its field."""

    field = "password"

    def __init__(self) -> None:
        super().__init__(errors=[{"field": self.field, "message": self.message}])


class PasswordTooCommon(_OfPassword):
    message = "Password is too common."


class PasswordUnchanged(_OfPassword):
    message = "New password must differ from the previous one."


class CurrentPasswordNeeded(_OfPassword):
    message = "Enter your current password."
    field = "currentPassword"


class CurrentPasswordWrong(_OfPassword):
    message = "The current password is not right."
    field = "currentPassword"
    commit_on_error = True


class PasswordWrong(_OfPassword):
    message = "The password is not right."
    commit_on_error = True
