"""What the staff of the demo firm noted down about its clients."""

import datetime as dt
import random
import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from tarazu.clients import remarks
from tarazu.kit.audit_log import Actor

SEED = 7
DAYS_BACK = 240
MOST = 4

TEXTS = (
    "Prefers a call after 5 pm; does not read mail during market hours.",
    "Wants to keep 10% in cash until the house purchase in March.",
    "Comfortable with mid caps, but no single stock above 12%.",
    "Asked for less banking. Discussed trimming in two steps after the results.",
    "Daughter starts college next June: will need about ₹8 lakh.",
    "Nominee details updated with the broker.\nCopy of the form received by mail.",
    "Moved the SIP to the 5th of the month; funds arrive by the 7th.",
    "Sent the half-yearly review. Happy with the drawdown, asked about the tax on the sale of ITC.",
    "Do not advise tobacco or alcohol stocks.",
    "Travelling until the 20th; orders will be placed late.",
    "Risk profile reviewed: moderate, horizon seven years.",
    "Holds the employer's shares in another account; keep IT below 20% here.",
)


def note(
    session: Session,
    actors: Sequence[Actor],
    now: dt.datetime,
    started_on: Mapping[uuid.UUID, dt.date],
) -> None:
    """Give every second client or so a few remarks, the oldest first."""
    chance = random.Random(SEED)  # noqa: S311 - a story, not a secret
    for client_id, started in started_on.items():
        most = min(DAYS_BACK, (now.date() - started).days)
        texts = chance.sample(TEXTS, chance.choice([0, 0, 1, 2, 3, MOST]))
        days = sorted(chance.sample(range(1, most), len(texts)), reverse=True)
        for text, day in zip(texts, days, strict=True):
            at = now - dt.timedelta(days=day, minutes=chance.randrange(360))
            remarks.add_remark(session, chance.choice(actors), at, client_id, text)
