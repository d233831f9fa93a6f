"""Routes of fresh proofs of who is signed in, and of the firm's settings of sign-in."""

from fastapi import Request

from tarazu.auth import passkeys, sign_in_settings, step_up
from tarazu.auth.guards import Visiting
from tarazu.auth.schemas import (
    EditedSignIn,
    PasskeyAnswer,
    PasskeyOptions,
    ProofByPassword,
    ProofWays,
    SignInDetails,
    SignInWays,
    SsoButton,
)
from tarazu.auth.tables import SignInSettings
from tarazu.kit import clock
from tarazu.kit.auth_route import (
    Admin,
    AdminAlwaysStepUp,
    Public,
    StaffWithoutClients,
    authorized_router,
)
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.kit.settings import Settings

router = authorized_router("")

CONFIRMED = "Confirmed"


@router.get("/auth/sign-in")
def show_sign_in_ways(request: Request, _: Public) -> Reply[SignInWays]:
    settings = request.app.state.settings
    sso = SsoButton(label=settings.oidc_label) if settings.has_sso else None
    return reply(SignInWays(has_passkeys=passkeys.relying_party(settings) is not None, sso=sso))


@router.get("/auth/step-up")
def show_proof_ways(session: OpenSession, caller: StaffWithoutClients) -> Reply[ProofWays]:
    return reply(ProofWays.model_validate(step_up.choices_of(session, caller)))


@router.post("/auth/step-up")
def confirm_by_password(
    body: ProofByPassword, session: OpenSession, visit: Visiting, caller: StaffWithoutClients
) -> Done:
    step_up.prove_by_password(session, visit, caller, body.password, body.totp_code)
    return done(CONFIRMED)


@router.post("/auth/step-up/passkey/begin")
def begin_passkey_proof(
    session: OpenSession, visit: Visiting, caller: StaffWithoutClients
) -> Reply[PasskeyOptions]:
    return reply(PasskeyOptions(options=passkeys.begin_proof(session, visit, caller)))


@router.post("/auth/step-up/passkey")
def confirm_by_passkey(
    body: PasskeyAnswer, session: OpenSession, visit: Visiting, caller: StaffWithoutClients
) -> Done:
    passkeys.prove(session, visit, caller, body.credential)
    return done(CONFIRMED)


@router.get("/admin/settings/sign-in")
def show_sign_in_settings(session: OpenSession, request: Request, _: Admin) -> Reply[SignInDetails]:
    row = sign_in_settings.sign_in_settings(session)
    return reply(_details(row, request.app.state.settings))


@router.put("/admin/settings/sign-in")
def edit_sign_in_settings(
    body: EditedSignIn, session: OpenSession, request: Request, caller: AdminAlwaysStepUp
) -> Reply[SignInDetails]:
    settings = request.app.state.settings
    row = sign_in_settings.edit_sign_in_settings(
        session, settings, caller, clock.now(), body.entered(), body.version
    )
    return reply(_details(row, settings), "Saved.")


def _details(row: SignInSettings, settings: Settings) -> SignInDetails:
    return SignInDetails(
        step_up=row.step_up,
        step_up_minutes=row.step_up_minutes,
        user_passwords=row.user_passwords,
        sso_label=settings.oidc_label if settings.has_sso else None,
        version=row.version,
    )
