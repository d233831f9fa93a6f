"""What keeps advice from clients: mails that were given up, and checks that block every send."""

import datetime as dt

from sqlalchemy.orm import Session

from tarazu.advice import queries
from tarazu.advice.check_results import Check, Level
from tarazu.advice.queries import Undelivered
from tarazu.advice.send_checks import Facts, Rationale, checks_before_send
from tarazu.firm import service as firm
from tarazu.kit.clock import day_in_india
from tarazu.papers import service as papers
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


def list_undelivered(
    session: Session, skipped: int, limit: int, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[Undelivered], int]:
    """One page of the advices whose mail was given up, the last failure first; how many there are."""
    rows = queries.undelivered(session, skipped, limit, visible)
    return rows, queries.count_undelivered(session, visible)


def count_undelivered(session: Session, visible: VisibleClients = ALL_CLIENTS) -> int:
    """How many advices were not delivered: their mail was given up and not sent again since."""
    return queries.count_undelivered(session, visible)


def has_advice(session: Session) -> bool:
    """Whether any advice was ever sent."""
    return queries.has_advice(session)


def blocking_checks(session: Session, now: dt.datetime) -> list[Check]:
    """The checks that block a send whatever is sent, and to whom."""
    facts = Facts(
        terms=firm.send_terms(session),
        has_mail_server=True,
        prices=(),
        recipients=(),
        rationale=Rationale.GIVEN,
        says_holdings=True,
        holidays=frozenset(),
        now=now,
        place="",
        texts_in_force=papers.held_papers(session, day_in_india(now), ()).in_force.keys(),
    )
    return [check for check in checks_before_send(facts) if check.level is Level.BLOCK]
