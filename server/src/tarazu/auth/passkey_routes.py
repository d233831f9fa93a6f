"""Routes of passkeys: a person's own in the settings, and signing in with one."""

import uuid
from http import HTTPStatus

from fastapi import Response

from tarazu.auth import passkeys
from tarazu.auth.guards import Visiting
from tarazu.auth.routes import logged_in
from tarazu.auth.schemas import LoggedIn, NewPasskey, PasskeyAnswer, PasskeyOptions, PasskeyRow
from tarazu.kit.auth_route import Public, StaffAlwaysStepUp, StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Done, Reply, done, reply

router = authorized_router("/auth/passkeys")


@router.get("")
def list_passkeys(session: OpenSession, caller: StaffWithoutClients) -> Reply[list[PasskeyRow]]:
    return reply(PasskeyRow.rows(passkeys.passkeys_of(session, caller)))


@router.post("/begin")
def begin_passkey(
    session: OpenSession, visit: Visiting, caller: StaffAlwaysStepUp
) -> Reply[PasskeyOptions]:
    return reply(PasskeyOptions(options=passkeys.begin_adding(session, visit, caller)))


@router.post("", status_code=HTTPStatus.CREATED)
def add_passkey(
    body: NewPasskey, session: OpenSession, visit: Visiting, caller: StaffAlwaysStepUp
) -> Reply[PasskeyRow]:
    added = passkeys.add(session, visit, caller, body.name, body.credential)
    return reply(PasskeyRow.model_validate(added), "Passkey added")


@router.delete("/{passkey_id}")
def remove_passkey(
    passkey_id: uuid.UUID, session: OpenSession, visit: Visiting, caller: StaffAlwaysStepUp
) -> Done:
    passkeys.remove(session, visit, caller, passkey_id)
    return done("Passkey removed")


@router.post("/sign-in/begin")
def begin_passkey_sign_in(
    session: OpenSession, visit: Visiting, _: Public
) -> Reply[PasskeyOptions]:
    return reply(PasskeyOptions(options=passkeys.begin_sign_in(session, visit)))


@router.post("/sign-in")
def sign_in_with_passkey(
    body: PasskeyAnswer, session: OpenSession, visit: Visiting, response: Response, _: Public
) -> LoggedIn:
    entry = passkeys.sign_in(session, visit, body.credential)
    return logged_in(response, visit.settings, entry)
