"""What was asked for, by whom, and what a second administrator decided."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.firm.service import ApprovedAction
from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.encryption import SEALED


class ApprovalState(StrEnum):
    """EXPIRED is never stored: nobody decided in time."""

    WAITING = "WAITING"
    APPROVED = "APPROVED"
    REFUSED = "REFUSED"
    WITHDRAWN = "WITHDRAWN"
    EXPIRED = "EXPIRED"


class Approval(Table):
    __tablename__ = "approvals"
    __table_args__ = (Index("ix_approvals_asked_by_digest", "asked_by", "digest"),)

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    action: Mapped[ApprovedAction]
    state: Mapped[ApprovalState]
    # One sentence for people.
    about: Mapped[str] = mapped_column(Text)
    # What was asked for, as JSON; encrypted, because it may hold a broker's secret.
    request: Mapped[str] = mapped_column(Text, info=SEALED)
    # SHA-256 of the request: the same one is not asked for twice.
    digest: Mapped[str] = mapped_column(String(64))
    note: Mapped[str]
    asked_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    asked_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    # JSON: role, address, session and request of who asked, which is sealed with advice.
    asked_from: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    decided_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # What the administrator wrote; "" for nothing.
    answer: Mapped[str]
    # The id of what the approval brought about: an advice, a run, a broker; "" for none.
    result: Mapped[str] = mapped_column(String(40))

    def state_at(self, now: dt.datetime) -> ApprovalState:
        """Its state, with EXPIRED for one that waited too long."""
        is_over = self.state is ApprovalState.WAITING and now >= self.expires_at
        return ApprovalState.EXPIRED if is_over else self.state
