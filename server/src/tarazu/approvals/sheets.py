"""Columns of lists of approvals."""

from collections.abc import Sequence
from typing import Final

from tarazu.approvals.service import ListedApproval
from tarazu.kit.export import Column, Kind

APPROVALS: Final[Sequence[Column[ListedApproval]]] = (
    Column("Request", Kind.TEXT, lambda listed: listed.row.about),
    Column("Kind", Kind.TEXT, lambda listed: listed.row.action),
    Column("Asked By", Kind.TEXT, lambda listed: listed.asked_by),
    Column("Asked (IST)", Kind.INSTANT, lambda listed: listed.row.asked_at),
    Column("Note", Kind.TEXT, lambda listed: listed.row.note),
    Column("State", Kind.TEXT, lambda listed: listed.state),
    Column("Decided By", Kind.TEXT, lambda listed: listed.decided_by),
    Column("Decided (IST)", Kind.INSTANT, lambda listed: listed.row.decided_at),
    Column("Answer", Kind.TEXT, lambda listed: listed.row.answer),
    Column("Brought About", Kind.TEXT, lambda listed: listed.row.result),
)
