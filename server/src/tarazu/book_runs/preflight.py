"""The checks before the send of a run."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.book_runs import queries
from tarazu.book_runs.records import PlanRecord, Rebuilder, Snapshot, from_json
from tarazu.book_runs.tables import BookRun
from tarazu.domain.money import from_units
from tarazu.kit.audit_log import Actor
from tarazu.model_portfolios import service as models


@dataclass(frozen=True, slots=True)
class SendRequest:
    """What a sender writes, and how many included clients the sender saw.

    `rationale` is None where it was left out: the model's own is used. `acknowledged` names the
    checks whose warnings the sender has read.
    """

    clients: int
    rationale: str | None
    holdings: str = ""
    conflicts: str = ""
    compensation: str = ""
    acknowledged: tuple[str, ...] = ()


def checks_of(
    session: Session,
    actor: Actor,
    run: BookRun,
    request: SendRequest,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> list[advice.Check]:
    """The checks before the send of a run, over all included clients."""
    rebuilder = Rebuilder(from_json(Snapshot, run.snapshot))
    tokens = set(rebuilder.snapshot.columns)
    subjects = []
    for client_id, code, text in queries.included(session, run.id):
        record = from_json(PlanRecord, text)
        tokens.update(record.sold)
        subjects.append(_subject(client_id, code, record, rebuilder))
    said = advice.SendOptions(
        _rationale_of(session, run, request.rationale),
        bool(request.holdings),
        has_mail_server,
        f"/home/models/book/{run.id}",
        actor.account_id,
        has_model=True,
    )
    priced = rebuilder.snapshot.priced
    used = [price for price in priced if price.stock.instrument_token in tokens]
    return advice.before_sending_many(session, subjects, used, said, now)


def _rationale_of(session: Session, run: BookRun, given: str | None) -> advice.Rationale:
    if given is not None:
        return advice.Rationale.GIVEN if given else advice.Rationale.EMPTY
    has_own = bool(models.version(session, run.version_id).row.rationale)
    return advice.Rationale.MODEL if has_own else advice.Rationale.STANDARD


def _subject(
    client_id: uuid.UUID, code: str, record: PlanRecord, rebuilder: Rebuilder
) -> advice.Subject:
    def rows() -> list[advice.Row]:
        return [row for row in rebuilder.rebalance_of(record).rows if row.quantity]

    return advice.Subject(
        client_id,
        code,
        from_units(record.cash),
        bool(record.positions),
        record.source,
        record.synced_at,
        rows,
    )
