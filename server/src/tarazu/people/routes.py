"""Routes of the accounts of staff."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Request, Response

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, AdminStepUp, NotSignedIn, SignedIn, authorized_router
from tarazu.kit.db import OpenSession, ReadSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.rate_limit import Limit, Limiter
from tarazu.kit.schemas import Done, Page, RecordListParams, Reply, done, page_of, reply
from tarazu.people import service
from tarazu.people.schemas import (
    AddedUser,
    DeletedUser,
    EditedUser,
    NewUsers,
    Profile,
    UserRecord,
)
from tarazu.people.service import NewPerson
from tarazu.people.sheets import USERS
from tarazu.people.tables import Person

router = authorized_router("")

TEST_MAILS = Limit(5, 600)


@router.get("/profile")
def show_profile(session: OpenSession, caller: SignedIn) -> Reply[Profile]:
    own = service.staff_by_id(session, caller.account_id) if caller.account_id else None
    if own is None:
        raise NotSignedIn
    return reply(Profile.model_validate(own))


@router.get("/users")
def list_users(
    session: OpenSession, _: Admin, filters: Annotated[RecordListParams, Query()]
) -> Page[UserRecord]:
    staff, total = service.list_staff(session, filters)
    return page_of(UserRecord.rows(staff), filters.page, filters.limit, total)


@list_export(router, "/users/export", "Users", USERS, names_clients=False)
def export_users(
    session: OpenSession, _: Admin, filters: Annotated[RecordListParams, Query()]
) -> Exported[Person]:
    staff, _total = service.list_staff(session, whole(filters))
    return Exported(staff, filters)


@router.post("/users/add", status_code=HTTPStatus.CREATED, response_model=Reply[list[AddedUser]])
def add_users(
    body: NewUsers, session: OpenSession, request: Request, caller: AdminStepUp, once: OnceOnly
) -> Response:
    settings = request.app.state.settings
    # Hashing is slow, so it is done before the session waits for its turn to write.
    invited = [
        service.invitation(
            NewPerson(user.name, user.email, user.contact_number, user.country_code), user.role
        )
        for user in body.users
    ]

    def act() -> Any:
        added = service.invite_staff(session, caller, clock.now(), invited, settings.public_url)
        rows = [
            AddedUser(
                id=staff.id,
                name=staff.name,
                email=staff.email,
                role=staff.role,
                temporary_password=None if settings.smtp_url else invitation.password,
            )
            for staff, invitation in zip(added, invited, strict=True)
        ]
        return reply(rows, "User created successfully")

    shape = Reply[list[AddedUser]]
    return once.run(session, act, shape, HTTPStatus.CREATED, _without_passwords)


@router.post("/settings/mail/test")
def send_test_mail(
    reading: ReadSession, session: OpenSession, request: Request, caller: Admin
) -> Done:
    limits: Limiter = request.app.state.limits
    limits.take(f"test-mail:{caller.account_id}", TEST_MAILS)
    # Sent on a reading session, so that no writer waits for the mail server.
    recipient = service.send_test_mail(reading, caller, request.app.state.settings, clock.now())
    server = request.app.state.settings.smtp_server
    service.note_test_mail(session, caller, clock.now(), server, recipient)
    return done(f"Test mail delivered to {recipient}.")


@router.put("/users/edit")
def edit_user(body: EditedUser, session: OpenSession, caller: AdminStepUp) -> Reply[UserRecord]:
    edited = service.edit_staff(session, caller, clock.now(), body.id, body.wanted, body.version)
    return reply(UserRecord.model_validate(edited), "User updated successfully")


@router.post("/users/delete")
def delete_user(body: DeletedUser, session: OpenSession, caller: AdminStepUp) -> Done:
    service.delete_staff(session, caller, clock.now(), body.user_id, body.version)
    return done("User deleted successfully")


@router.post("/admin/users/{user_id}/restore")
def restore_user(user_id: uuid.UUID, session: OpenSession, caller: AdminStepUp) -> Done:
    service.restore_staff(session, caller, clock.now(), user_id)
    return done("User restored successfully")


def _without_passwords(answer: Any) -> Any:
    rows = [row.model_copy(update={"temporary_password": None}) for row in answer["data"]]
    return answer | {"data": rows}
