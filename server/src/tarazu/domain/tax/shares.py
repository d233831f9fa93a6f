"""Which share an ISIN names on a day, and how many shares one share became by splits.

A split may give a share a new ISIN; all its ISINs are one chain. After a merger the old chain goes
on as that of the company that took over. A file that was made later may name any ISIN of a chain.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.execution.chains import Chains
from tarazu.domain.execution.values import Action


class Shares:
    """The chains of all shares that some actions touch. The same action given twice counts once."""

    def __init__(self, actions: Collection[CorporateAction]) -> None:
        self._chains = Chains(
            Action(action.isin, action.new_isin, action.ex_on, action.factor)
            for action in actions
            if action.changes_units
        )
        self.actions = self._distinct(actions)
        self._renames: Mapping[str, list[tuple[dt.date, str, str]]] = defaultdict(list)
        self._splits: Mapping[str, list[tuple[dt.date, Fraction]]] = defaultdict(list)
        self._mergers: Mapping[str, list[tuple[dt.date, str]]] = defaultdict(list)
        for action in self.actions:
            chain = self._chains.of(action.isin)
            if action.kind is ActionKind.MERGER and action.new_isin:
                self._mergers[chain].append((action.ex_on, self._chains.of(action.new_isin)))
            if action.changes_units and action.kind is not ActionKind.BONUS:
                self._splits[chain].append((action.ex_on, action.factor))
            if action.changes_units and action.new_isin not in {"", action.isin}:
                self._renames[chain].append((action.ex_on, action.isin, action.new_isin))

    def _distinct(self, actions: Collection[CorporateAction]) -> list[CorporateAction]:
        """Each action once, also where it names another ISIN of the chain; by ex-date."""
        distinct: dict[tuple[object, ...], CorporateAction] = {}
        for action in sorted(actions, key=lambda each: (each.isin, each.new_isin)):
            chain = self._chains.of(action.isin)
            to = "" if action.changes_units else self._chains.of(action.new_isin)
            key = (action.kind, chain, to, action.ex_on, action.factor)
            known = distinct.setdefault(key, action)
            if not known.new_isin and action.new_isin:
                distinct[key] = action
        return sorted(distinct.values(), key=lambda each: (each.ex_on, each.kind, each.isin))

    def chain(self, isin: str, day: dt.date) -> str:
        """The chain that an ISIN names on a day."""
        chain = self._chains.of(isin)
        if chain not in self._mergers:
            return chain
        passed = {chain}
        while (after := self._taken_over(chain, day)) and after not in passed:
            chain = after
            passed.add(chain)
        return chain

    def _taken_over(self, chain: str, day: dt.date) -> str | None:
        return next((to for ex_on, to in self._mergers.get(chain, ()) if ex_on <= day), None)

    def chain_before(self, isin: str) -> str:
        """The chain of an ISIN itself, mergers left out."""
        return self._chains.of(isin)

    def isin_on(self, chain: str, day: dt.date) -> str:
        """What the share of a chain is called on a day."""
        renames = self._renames.get(chain)
        if not renames:
            return chain
        name = renames[0][1]
        for ex_on, _old, new in renames:
            if ex_on <= day:
                name = new
        return name

    def split_between(self, chain: str, after: dt.date, until: dt.date) -> Fraction:
        """Shares on the day `until` for one share on the day `after`, by splits and consolidations.

        A bonus gives shares of their own and is not part of it.
        """
        scale = Fraction(1)
        for ex_on, factor in self._splits.get(chain, ()):
            if after < ex_on <= until:
                scale *= factor
        return scale
