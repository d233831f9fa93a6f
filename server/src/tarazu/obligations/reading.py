"""The obligations of the firm: what comes with the product, and its own versions of it."""

import datetime as dt
from collections import defaultdict

from sqlalchemy.orm import Session

from tarazu.domain.obligations.shipped import shipped
from tarazu.domain.obligations.states import Versions, states_on
from tarazu.domain.obligations.values import Obligation, ObligationState
from tarazu.kit.clock import day_in_india
from tarazu.obligations import queries
from tarazu.obligations.facts import facts_of


def all_versions(session: Session) -> dict[str, list[Obligation]]:
    """By id, every version in the order of its day; of one day, the newer one last."""
    by_id: dict[str, list[Obligation]] = defaultdict(list)
    for row in shipped():
        by_id[row.id].append(row)
    for own in queries.versions(session):
        rows = by_id[own.obligation_id]
        rows.append(
            Obligation(
                own.obligation_id,
                rows[0].number if rows else None,
                own.title,
                own.form,
                own.trigger,
                own.rule,
                own.duty,
                own.evidence,
                own.source,
                own.effective_on,
                own.terms,
                own.is_ended,
            )
        )
    for rows in by_id.values():
        rows.sort(key=lambda row: row.effective_on)
    return dict(by_id)


def states_at(
    session: Session, day: dt.date, versions: Versions | None = None
) -> list[ObligationState]:
    """The state of these obligations, or of all, on a day."""
    done = {
        (obligation_id, instance): day_in_india(at)
        for obligation_id, instance, at in queries.first_evidence(session)
    }
    rows = all_versions(session) if versions is None else versions
    return states_on(day, rows, facts_of(session, day), done)
