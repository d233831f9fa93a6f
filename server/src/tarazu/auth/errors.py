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

    def __init__(self, field: str = "code") -> None:
        super().__init__(errors=[{"field": field, "message": self.message}])


class PasswordsOff(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "This firm signs in by single sign-on. Use its button, or a passkey."
    commit_on_error = True


class PasskeysUnavailable(ApiError):
    status = HTTPStatus.CONFLICT
    message = (
        "Passkeys need the address of this installation. "
        "An administrator must set TARAZU_PUBLIC_URL to its https address."
    )


class PasskeyRefused(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "This passkey was not accepted. Try again, or use your password."
    commit_on_error = True


class PasskeyNotAdded(ApiError):
    message = "The passkey was not added. Begin again."
    commit_on_error = True


class TooManyPasskeys(ApiError):
    status = HTTPStatus.CONFLICT
    message = "There are 20 passkeys on this account. Remove one first."


class ProofWrong(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "This passkey was not accepted. Try again, or use your password."
    commit_on_error = True


class StepUpCodeRequired(Invalid):
    message = "Enter the code of your authenticator app."
    code = "totp_required"

    def __init__(self) -> None:
        super().__init__(errors=[{"field": "totpCode", "message": self.message}])


class SsoNotSetUp(ApiError):
    status = HTTPStatus.NOT_FOUND
    message = "Single sign-on is not set up."


class SsoProviderFailed(ApiError):
    status = HTTPStatus.BAD_GATEWAY
    message = "The single sign-on did not answer. Try again in a minute."
    commit_on_error = True


class SsoExpired(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "This single sign-on has expired. Begin again from the log-in page."
    commit_on_error = True


class SsoRefused(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "The single sign-on was not accepted. Begin again, or ask an administrator."
    commit_on_error = True


class SsoEmailUnverified(SsoRefused):
    message = "Your single sign-on has not verified your email address. Ask its administrator."


class SsoForeignDomain(SsoRefused):
    message = "Email addresses of this domain cannot sign in here. Ask an administrator."


class SsoEmailUnknown(SsoRefused):
    message = "There is no account with your email address here. Ask an administrator to add you."


class SsoOtherPerson(SsoRefused):
    message = (
        "This account belongs to another person at your single sign-on. Ask an administrator to "
        "remove the link."
    )


class SsoNeeded(Invalid):
    message = "Set up single sign-on first: without it a USER could not sign in."

    def __init__(self) -> None:
        super().__init__(errors=[{"field": "userPasswords", "message": self.message}])


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
