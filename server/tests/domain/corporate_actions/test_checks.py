"""What cannot be right about a corporate action."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tarazu.domain.corporate_actions.checks import fault_of, fault_of_entry
from tarazu.domain.corporate_actions.states import ActionState, state_on
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.isin import check_digit

TODAY = dt.date(2026, 11, 23)
INFY, TCS = "INE009A01021", "INE467B01029"
NEW = "INE009A0103" + str(check_digit("INE009A0103"))
SPLIT = CorporateAction(ActionKind.SPLIT, INFY, NEW, TODAY, Fraction(5))
BONUS = CorporateAction(ActionKind.BONUS, INFY, "", TODAY, Fraction(2))
DIVIDEND = CorporateAction(ActionKind.DIVIDEND, INFY, "", TODAY, amount=Decimal(3))
DEMERGER = CorporateAction(
    ActionKind.DEMERGER, INFY, TCS, TODAY, Fraction(1, 2), cost_share=Decimal("12.5")
)


@pytest.mark.parametrize("action", [SPLIT, BONUS, DIVIDEND, DEMERGER])
def test_a_sound_action_has_no_fault(action: CorporateAction) -> None:
    assert fault_of(action, TODAY) is None
    assert fault_of_entry(action) is None


@pytest.mark.parametrize(
    ("action", "changes", "field", "words"),
    [
        (SPLIT, {"isin": "INE009A01022"}, "isin", "is not an ISIN"),
        (SPLIT, {"new_isin": "INE009A01030X"}, "new_isin", "is not an ISIN"),
        (SPLIT, {"new_isin": INFY}, "new_isin", "must differ"),
        (SPLIT, {"new_isin": TCS}, "new_isin", "two companies"),
        (BONUS, {"new_isin": NEW}, "new_isin", "changes no ISIN"),
        (BONUS, {"ex_on": TODAY + dt.timedelta(days=367)}, "ex_on", "more than a year ahead"),
        (BONUS, {"ex_on": dt.date(1989, 12, 31)}, "ex_on", "before 1990"),
        (BONUS, {"factor": Fraction(3, 4)}, "factor", "adds shares"),
        (BONUS, {"factor": Fraction(1002)}, "factor", "beyond 1,000 to 1"),
        (SPLIT, {"factor": Fraction(1, 5)}, "factor", "more shares than before"),
        (SPLIT, {"factor": Fraction(1)}, "factor", "more shares than before"),
        (SPLIT, {"kind": ActionKind.CONSOLIDATION}, "factor", "fewer shares"),
        (DIVIDEND, {"factor": Fraction(2)}, "factor", "has no ratio"),
        (DIVIDEND, {"amount": Decimal(0)}, "amount", "above ₹0"),
        (DIVIDEND, {"amount": Decimal(1_000_001)}, "amount", "at most"),
        (BONUS, {"amount": Decimal(3)}, "amount", "has no amount"),
        (DEMERGER, {"cost_share": Decimal("100.01")}, "cost_share", "0 to 100"),
        (DEMERGER, {"cost_share": Decimal(-1)}, "cost_share", "0 to 100"),
        (SPLIT, {"cost_share": Decimal(10)}, "cost_share", "Only a demerger"),
    ],
)
def test_what_cannot_be_right_is_named_with_its_field(
    action: CorporateAction, changes: dict[str, Any], field: str, words: str
) -> None:
    fault = fault_of(replace(action, **changes), TODAY)

    assert fault is not None
    assert fault.field == field
    assert words in fault.sentence


@pytest.mark.parametrize(
    ("action", "changes", "field"),
    [
        (BONUS, {"factor": Fraction(1)}, "factor"),
        (DIVIDEND, {"amount": None}, "amount"),
        (BONUS, {"record_on": TODAY - dt.timedelta(days=1)}, "record_on"),
        (BONUS, {"record_on": TODAY + dt.timedelta(days=32)}, "record_on"),
    ],
)
def test_a_person_enters_what_a_list_may_leave_out(
    action: CorporateAction, changes: dict[str, Any], field: str
) -> None:
    changed = replace(action, **changes)

    assert fault_of(changed, TODAY) is None
    fault = fault_of_entry(changed)
    assert fault is not None
    assert fault.field == field


def test_an_action_is_announced_until_its_ex_date() -> None:
    assert state_on(TODAY, TODAY - dt.timedelta(days=1)) is ActionState.ANNOUNCED
    assert state_on(TODAY, TODAY) is ActionState.DONE
