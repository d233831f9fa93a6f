"""The ISINs that a share had one after another, as they were noted with its instrument."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from tarazu.instruments import queries

NEW_ISIN_WITHIN: Final = dt.timedelta(days=60)
"""After the ex-date of a split, the brokers have the new ISIN by then."""


class IsinChange(NamedTuple):
    """An ISIN that an instrument had until a day, and the one that it has now."""

    instrument_id: uuid.UUID
    isin: str
    until: dt.date
    current: str


class IsinHistory:
    """All changes of ISINs. A share listed on two exchanges has the same ones twice."""

    def __init__(self, changes: Iterable[IsinChange]) -> None:
        chains: dict[uuid.UUID, list[tuple[dt.date, str]]] = {}
        for change in sorted(changes, key=lambda change: change.until):
            chain = chains.setdefault(change.instrument_id, [(dt.date.max, change.current)])
            chain.insert(-1, (change.until, change.isin))
        self._chains: Mapping[str, list[tuple[dt.date, str]]] = {
            isin: chain for chain in chains.values() for _until, isin in chain
        }

    def family(self, isins: Collection[str]) -> set[str]:
        """These ISINs, and those that the same shares had before and after."""
        return {
            name for isin in isins for _until, name in self._chains.get(isin, [(dt.date.max, isin)])
        }

    def changes_of(self, isins: Collection[str]) -> list[tuple[str, str, dt.date]]:
        """Each change of the ISIN of these shares: before, after, and the first day of the new one."""
        chains = {tuple(chain): chain for isin in isins if (chain := self._chains.get(isin))}
        return [
            (before, after, until + dt.timedelta(days=1))
            for chain in chains.values()
            for (until, before), (_, after) in pairwise(chain)
            if before and after and before != after
        ]

    def on(self, isin: str, day: dt.date) -> str:
        """The ISIN that the share had on a day, its last one included; `isin` if nothing is known."""
        chain = self._chains.get(isin, [(dt.date.max, isin)])
        return next(name for until, name in chain if day <= until)

    def after_split(self, isin: str, ex_on: dt.date) -> str:
        """The ISIN that followed `isin` on the ex-date of a split or soon after; "" if none did."""
        chain = self._chains.get(isin, [])
        for (until, name), (_, following) in pairwise(chain):
            if name == isin != following and ex_on <= until <= ex_on + NEW_ISIN_WITHIN:
                return following
        return ""


def isin_history(session: Session) -> IsinHistory:
    """The history of all shares; few ever change their ISIN."""
    return IsinHistory(IsinChange(*row) for row in queries.isin_changes(session))
