"""Verifies and exports sealed advice from the command line."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tarazu.advice import exporting, verification
from tarazu.advice.documents import letter_store
from tarazu.advice.errors import AdviceNotFound, AdviceNotSealed
from tarazu.advice.requests import period_of
from tarazu.advice.verification import Verification
from tarazu.kit import audit_log
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.people import service as people

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """Which advice to export: one by its id, or a client's, or all of some days in India."""

    advice_id: str | None = None
    client_code: str | None = None
    since: dt.date | None = None
    until: dt.date | None = None


def verify(database: Database, advice_id: str | None, say: Say) -> str | None:
    """Verify one advice, or all; None, or the fault in one line."""
    failed: list[Verification] = []

    def report(result: Verification) -> None:
        say(_line_of(result))
        if not result.holds:
            failed.append(result)

    with database.reading() as session:
        if advice_id is None:
            faults = verification.verify_all(session, report)
            for fault in faults:
                say(f"FAULT  {fault}")
            count = len(failed) + len(faults)
            return f"{count} faults" if count else None
        try:
            result = verification.verify(session, _id_of(advice_id))
        except ApiError as refusal:
            return refusal.message
    for check in result.checks:
        word = {True: "ok   ", False: "FAULT", None: "-    "}[check.holds]
        say(f"{word}  {check.name}: {check.message}")
    return None if result.holds else "the advice was changed after it was sealed"


def export(
    database: Database, choice: ExportChoice, file: Path, now: dt.datetime, say: Say
) -> str | None:
    """Write sealed advice to a new zip; None, or why that is not possible."""
    if file.exists():
        return f"{file} already exists"
    with database.reading() as session:
        try:
            ids = [_id_of(choice.advice_id)] if choice.advice_id else None
            client = None
            if choice.client_code is not None:
                client = people.client_by_code(session, choice.client_code.upper())
                if client is None:
                    return f"there is no client {choice.client_code}"
            if ids is None:
                ids = list(
                    exporting.sealed_ids_of(
                        session,
                        client.id if client else None,
                        period_of(choice.since, choice.until),
                    )
                )
            archive = exporting.archive(session, ids, now, _filter_of(choice))
        except (AdviceNotFound, AdviceNotSealed) as refusal:
            return refusal.message if ids else "no advice was sent in this period"
    with database.transaction() as session:
        about = {"what": "sealed-advice", "count": len(ids), "by": "command line"}
        audit_log.record(
            session, audit_log.SYSTEM, now, "taken_away", ("list", "sealed-advice"), about
        )
    with file.open("xb") as opened:
        opened.write(archive.content)
    if archive.missing:
        is_one = archive.missing == 1
        say(
            f"{archive.missing} {'letter is' if is_one else 'letters are'} missing; chain.json says why."
        )
    say(f"{file}: {archive.advices} sealed advices. Unpack it and run: python3 verify.py")
    return None


def restore_letters(database: Database, now: dt.datetime, say: Say) -> str | None:
    """Restore letters that were removed from the database; None, or how many are lost."""
    with database.transaction() as session:
        again, lost = letter_store.restore_letters(session, now)
    for advice_id in again:
        say(f"ok     {advice_id}")
    for advice_id in lost:
        say(f"LOST   {advice_id}")
    say(f"{len(again)} {'letter' if len(again) == 1 else 'letters'} set again")
    if not lost:
        return None
    count = "1 letter is lost" if len(lost) == 1 else f"{len(lost)} letters are lost"
    return f"{count}: set again, the file differs from the one that was sent. Restore a backup"


def _filter_of(choice: ExportChoice) -> dict[str, str | None]:
    return {
        "advice": choice.advice_id,
        "client": choice.client_code.upper() if choice.client_code else None,
        "from": choice.since.isoformat() if choice.since else None,
        "to": choice.until.isoformat() if choice.until else None,
    }


def _id_of(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise AdviceNotFound from error


def _line_of(result: Verification) -> str:
    faults = [check.message for check in result.checks if check.holds is False]
    return (
        f"{'ok   ' if result.holds else 'FAULT'}  {result.advice_id}  {' '.join(faults)}".rstrip()
    )
