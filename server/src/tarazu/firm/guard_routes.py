"""Routes of the checks before a send that the firm may let block or only warn."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

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
    levels: list[GuardLevel] = attribute("guard.levels", "levels")
    level: GuardLevel


class EnteredGuard(Schema):
    id: Annotated[str, AfterValidator(_known_guard)]
    level: GuardLevel

    @model_validator(mode="after")
    def _check_level(self) -> Self:
        levels = next(guard.levels for guard in GUARDS if guard.id == self.id)
        if self.level not in levels:
            raise ValueError("This check cannot be switched off.")
        return self


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
