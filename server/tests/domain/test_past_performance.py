"""To whom past performance may be shown."""

import datetime as dt
from dataclasses import replace

import pytest

from tarazu.domain.past_performance import (
    INTERNAL,
    Audience,
    Decision,
    Outcome,
    Request,
    Rules,
    Span,
    Standing,
    decide,
)

RULES = Rules(
    verified_from=dt.date(2026, 5, 4),
    enrol_until=dt.date(2026, 9, 3),
    certified_until=dt.date(2028, 5, 3),
    words_own="own account",
    words_certified="certified",
    words_verified="verified",
    source="circulars",
)
BEFORE = Span(dt.date(2024, 11, 25), dt.date(2026, 5, 3))
ACROSS = Span(dt.date(2024, 11, 25), dt.date(2026, 11, 20))
TODAY = dt.date(2026, 11, 24)
READY = Standing(enrolled_on=dt.date(2026, 8, 1), certified=BEFORE)


def asked(
    audience: Audience,
    period: Span = BEFORE,
    today: dt.date = TODAY,
    asked_by: str = "Vidya Mehta",
) -> Request:
    return Request(audience, period, today, asked_by)


def test_a_client_is_always_shown_the_own_account_worded_as_such() -> None:
    decision = decide(asked(Audience.OWN_CLIENT, ACROSS, asked_by=""), Standing(), RULES)

    assert decision == Decision(Outcome.ALLOWED_WITH_WORDS, "own account")


def test_the_firm_itself_sees_everything_marked_for_internal_use() -> None:
    decision = decide(asked(Audience.FIRM, ACROSS), Standing(), RULES)

    assert decision == Decision(Outcome.ALLOWED_WITH_WORDS, INTERNAL)
    assert INTERNAL.startswith("For internal use")


@pytest.mark.parametrize(
    ("audience", "is_refused"), [(Audience.FIRM, True), (Audience.OWN_CLIENT, False)]
)
def test_a_user_takes_no_file_of_the_firm_away(audience, is_refused) -> None:
    request = asked(audience, ACROSS)._replace(taken_by_user=True)

    decision = decide(request, Standing(), RULES)

    assert decision.is_refused is is_refused
    assert decision.reason.startswith("Only an administrator") is is_refused


def test_certified_figures_are_shown_to_one_who_asked() -> None:
    decision = decide(asked(Audience.PROSPECT), READY, RULES)

    assert decision == Decision(Outcome.ALLOWED_WITH_WORDS, "certified")


@pytest.mark.parametrize(
    ("request_", "standing", "reason"),
    [
        (asked(Audience.PUBLIC), READY, "to the public only as"),
        (asked(Audience.PROSPECT, asked_by=" "), READY, "only on request"),
        (asked(Audience.PROSPECT, ACROSS), READY, "04-05-2026 and later"),
        (asked(Audience.PROSPECT), Standing(certified=BEFORE), "not enrolled"),
        (
            asked(Audience.PROSPECT),
            replace(READY, enrolled_on=dt.date(2026, 9, 4)),
            "not enrolled",
        ),
        (asked(Audience.PROSPECT), replace(READY, certified=None), "No certificate"),
        (
            asked(Audience.PROSPECT),
            replace(READY, certified=Span(dt.date(2025, 4, 1), BEFORE.last)),
            "No certificate",
        ),
        (asked(Audience.PROSPECT, today=dt.date(2028, 5, 4)), READY, "Since 03-05-2028"),
    ],
)
def test_anything_else_is_refused_with_the_reason(
    request_: Request, standing: Standing, reason: str
) -> None:
    decision = decide(request_, standing, RULES)

    assert decision.is_refused
    assert reason in decision.reason
    assert decision.words == ""


@pytest.mark.parametrize("audience", [Audience.PUBLIC, Audience.PROSPECT])
def test_verified_figures_are_shown_to_anybody_with_their_words(audience: Audience) -> None:
    verified = Standing(verified=ACROSS)

    decision = decide(asked(audience, ACROSS, dt.date(2029, 1, 1)), verified, RULES)

    assert decision == Decision(Outcome.ALLOWED_WITH_WORDS, "verified")


def test_verified_figures_of_other_days_do_not_help() -> None:
    verified = Standing(verified=BEFORE)

    assert decide(asked(Audience.PUBLIC, ACROSS), verified, RULES).is_refused
