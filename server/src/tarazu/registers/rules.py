"""Dated rules of the registers: those that come with the product, and the firm's own."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.own_trading import Window
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock
from tarazu.registers import queries
from tarazu.registers.errors import RuleInForce, UnfitRule
from tarazu.registers.shipped import FORMS, SHIPPED, Rule, RuleForm
from tarazu.registers.tables import RegisterRule, RuleName

_LARGEST_NUMBER = 9_999
_LAST_TABLE_DAY = 28


@dataclass(frozen=True, slots=True)
class KnownRule:
    """A rule with its form, and whether it is in force today."""

    rule: Rule
    form: RuleForm
    is_in_force: bool
    is_shipped: bool


class Rules:
    """Every known rule, to be asked for the one of a day."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_name: dict[RuleName, list[Rule]] = {}
        # Stable: of one day, the firm's own goes after the one that came with the product.
        for rule in sorted(rules, key=lambda rule: rule.effective_on):
            self._by_name.setdefault(rule.name, []).append(rule)

    def on(self, name: RuleName, day: dt.date) -> Rule:
        """The rule in force on a day; before the first one, the first."""
        known = self._by_name[name]
        in_force = [rule for rule in known if rule.effective_on <= day]
        return in_force[-1] if in_force else known[0]

    def number(self, name: RuleName, day: dt.date) -> int:
        """The number of a rule of that form."""
        return int(self.on(name, day).content[0])

    def numbers(self, name: RuleName, day: dt.date) -> list[int]:
        """The numbers of a rule of that form, the largest first."""
        return sorted(map(int, self.on(name, day).content), reverse=True)

    def texts(self, name: RuleName, day: dt.date) -> tuple[str, ...]:
        """The texts of a rule."""
        return self.on(name, day).content

    def holds(self, name: RuleName, day: dt.date) -> bool:
        """Whether a rule that is a yes or no is a yes."""
        return self.on(name, day).content == ("yes",)

    def windows(self) -> list[Window]:
        """The windows of own trading, by their first day."""
        names = (RuleName.TRADING_DAYS_BEFORE, RuleName.TRADING_DAYS_AFTER)
        days = sorted({rule.effective_on for name in names for rule in self._by_name[name]})
        return [Window(day, *(self.number(name, day) for name in names)) for day in days]

    def listed(self, today: dt.date) -> list[KnownRule]:
        """Every rule by name, the newest first."""
        shipped = set(map(id, SHIPPED))
        return [
            KnownRule(rule, FORMS[name], rule is self.on(name, today), id(rule) in shipped)
            for name in RuleName
            for rule in reversed(self._by_name[name])
        ]


def known_rules(session: Session) -> Rules:
    """The rules that come with the product and the firm's own."""
    own = [_rule(row) for row in queries.rules(session)]
    return Rules([*SHIPPED, *own])


def enter_rule(session: Session, actor: Actor, now: dt.datetime, rule: Rule) -> Rule:
    """Add a rule, or change the firm's own of the same day.

    Raises:
        RuleInForce: its day is past.
        UnfitRule: its content is not of the form that the rule has.
    """
    acquire_lock(session, AdvisoryLock.REGISTERS)
    if rule.effective_on < day_in_india(now):
        raise RuleInForce
    _refuse_unfit(rule)
    before = known_rules(session).on(rule.name, rule.effective_on)
    row = queries.rule_from(session, rule.name, rule.effective_on)
    if row is None:
        row = RegisterRule(id=new_id(), name=rule.name, effective_on=rule.effective_on)
        session.add(row)
    row.content = json.dumps(rule.content, ensure_ascii=False)
    row.source = rule.source
    row.created_at, row.created_by = now, actor.account_id
    session.flush()
    changes = {
        "content": [list(before.content), list(rule.content)],
        "effectiveOn": rule.effective_on,
        "source": rule.source,
    }
    audit_log.record(
        session, actor, now, "register_rule_set", ("register_rule", rule.name), changes
    )
    return rule


def _rule(row: RegisterRule) -> Rule:
    return Rule(row.name, row.effective_on, tuple(json.loads(row.content)), row.source)


def _refuse_unfit(rule: Rule) -> None:
    form = FORMS[rule.name]
    numbers = [text for text in rule.content if text.isascii() and text.isdigit()]
    are_numbers = len(numbers) == len(rule.content) and all(
        int(number) <= _LARGEST_NUMBER for number in numbers
    )
    is_fit = {
        RuleForm.NUMBER: are_numbers and len(rule.content) == 1,
        RuleForm.NUMBERS: are_numbers and bool(rule.content),
        RuleForm.TEXTS: bool(rule.content),
        RuleForm.YES_NO: rule.content in {("yes",), ("no",)},
    }[form]
    if rule.name is RuleName.COMPLAINT_TABLE_DAY and is_fit:
        is_fit = 1 <= int(rule.content[0]) <= _LAST_TABLE_DAY
    if not is_fit:
        sentences = {
            RuleForm.NUMBER: "Enter one whole number.",
            RuleForm.NUMBERS: "Enter whole numbers, one a line.",
            RuleForm.TEXTS: "Enter at least one line.",
            RuleForm.YES_NO: "Answer yes or no.",
        }
        message = sentences[form]
        if rule.name is RuleName.COMPLAINT_TABLE_DAY:
            message = "Enter a day of the month, 1 to 28."
        raise UnfitRule(message, errors=[{"field": "content", "message": message}])
