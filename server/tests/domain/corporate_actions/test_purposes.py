"""Purposes of corporate actions, as they are written in NSE's list."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.corporate_actions.purposes import (
    PurposeTerms,
    read_purpose,
    total_of_dividends,
)
from tarazu.domain.corporate_actions.values import ActionKind

BONUS, SPLIT, CONSOLIDATION = ActionKind.BONUS, ActionKind.SPLIT, ActionKind.CONSOLIDATION
DIVIDEND, RIGHTS, BUYBACK = ActionKind.DIVIDEND, ActionKind.RIGHTS, ActionKind.BUYBACK
DEMERGER, MERGER = ActionKind.DEMERGER, ActionKind.MERGER


def terms(kind: ActionKind, factor: str = "1", amount: str | None = None) -> PurposeTerms:
    return PurposeTerms(kind, Fraction(factor), Decimal(amount) if amount else None)


@pytest.mark.parametrize(
    ("purpose", "factor"),
    [
        ("Bonus 3:4", "7/4"),
        ("Bonus 1:1", "2"),
        ("BONUS 2:1", "3"),
        ("Bonus 1 : 2", "3/2"),
        ("Bonus- 1:10", "11/10"),
        ("Bonus Issue 5:1", "6"),
        ("Bonus Issue Bonus 1:4", "5/4"),
        ("Bonus in 1:1 ratio", "2"),
        ("Bonus1:1", "2"),
        ("Bon-1:1", "2"),
        ("Bonus 1:1250", "1251/1250"),
        ("Bonus 1:1 (Revised)", "2"),
    ],
)
def test_a_bonus_is_new_for_held(purpose: str, factor: str) -> None:
    assert read_purpose(purpose) == [terms(BONUS, factor)]


@pytest.mark.parametrize(
    ("purpose", "kind", "factor"),
    [
        (
            "Face Value Split (Sub-Division) - From Rs 10/- Per Share To Re 1/- Per Share",
            SPLIT,
            "10",
        ),
        (
            "Face Value Split (Sub-Division) - From Rs 5/- Per Share To Rs 2/- Per Share",
            SPLIT,
            "5/2",
        ),
        (
            "FACE VALUE SPLIT (SUB-DIVISION) - FROM RE 1/- PER SHARE TO RE 0.50/- PER SHARE",
            SPLIT,
            "2",
        ),
        ("Face Valus Split (Sub-Division) - From Rs10/-Per Share To Rs2/-Per Share", SPLIT, "5"),
        ("Face Value Split From Rs.10/- To Rs.2/-", SPLIT, "5"),
        ("Face Value Split Rs 10 To Rs 1", SPLIT, "10"),
        ("Fv Split Rs.10/- To Re.1/", SPLIT, "10"),
        ("Fv Splt Frm Rs 10 To Rs 2", SPLIT, "5"),
        ("FVSPLT FRM RS100 TO RS 1", SPLIT, "100"),
        ("Fv Spl-Rs10tors2", SPLIT, "5"),
        ("SPLT-RS.10-RE.1", SPLIT, "10"),
        ("Stock Split - From Rs 2/- To Re 1/-", SPLIT, "2"),
        ("Sub-Division From Rs 10 To Rs 2", SPLIT, "5"),
        ("Face Value Split From Rs 1,000/- To Rs 10/-", SPLIT, "100"),
        (
            "Consolidation Of Shares From Re 1/- Per Share To Rs 10/- Per Share",
            CONSOLIDATION,
            "1/10",
        ),
        (
            "Consolidation Of Equity Shares From Rs 2 Per Share To Rs 5 Per Share",
            CONSOLIDATION,
            "2/5",
        ),
        ("Face Value Consolidation From Rs 1 To Rs 10", CONSOLIDATION, "1/10"),
    ],
)
def test_a_split_or_consolidation_is_old_face_value_for_new(
    purpose: str, kind: ActionKind, factor: str
) -> None:
    assert read_purpose(purpose) == [terms(kind, factor)]


@pytest.mark.parametrize(
    ("purpose", "amount"),
    [
        ("Dividend - Rs 3 Per Share", "3"),
        ("Interim Dividend - Rs 3 Per Share", "3"),
        ("Interim Dividend - Re 0.50 Per Share", "0.50"),
        ("Dividend - Rs .50 Per Share", "0.50"),
        ("Dividend - Rs.50 Per Share", "50"),
        ("Dividend - Re  0.05 Per Share", "0.05"),
        ("Dividend - Rs3.75 Per Share", "3.75"),
        ("Final Dividend Rs.8/- Per Ordinary Share", "8"),
        ("Dividend Re 0.80 Per Equity Share", "0.80"),
        ("Special Dividend Of Rs 30", "30"),
        ("Special Interim Dividend - Rs 7.50 Per Sh", "7.50"),
        ("2nd Interim Dividend-Rs 1.25/-Pershare", "1.25"),
        ("2nd Int Div-Rs.1.50 P Shr Purpose Revised", "1.50"),
        ("Intdividend - Rs 160 Per Share", "160"),
        ("Intdiv-Rs 3persh", "3"),
        ("DIV - RS 1.47 PER SH", "1.47"),
        ("Div-Final Rs 2 Pr Share", "2"),
        ("Dividend Rs - 9.40 Per Share", "9.40"),
        ("Dividend Rs:- 6.50/- Per Share", "6.50"),
        ("Interim Dividend - ₹ 12 per share", "12"),
        ("Dividend - Rs 1,250 Per Share", "1250"),
        ("AGM/DIV-RS.2.50 PER SHARE", "2.50"),
        ("Annual General Meeting/Dividend - Rs 5/- Per Share", "5"),
        ("Interim Dividend", None),
        ("Dividend 30%", None),
        ("Agm/Div - 18 %", None),
    ],
)
def test_a_dividend_is_rupees_a_share_and_not_known_in_percent(
    purpose: str, amount: str | None
) -> None:
    assert read_purpose(purpose) == [terms(DIVIDEND, amount=amount)]


@pytest.mark.parametrize(
    ("purpose", "actions"),
    [
        (
            "Interim Dividend - Rs 7 Per Share/Special Dividend - Rs 3 Per Share",
            [terms(DIVIDEND, amount="7"), terms(DIVIDEND, amount="3")],
        ),
        (
            (
                "Dividend - Rs 35 Per Share & Special Dividend Of Rs 100 Per Share/ "
                "Special Dividend Of Rs 30"
            ),
            [terms(DIVIDEND, amount=amount) for amount in ("35", "100", "30")],
        ),
        (
            "Annual General Meeting/Dividend - Rs 2.50 Per Share/Bonus 1:10 (Revised)",
            [terms(DIVIDEND, amount="2.50"), terms(BONUS, "11/10")],
        ),
        (
            " BONUS 3:1/DIVIDEND - RS 30 PER SHARE",
            [terms(BONUS, "4"), terms(DIVIDEND, amount="30")],
        ),
        (
            "Bonus 1:1 And Face Value Split Rs.10/- To Rs.5/- Per Share",
            [terms(BONUS, "2"), terms(SPLIT, "2")],
        ),
        (
            (
                "Interim Div - Rs 6/- Per Share + Face Value Split (Sub-Division) - From Rs 10/- Per "
                "Share To Re 1/- Per Share"
            ),
            [terms(DIVIDEND, amount="6"), terms(SPLIT, "10")],
        ),
        ("Intdiv-Rs 3persh/Bonus1:1", [terms(DIVIDEND, amount="3"), terms(BONUS, "2")]),
        (
            "Annual General Meeting/Dividend Rs.3/- Per Share/Scheme Of Arrangement",
            [terms(DIVIDEND, amount="3"), terms(MERGER)],
        ),
    ],
)
def test_a_line_of_several_actions_gives_several(purpose: str, actions: list[PurposeTerms]) -> None:
    assert read_purpose(purpose) == actions


@pytest.mark.parametrize(
    ("purpose", "action"),
    [
        ("Rights 1:6 @ Premium Rs 100.98/-", terms(RIGHTS, "1/6")),
        ("RIGHTS 3:8@ PRM RS 14/-", terms(RIGHTS, "3/8")),
        ("Rights 161:250 @ Premium Re 0.45 /-", terms(RIGHTS, "161/250")),
        ("Rights 1:9 @ Premium 91", terms(RIGHTS, "1/9")),
        (
            "Rights - 4:25 Fully Paid Up Shares @ Premium Rs 500/- Per Share",
            terms(RIGHTS, "4/25"),
        ),
        ("Rights 3:17 at Rs 535", terms(RIGHTS, "3/17", "535")),
        ("Rights 2:7", terms(RIGHTS, "2/7")),
        ("Rights Issue", terms(RIGHTS)),
        ("Demerger", terms(DEMERGER)),
        ("De-Merger", terms(DEMERGER)),
        ("Spin Off", terms(DEMERGER)),
        ("Scheme Of Demerger", terms(DEMERGER)),
        ("Scheme Of Arrangement (Demerger)", terms(DEMERGER)),
        ("Scheme Of Amalgamation", terms(MERGER)),
        ("Amalgamation", terms(MERGER)),
        ("Scheme of Arrangement", terms(MERGER)),
        ("Composite Scheme Of Arrangement", terms(MERGER)),
        ("Scheme Of Amalgamation And Arrangement", terms(MERGER)),
        ("Buyback", terms(BUYBACK)),
        ("Buy Back", terms(BUYBACK)),
        ("Buy-Back Of Equity Shares", terms(BUYBACK)),
        ("Buyback - Tender Offer", terms(BUYBACK)),
        ("Buyback @ Rs 1,500/- Per Share", terms(BUYBACK, amount="1500")),
    ],
)
def test_actions_without_terms_of_their_own_are_recognised(
    purpose: str, action: PurposeTerms
) -> None:
    assert read_purpose(purpose) == [action]


@pytest.mark.parametrize(
    "purpose",
    [
        "Bonus NCRPS 1:116",
        "Bonus Preference Shares 21:1",
        "Bonus Pref Shares 4:1",
        "Bonus Debentures 6:1",
        "Bonus Warrants 1:1",
        "Bonus 1 Dvr : 10 Eq Share",
        "Scheme Of Arrangement - Bonus Ncrps 46:1",
        "SCH AGMT-BONUS NCRPS46:1",
        "Sch Of Agmt- Bonus Deb1:1",
    ],
)
def test_a_bonus_of_other_securities_changes_no_number_of_shares(purpose: str) -> None:
    assert read_purpose(purpose) == [terms(BONUS)]


@pytest.mark.parametrize(
    "purpose",
    [
        "Annual General Meeting",
        "AGM",
        "Extra Ordinary General Meeting",
        "Interest Payment",
        "Interest Payment/Redemption",
        "Annual General Meeting/ Change In Registrar And Transfer Agent",
    ],
)
def test_a_meeting_is_no_action(purpose: str) -> None:
    assert read_purpose(purpose) == []


@pytest.mark.parametrize(
    "purpose",
    [
        "",
        "   ",
        "-",
        "/",
        "Something nobody has seen before",
        "Bonus",
        "Bonus 1:0",
        "Bonus 0:5",
        "Bonus 1.5:1",
        "Bonus 1:1/Bonus 1:2",
        "Bonus 1:1 and more",
        "Scheme Of Arrangement - Bonus 1:1",
        "Face Value Split",
        "Stock Split 1:10",
        "Face Value Split From Rs 1/- To Rs 10/-",
        "Face Value Split From Rs 10/- To Rs 10/-",
        "Face Value Split From Rs 0/- To Re 1/-",
        "Consolidation Of Shares From Rs 0 To Rs 10",
        "Consolidation Of Equity Shares From Rs 10 Per Share To Re 1 Per Share",
        "Capital Reduction Rs 10 To Rs 3.30 / Consolidation Rs 3.30 To Rs.10",
        "Dividend - Rs  Per Share",
        "Dividend - Rs 0 Per Share",
        "Dividend - Rs 0 .70 Per Share",
        "Dividend - Rs 62..50/- Per Share",
        "Dividend - Re.50 Per Share",
        "Dividend Rs 5 Per Share (Including Special Dividend Of Rs 2 Per Share)",
        "Dividend - Rs 5 Per Share/Agm 12th June",
        "Distribution - Rs 2 Per Unit Consists Of Rs 1.70 Per Unit As Interest",
        "Rights 0:5 @ Premium Rs 3/-",
        "Rights - 7 Ccps And 7 Warrants:40",
        "Rights 1:50 @ Premium Rs 690/- With 17 Warrants For 50 Equity Shares",
    ],
)
def test_a_purpose_that_cannot_be_read_is_never_guessed(purpose: str) -> None:
    assert read_purpose(purpose) is None


def test_dividends_of_one_day_are_one_sum() -> None:
    actions = read_purpose("Bonus 1:1/Interim Dividend - Rs 7 Per Share/Special Dividend - Rs 3")
    assert actions is not None

    assert total_of_dividends(actions) == [terms(BONUS, "2"), terms(DIVIDEND, amount="10")]


def test_a_sum_of_dividends_is_not_known_where_one_of_them_is_not() -> None:
    actions = read_purpose("Interim Dividend - Rs 7 Per Share/Special Dividend")
    assert actions is not None

    assert total_of_dividends(actions) == [terms(DIVIDEND)]


ratios = st.integers(min_value=1, max_value=5000)
blanks = st.sampled_from(["", " ", "  "])
units = st.sampled_from(["Rs", "Rs.", "RS", "rs. ", "Re", "₹"])
faces = st.sampled_from(["0.5", "1", "2", "5", "10", "20", "50", "100"])


@given(new=ratios, old=ratios, blank=blanks)
def test_every_bonus_gives_more_shares_exactly(new: int, old: int, blank: str) -> None:
    purpose = f"Bonus{blank or ' '}{new}{blank}:{blank}{old}"

    assert read_purpose(purpose) == [terms(BONUS, f"{new + old}/{old}")]


@given(old=faces, new=faces, unit=units, blank=blanks, ending=st.sampled_from(["", "/-", " /-"]))
def test_a_split_is_read_alike_in_every_writing(
    old: str, new: str, unit: str, blank: str, ending: str
) -> None:
    one, other = f"{unit}{blank}{old}{ending}", f"{unit}{blank}{new}{ending}"
    purpose = f"Face Value Split (Sub-Division) - From {one} Per Share To {other} Per Share"
    is_split = Decimal(old) > Decimal(new)

    expected = [PurposeTerms(SPLIT, Fraction(old) / Fraction(new))] if is_split else None
    assert read_purpose(purpose) == expected


@given(
    amount=st.decimals("0.01", "9999", places=2),
    unit=st.sampled_from(["Rs", "Rs.", "rs. ", "₹"]),
    which=st.sampled_from(["", "Interim ", "Final ", "Special ", "First Interim "]),
    ending=st.sampled_from(["", "/-", " Per Share", "/- Per Equity Share", " per sh."]),
)
def test_the_amount_of_a_dividend_is_exact(
    amount: Decimal, unit: str, which: str, ending: str
) -> None:
    assert read_purpose(f"{which}Dividend - {unit} {amount}{ending}") == [
        terms(DIVIDEND, amount=str(amount))
    ]


@given(text=st.text(max_size=60))
def test_any_text_is_read_or_not_read_without_an_error(text: str) -> None:
    actions = read_purpose(text)

    for action in actions or []:
        assert action.factor > 0
        assert action.amount is None or action.amount > 0
