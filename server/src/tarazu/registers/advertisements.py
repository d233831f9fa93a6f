"""The register of advertisements, with a look at their wording and their release."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.wording import FlaggedWord, flagged_words
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import day_of
from tarazu.kit.schemas import ListParams
from tarazu.registers import queries
from tarazu.registers.errors import AlreadyClosed, NoApproval, UnfitEntry
from tarazu.registers.records import add_entry, change_entry, entry_of
from tarazu.registers.rules import Rules, known_rules
from tarazu.registers.tables import Advertisement, RuleName


@dataclass(frozen=True, slots=True)
class ScreenedAdvertisement:
    """An advertisement with the words in it that are on the list."""

    entry: Advertisement
    flagged: Sequence[FlaggedWord]
    needs_approval: bool


def list_advertisements(
    session: Session, params: ListParams, today: dt.date, *, is_open: bool | None
) -> tuple[list[ScreenedAdvertisement], int]:
    """One page of advertisements, the newest first, and how many match."""
    entries, total = queries.page_of(session, Advertisement, params, is_open=is_open)
    rules = known_rules(session)
    return [_screened(entry, rules, today) for entry in entries], total


def screen_wording(session: Session, text: str, today: dt.date) -> list[FlaggedWord]:
    """The words of a text that are on the list in force."""
    return flagged_words(text, known_rules(session).texts(RuleName.ADVERTISEMENT_WORDS, today))


def add_advertisement(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]
) -> ScreenedAdvertisement:
    """Enter an advertisement; it is not released by that.

    Raises:
        UnfitEntry: an approval has a number or a day alone, or its day is in the future.
    """
    today = day_in_india(now)
    _refuse_unfit_approval(fields, today)
    columns = {**fields, "released_on": None}
    entry = add_entry(session, actor, now, Advertisement, columns, "advertisement_added")
    return _screened(entry, known_rules(session), today)


def edit_advertisement(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> ScreenedAdvertisement:
    """Change an advertisement that is not released; what was approved for another text is void.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        AlreadyClosed: it is released.
        UnfitEntry: as for `add_advertisement`, or the text changed under its approval.
    """
    entry = entry_of(session, Advertisement, entry_id, version)
    if entry.released_on is not None:
        raise AlreadyClosed("This advertisement is released: enter a changed one as a new entry.")
    today = day_in_india(now)
    _refuse_unfit_approval(fields, today)
    is_same_approval = (entry.approval_number, entry.approved_on) == (
        fields["approval_number"],
        fields["approved_on"],
    )
    if entry.approval_number and is_same_approval and fields["text"] != entry.text:
        raise UnfitEntry(
            "approvalNumber",
            "The text changed, and the approval is of the text before. Enter the new approval, or "
            "take the old one out.",
        )
    change_entry(session, actor, now, entry, fields, "advertisement_edited")
    return _screened(entry, known_rules(session), today)


def release_advertisement(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    released_on: dt.date,
    version: int | None,
) -> ScreenedAdvertisement:
    """Say that an advertisement was released.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        AlreadyClosed: it is released.
        NoApproval: the rule of that day asks for an approval and it has none.
        UnfitEntry: the day is in the future, or before the approval.
    """
    entry = entry_of(session, Advertisement, entry_id, version)
    today, rules = day_in_india(now), known_rules(session)
    if entry.released_on is not None:
        raise AlreadyClosed("This advertisement is released already.")
    if released_on > today:
        raise UnfitEntry("releasedOn", "This day is in the future.")
    if rules.holds(RuleName.ADVERTISEMENT_APPROVAL, released_on):
        if entry.approved_on is None:
            raise NoApproval
        if released_on < entry.approved_on:
            raise UnfitEntry(
                "releasedOn",
                f"It was approved on {day_of(entry.approved_on)}: it cannot be released before.",
            )
    change_entry(session, actor, now, entry, {"released_on": released_on}, "advertisement_released")
    return _screened(entry, rules, today)


def _screened(entry: Advertisement, rules: Rules, today: dt.date) -> ScreenedAdvertisement:
    day = entry.released_on or today
    words = rules.texts(RuleName.ADVERTISEMENT_WORDS, day)
    needs_approval = rules.holds(RuleName.ADVERTISEMENT_APPROVAL, day)
    return ScreenedAdvertisement(entry, flagged_words(entry.text, words), needs_approval)


def _refuse_unfit_approval(fields: Mapping[str, Any], today: dt.date) -> None:
    if bool(fields["approval_number"]) != (fields["approved_on"] is not None):
        raise UnfitEntry(
            "approvalNumber", "Enter the number and the day of the approval, or neither."
        )
    if fields["approved_on"] is not None and fields["approved_on"] > today:
        raise UnfitEntry("approvedOn", "This day is in the future.")
