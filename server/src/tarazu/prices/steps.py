"""Corporate actions in prices: one made before the ex-date is shown in the units of after it."""

import datetime as dt
import uuid
from collections.abc import Collection
from fractions import Fraction
from typing import Final

from sqlalchemy.orm import Session

from tarazu.instruments import service as instruments
from tarazu.kit import table_versions
from tarazu.prices import queries
from tarazu.prices.book import PriceBook
from tarazu.prices.tables import PriceStep

_FOLLOWED: Final = "tarazu_price_steps_followed"


def step_prices(
    session: Session,
    action_id: uuid.UUID,
    instrument_ids: Collection[uuid.UUID],
    ex_at: dt.datetime,
    factor: Fraction,
) -> None:
    """From `ex_at` on, let one share of these be `factor` shares: earlier prices are divided by it."""
    session.add_all(
        PriceStep(
            action_id=action_id,
            instrument_id=key,
            ex_at=ex_at,
            new=factor.numerator,
            old=factor.denominator,
        )
        for key in instrument_ids
    )
    session.flush()


def undo_step(session: Session, action_id: uuid.UUID) -> None:
    """Show prices as if the corporate action had not been."""
    queries.delete_steps_of(session, action_id)


def steps_of(
    session: Session, instrument_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, list[PriceStep]]:
    """The corporate actions that changed the units of these instruments, or of all, in order."""
    by_instrument: dict[uuid.UUID, list[PriceStep]] = {}
    for step in queries.price_steps(session, instrument_ids):
        by_instrument.setdefault(step.instrument_id, []).append(step)
    return by_instrument


def stepped_by(session: Session, action_id: uuid.UUID) -> set[uuid.UUID]:
    """The instruments whose units a corporate action changed; none where it is not recorded."""
    return {step.instrument_id for step in queries.steps_of_action(session, action_id)}


def follow_steps(session: Session, book: PriceBook) -> None:
    """Let the book show prices by the corporate actions that are recorded by now.

    Looked for once a transaction: what the transaction itself records shows after its commit.
    """
    if session.info.get(_FOLLOWED):
        return
    session.info[_FOLLOWED] = True
    number = table_versions.number_of(session, PriceStep)
    if number <= book.steps_read:
        return
    tokens = instruments.tokens(session)
    book.follow_steps(
        {
            tokens[key]: [(step.ex_at, Fraction(step.new, step.old)) for step in steps]
            for key, steps in steps_of(session).items()
        }
    )
    book.steps_read = number
