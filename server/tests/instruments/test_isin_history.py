"""Which ISIN a share had on a day."""

import datetime as dt
import uuid

from tarazu.instruments.isin_history import IsinChange, IsinHistory

FIRST, SECOND = dt.date(2025, 3, 10), dt.date(2026, 8, 3)
DAY = dt.timedelta(days=1)


def history() -> IsinHistory:
    """A share that was A until the first day, B until the second, and is C; on two exchanges."""
    changes = []
    for _exchange in ("NSE", "BSE"):
        key = uuid.uuid4()
        changes += [IsinChange(key, "B", SECOND, "C"), IsinChange(key, "A", FIRST, "C")]
    return IsinHistory(changes)


def test_the_isin_of_a_day_is_found_from_any_isin_of_the_share() -> None:
    for isin in "ABC":
        days = (FIRST, FIRST + DAY, SECOND, SECOND + DAY)
        assert [history().on(isin, day) for day in days] == ["A", "B", "B", "C"]
    assert history().on("X", FIRST) == "X"


def test_a_family_has_every_isin_of_a_share() -> None:
    assert history().family(["B", "X"]) == {"A", "B", "C", "X"}


def test_the_isin_after_a_split_is_the_next_one_if_it_came_soon() -> None:
    assert history().after_split("A", FIRST) == "B"
    assert history().after_split("A", FIRST - 60 * DAY) == "B"
    assert history().after_split("A", FIRST - 61 * DAY) == ""
    assert history().after_split("A", FIRST + DAY) == ""
    assert history().after_split("C", SECOND) == ""
