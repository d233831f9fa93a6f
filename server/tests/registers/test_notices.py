"""Advertisements with their wording and release, AI tools and letters, handles, incidents."""

from typing import Any

import pytest

from tests.people_of import Desk, data_of, reply_of

pytestmark = pytest.mark.on_both

PATH = "/admin/registers"
AD = {
    "title": "Model portfolios",
    "medium": "Website",
    "text": "The best and risk-free way to assured returns",
}
TOOL = {
    "name": "Summaries",
    "extent": "A language model summarises company filings.",
    "since": "2026-04-01",
}
HANDLE = {"platform": "X", "handle": "@sahyadri", "since": "2026-05-01"}
INCIDENT = {"noticedOn": "2026-11-24", "noticedTime": "16:30", "summary": "A laptop was stolen"}


def add(desk: Desk, path: str, body: dict[str, Any], **fields: Any) -> dict[str, Any]:
    row: dict[str, Any] = data_of(desk.post(f"{PATH}/{path}", body | fields))
    return row


def release(desk: Desk, row: dict[str, Any], day: str) -> Any:
    return desk.post(f"{PATH}/advertisements/{row['_id']}/release", {"releasedOn": day})


def test_words_of_the_list_are_named_with_their_place(desk: Desk) -> None:
    words = data_of(desk.post(f"{PATH}/advertisements/screen", {"text": AD["text"]}))

    assert [(word["word"], word["start"]) for word in words] == [
        ("best", 4),
        ("risk-free", 13),
        ("assured", 30),
    ]
    assert add(desk, "advertisements", AD)["flagged"] == words


def test_the_list_of_words_is_the_firms(desk: Desk) -> None:
    rule = {
        "name": "ADVERTISEMENT_WORDS",
        "effectiveOn": "2026-11-25",
        "content": ["way"],
        "source": "Our counsel, 25 November 2026",
    }
    desk.post(f"{PATH}/rules", rule)

    flagged = add(desk, "advertisements", AD)["flagged"]

    assert [word["word"] for word in flagged] == ["way"]


def test_nothing_is_released_without_an_approval(desk: Desk) -> None:
    row = add(desk, "advertisements", AD)

    assert row["needsApproval"]
    assert reply_of(release(desk, row, "2026-11-25")) == (
        422,
        "The rule in force asks for an approval before release: enter its number and its day first.",
    )
    assert data_of(desk.get(f"{PATH}/advertisements"))[0]["releasedOn"] is None


def test_an_approved_advertisement_is_released_once_and_then_stays(desk: Desk) -> None:
    approved = AD | {"approvalNumber": "RAASB/417", "approvedOn": "2026-11-20"}
    row = add(desk, "advertisements", approved)

    assert release(desk, row, "2026-11-19").status_code == 422
    assert release(desk, row, "2026-11-26").status_code == 422
    assert data_of(release(desk, row, "2026-11-24"))["releasedOn"] == "2026-11-24"
    assert release(desk, row, "2026-11-24").status_code == 409
    edit = desk.put(f"{PATH}/advertisements/{row['_id']}", approved | {"text": "Other"})
    assert edit.status_code == 409


def test_an_approval_is_of_one_text(desk: Desk) -> None:
    approved = AD | {"approvalNumber": "RAASB/417", "approvedOn": "2026-11-20"}
    row = add(desk, "advertisements", approved)

    answer = desk.put(f"{PATH}/advertisements/{row['_id']}", approved | {"text": "Other"})

    assert answer.status_code == 422
    assert desk.post(f"{PATH}/advertisements", AD | {"approvalNumber": "7"}).status_code == 422


def test_where_the_rule_asks_for_no_approval_it_is_released_without(desk: Desk) -> None:
    rule = {
        "name": "ADVERTISEMENT_APPROVAL",
        "effectiveOn": "2026-11-25",
        "content": ["no"],
        "source": "SEBI circular of 24 November 2026",
    }
    desk.post(f"{PATH}/rules", rule)
    row = add(desk, "advertisements", AD)

    assert release(desk, row, "2026-11-24").status_code == 422
    assert release(desk, row, "2026-11-25").status_code == 200


def test_letters_follow_the_register_of_ai_tools(desk: Desk) -> None:
    row = add(desk, "ai-tools", TOOL)

    firm = data_of(desk.get("/settings/firm"))
    assert firm["aiUse"] == (
        "AI tools that we use: Summaries: A language model summarises company filings."
    )

    desk.put(f"{PATH}/ai-tools/{row['_id']}", TOOL | {"until": "2026-11-20"})
    assert data_of(desk.get("/settings/firm"))["aiUse"] == "We no longer use AI tools."


def test_the_firms_own_words_stay_until_it_takes_the_registers(desk: Desk) -> None:
    desk.put("/settings/firm", {"aiUse": "AI checks our spelling."})
    add(desk, "ai-tools", TOOL)

    sentence = data_of(desk.get(f"{PATH}/ai-sentence"))
    assert (sentence["letters"], sentence["isOwnText"]) == ("AI checks our spelling.", True)

    taken = data_of(desk.post(f"{PATH}/ai-sentence"))
    assert taken["letters"] == taken["fromRegister"] != ""
    assert not taken["isOwnText"]


@pytest.mark.parametrize(("path", "body"), [("ai-tools", TOOL), ("handles", HANDLE)])
def test_days_that_do_not_fit_are_refused(desk: Desk, path: str, body: dict[str, Any]) -> None:
    for fields, sentence in (
        ({"until": "2026-03-31"}, "The last day is before the first one."),
        ({"since": "2026-11-26"}, "This day is in the future."),
        ({"until": "2026-11-26"}, "This day is in the future."),
    ):
        assert reply_of(desk.post(f"{PATH}/{path}", body | fields)) == (422, sentence)
    assert data_of(desk.get(f"{PATH}/{path}")) == []


def test_a_handle_ends(desk: Desk) -> None:
    row = add(desk, "handles", HANDLE)

    desk.put(f"{PATH}/handles/{row['_id']}", HANDLE | {"until": "2026-11-01"})

    assert data_of(desk.get(f"{PATH}/handles", state="open")) == []
    assert data_of(desk.get(f"{PATH}/handles", state="closed"))[0]["until"] == "2026-11-01"


@pytest.mark.parametrize(
    ("day", "time", "state"),
    [
        ("2026-11-25", "10:00", "OPEN"),
        ("2026-11-23", "11:00", "DUE_SOON"),
        ("2026-11-22", "10:59", "OVERDUE"),
    ],
)
def test_an_incident_is_due_after_seventy_two_hours(
    desk: Desk, day: str, time: str, state: str
) -> None:
    row = add(desk, "incidents", INCIDENT, noticedOn=day, noticedTime=time)

    assert row["state"] == state


def test_an_incident_is_reported_once_and_after_it_was_noticed(desk: Desk) -> None:
    row = add(desk, "incidents", INCIDENT)
    path = f"{PATH}/incidents/{row['_id']}/report"
    report = {"reportedOn": "2026-11-24", "reportedTime": "18:00", "report": "CERT-In, 1187"}

    assert desk.post(path, report | {"reportedTime": "16:29"}).status_code == 422
    assert desk.post(path, report | {"reportedOn": "2026-11-26"}).status_code == 422
    assert data_of(desk.post(path, report))["state"] == "REPORTED"
    assert desk.post(path, report).status_code == 409


def test_a_late_report_says_so(desk: Desk) -> None:
    row = add(desk, "incidents", INCIDENT, noticedOn="2026-11-20", noticedTime="09:00")
    report = {"reportedOn": "2026-11-23", "reportedTime": "09:01", "report": "CERT-In"}

    answer = desk.post(f"{PATH}/incidents/{row['_id']}/report", report)

    assert data_of(answer)["state"] == "REPORTED_LATE"


@pytest.mark.parametrize(
    "path", ["advertisements", "ai-tools", "handles", "incidents", "certificates", "rules"]
)
def test_every_register_is_exported(desk: Desk, path: str) -> None:
    for form in ("csv", "xlsx"):
        assert desk.get(f"{PATH}/{path}/export", format=form).status_code == 200


def test_the_choices_of_the_forms_are_those_of_the_rules(desk: Desk) -> None:
    choices = data_of(desk.get(f"{PATH}/choices"))

    assert choices["series"] == ["XV", "XXV-A"]
    assert (choices["complaintDays"], choices["incidentHours"]) == (21, 72)
    assert (choices["tradingDaysBefore"], choices["tradingDaysAfter"]) == (30, 5)
