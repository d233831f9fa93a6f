"""Exports sealed advice: a zip of its own, or a part of a larger one, a few advices at a time."""

import datetime as dt
import io
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.documents import letter_store
from tarazu.advice.documents.export import About, AdviceExport, AdviceFiles, Exported
from tarazu.advice.documents.letter_store import LetterSignature, LetterState
from tarazu.advice.errors import AdviceNotFound, AdviceNotSealed
from tarazu.advice.queries import Period
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal
from tarazu.kit import mail, signing
from tarazu.kit.mail import DeliveryState
from tarazu.kit.signed_archive import SignedArchive

AT_ONCE: Final = 20
"""Advices that are in memory at one time, with their letters."""
_LEFT_OUT = {LetterState.DUE: "it is still being set", LetterState.LOST: "it is lost"}


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip with its number of advices and of missing letters."""

    content: bytes
    advices: int
    missing: int


@dataclass(frozen=True, slots=True)
class WrittenAdvice:
    """An advice whose files are in the archive; name and code of the client as they are now."""

    number: int
    advice: Advice
    client_code: str
    client_name: str
    delivery: DeliveryState | None
    files: AdviceFiles
    package_hash: str
    missing: str


class SealedPart:
    """The sealed advice of an archive that also has other files."""

    def __init__(self, session: Session, archive: SignedArchive) -> None:
        self._session = session
        self._export = AdviceExport(archive)
        self._first: int | None = None
        self._last = 0

    @property
    def missing(self) -> int:
        """How many letters are left out: they are still being set, or lost."""
        return self._export.missing

    def write(self, advice_ids: Sequence[uuid.UUID]) -> Iterator[WrittenAdvice]:
        """Write these advices, given in the order of their sealing; each as it is written.

        Raises:
            AdviceNotSealed: one of them has no seal.
        """
        for start in range(0, len(advice_ids), AT_ONCE):
            yield from self._write_some(advice_ids[start : start + AT_ONCE])

    def end(self, now: dt.datetime, chosen_by: Mapping[str, str | None]) -> dict[str, Any]:
        """Write the chain and what checks it; the fields of the manifest.

        Args:
            now: when the export is made.
            chosen_by: the filter, for the manifest.
        """
        session = self._session
        links: Iterator[AdviceSeal] = iter(())
        if self._first is not None:
            links = queries.links_between(session, self._first, self._last)
        head, keys = sealing.last_link(session), signing.public_keys(session)
        about = About(now, chosen_by, head, keys)
        return self._export.end(links, about, signing.signer_of(session).key_id)

    def _write_some(self, advice_ids: Sequence[uuid.UUID]) -> Iterator[WrittenAdvice]:
        session = self._session
        seals = queries.seals_of(session, advice_ids)
        if len(seals) != len(set(advice_ids)):
            raise AdviceNotSealed
        letters = queries.letters_of(session, advice_ids)
        sent = {row[0].id: row for row in queries.sent_to(session, advice_ids)}
        mail_ids = [row[0].mail_id for row in sent.values() if row[0].mail_id is not None]
        states = mail.states_of(session, mail_ids)
        for seal in seals:
            if seal.advice_id not in sent:
                raise AdviceNotFound
            advice, code, name = sent[seal.advice_id]
            state = states.get(advice.mail_id)
            exported = _exported(session, seal, letters.get(seal.advice_id), state)
            self._first = seal.seq if self._first is None else self._first
            self._last = seal.seq
            files = self._export.add(exported)
            yield WrittenAdvice(
                seal.seq, advice, code, name, state, files, seal.package_hash, exported.missing
            )


def archive(
    session: Session,
    advice_ids: Sequence[uuid.UUID],
    now: dt.datetime,
    chosen_by: Mapping[str, str | None],
) -> Archive:
    """The sealed advice as a zip that can be checked without this product.

    A letter that is still to be set, or lost, is left out, and the zip says so.

    Args:
        chosen_by: the filter, for the manifest.

    Raises:
        AdviceNotFound: there is no such advice.
        AdviceNotSealed: one of them has no seal.
    """
    if not advice_ids:
        raise AdviceNotFound
    ordered = queries.in_sealed_order(session, advice_ids)
    if len(ordered) != len(set(advice_ids)):
        raise AdviceNotSealed
    written = io.BytesIO()
    zipped = SignedArchive(written, now)
    part = SealedPart(session, zipped)
    count = sum(1 for _ in part.write(ordered))
    zipped.end(part.end(now, chosen_by), signing.signer_of(session))
    return Archive(written.getvalue(), count, part.missing)


def sealed_ids_of(
    session: Session, client_id: uuid.UUID | None, period: Period
) -> Sequence[uuid.UUID]:
    """The sealed advice of a client, or of all, within a period, in the order of the sealing."""
    return queries.sealed_ids_of(session, client_id, period)


def _exported(
    session: Session, seal: AdviceSeal, row: AdviceLetter | None, state: DeliveryState | None
) -> Exported:
    if row is not None:
        signed = LetterSignature(row.sha256, row.key_id, row.signature)
        return Exported(seal, row.letter, state, signed)
    letter = letter_store.stored_letter(session, seal)
    return Exported(seal, letter.content, state, letter.signed, _LEFT_OUT.get(letter.state, ""))
