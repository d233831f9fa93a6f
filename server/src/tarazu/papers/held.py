"""Which clients have the papers that a paid service needs, of many clients at once."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.papers import queries
from tarazu.papers.kyc import KNOWN
from tarazu.papers.tables import ConsentKind

BEFORE_SERVICE: Final = (ConsentKind.TERMS, ConsentKind.MITC)
"""The texts to which a client consents before the first paid service."""


@dataclass(frozen=True, slots=True)
class HeldPapers:
    """What is known of the papers of some clients on a day.

    Attributes:
        in_force: by kind, the version of the firm's text in force, and its first day.
        given: client and version of every consent to one of these.
    """

    in_force: Mapping[ConsentKind, tuple[uuid.UUID, dt.date]]
    with_kyc: Collection[uuid.UUID]
    given: Collection[tuple[uuid.UUID, uuid.UUID]]

    def has_kyc(self, client_id: uuid.UUID) -> bool:
        """Whether the KYC of a client is done."""
        return client_id in self.with_kyc

    def has_agreed(self, client_id: uuid.UUID, kind: ConsentKind) -> bool:
        """Whether a client consented to the version in force; nobody did where there is none."""
        text = self.in_force.get(kind)
        return text is not None and (client_id, text[0]) in self.given

    def has_terms(self, client_id: uuid.UUID) -> bool:
        """Whether a client consented to the terms and the MITC in force."""
        return all(self.has_agreed(client_id, kind) for kind in BEFORE_SERVICE)


def held_papers(
    session: Session, today: dt.date, client_ids: Collection[uuid.UUID] | None = None
) -> HeldPapers:
    """The papers of these clients, or of all; three statements, however many they are."""
    in_force = queries.newest_texts(session, today)
    return HeldPapers(
        in_force,
        queries.with_kyc(session, KNOWN, client_ids),
        queries.given_to(session, [text_id for text_id, _ in in_force.values()], client_ids),
    )
