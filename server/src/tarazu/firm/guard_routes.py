"""Routes of the checks before a send that the firm may let block or only warn."""

from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.firm import service
from tarazu.firm.service import GUARDS, GuardLevel
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Reply, Schema, attribute, reply

router = authorized_router("/admin/settings/guards")


def _known_guard(name: str) -> str:
    if name not in {guard.id for guard in GUARDS}:
        raise ValueError("There is no such check.")
    return name


class GuardRow(Schema):
    id: str = attribute("guard.id", "id")
    title: str = attribute("guard.title", "title")
    hint: str = attribute("guard.hint", "hint")
    default: GuardLevel = attribute("guard.default", "default")
    level: GuardLevel


class EnteredGuard(Schema):
    id: Annotated[str, AfterValidator(_known_guard)]
    level: GuardLevel


class EnteredGuards(Schema):
    guards: Annotated[list[EnteredGuard], Field(max_length=len(GUARDS))]


@router.get("")
def show_guards(session: OpenSession, _: Admin) -> Reply[list[GuardRow]]:
    return reply(GuardRow.rows(service.guard_settings(session)))


@router.put("")
def edit_guards(body: EnteredGuards, session: OpenSession, caller: Admin) -> Reply[list[GuardRow]]:
    levels = {guard.id: guard.level for guard in body.guards}
    edited = service.edit_guards(session, caller, clock.now(), levels)
    return reply(GuardRow.rows(edited), "Saved.")
