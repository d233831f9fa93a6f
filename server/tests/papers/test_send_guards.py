"""Papers before a send: what is missing warns, blocks or is not checked, as the firm has set it."""

import datetime as dt
from typing import Any

import pytest

from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.advice.conftest import AdviceDesk, advice
from tests.papers.papers_of import add_text, consents, path_of, record, set_kyc
from tests.people_of import ADMIN, Desk, data_of
from tests.registers.conftest import check_of
from tests.rows_of import audit_rows

__all__ = ["advice"]


def _set(advice: AdviceDesk, name: str, level: str) -> None:
    body = {"guards": [{"id": name, "level": level}]}
    data_of(advice.desk.put("/admin/settings/guards", body))


def _level_and_text(advice: AdviceDesk, name: str) -> tuple[str, str]:
    check = check_of(advice, name)
    return check["level"], check["text"]


def _send(advice: AdviceDesk) -> Any:
    return advice.send(advice.advice_of(advice.rebalanced(), rationale="Quality."))


def _agree(advice: AdviceDesk, *kinds: str) -> None:
    for kind in kinds:
        data_of(add_text(advice.desk, kind), 201)
        data_of(record(advice.desk, advice.client_id, kind=kind), 201)


def test_a_fresh_installation_warns_of_kyc_and_terms_alone(advice: AdviceDesk) -> None:
    rows = {row["id"]: row for row in data_of(advice.desk.get("/admin/settings/guards"))}

    assert {name: row["level"] for name, row in rows.items()} == {
        "certificate": "BLOCK",
        "restricted": "WARN",
        "kyc": "WARN",
        "terms": "WARN",
        "holdings_consent": "OFF",
        "client_specific": "OFF",
    }
    assert rows["certificate"]["levels"] == ["WARN", "BLOCK"]
    assert rows["kyc"]["levels"] == ["OFF", "WARN", "BLOCK"]
    assert _send(advice).status_code == 201


@pytest.mark.on_both
@pytest.mark.parametrize("level", ["WARN", "BLOCK"])
def test_missing_kyc_warns_or_blocks_and_leads_to_the_papers(
    advice: AdviceDesk, level: str
) -> None:
    _set(advice, "kyc", level)
    missing = "C0001: the PAN, or a KRA status of Registered or Validated, is missing."

    check = check_of(advice, "kyc")

    assert (check["level"], check["text"]) == (level, missing)
    to = f"/home/client/papers?clientId={advice.client_id}&code=C0001"
    assert check["fix"] == {"label": "Open Papers", "to": to}
    answer = _send(advice)
    if level == "BLOCK":
        assert (answer.status_code, answer.json()["message"]) == (422, missing)
        data_of(set_kyc(advice.desk, advice.client_id, status="ON_HOLD"))
        assert _send(advice).status_code == 422
        data_of(set_kyc(advice.desk, advice.client_id))
        answer = _send(advice)
        assert _level_and_text(advice, "kyc") == ("OK", "KYC is done.")
    assert answer.status_code == 201


def test_without_a_text_nobody_can_agree_to_the_terms(advice: AdviceDesk) -> None:
    check = check_of(advice, "terms")
    data_of(add_text(advice.desk, "TERMS"), 201)

    assert (check["level"], check["text"]) == (
        "WARN",
        "The firm has entered no text of the terms and the MITC: nobody can agree.",
    )
    assert check["fix"]["to"] == "/home/settings?section=consents"
    assert _level_and_text(advice, "terms")[1] == (
        "The firm has entered no text of the MITC: nobody can agree."
    )


@pytest.mark.on_both
def test_terms_and_mitc_are_both_needed_at_their_newest_version(
    advice: AdviceDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(advice, "terms", "BLOCK")
    missing = "C0001: no consent to the terms and the MITC in force."
    _agree(advice, "TERMS")
    data_of(add_text(advice.desk, "MITC"), 201)
    assert _level_and_text(advice, "terms") == ("BLOCK", missing)
    data_of(record(advice.desk, advice.client_id, kind="MITC"), 201)
    assert _level_and_text(advice, "terms") == ("OK", "The terms and the MITC are agreed to.")
    assert _send(advice).status_code == 201

    now, tomorrow = clock.now(), clock.today() + dt.timedelta(days=1)
    data_of(add_text(advice.desk, "MITC", since=str(tomorrow), text="New."), 201)
    assert _level_and_text(advice, "terms")[0] == "OK"
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(days=1))
    _sign_in_again(advice)

    assert _level_and_text(advice, "terms") == ("BLOCK", missing)
    answer = _send(advice)
    assert "terms" in {error["field"] for error in answer.json()["errors"]}


def test_the_consent_to_read_holdings_counts_until_it_is_withdrawn(advice: AdviceDesk) -> None:
    off = ("OK", "Not checked: it is switched off in Settings.")
    assert _level_and_text(advice, "holdings_consent") == off
    _set(advice, "holdings_consent", "WARN")
    _agree(advice, "HOLDINGS")
    assert _level_and_text(advice, "holdings_consent")[0] == "OK"

    (given,) = consents(advice.desk, advice.client_id)["HOLDINGS"]["given"]
    path = path_of(advice.client_id, f"consents/{given['_id']}/withdraw")
    data_of(advice.desk.post(path))

    assert _level_and_text(advice, "holdings_consent") == (
        "WARN",
        "C0001: no consent to read the holdings.",
    )


@pytest.mark.parametrize(("level", "seen"), [("OFF", "OK"), ("WARN", "WARN"), ("BLOCK", "BLOCK")])
def test_advice_to_one_client_is_marked_and_limited_as_the_firm_chooses(
    advice: AdviceDesk, level: str, seen: str
) -> None:
    if level != "OFF":
        _set(advice, "client_specific", level)

    assert _level_and_text(advice, "client_specific") == (
        seen,
        "This advice is for one client alone; it is not scaled from a model portfolio.",
    )
    assert _send(advice).status_code == (422 if level == "BLOCK" else 201)


def test_a_check_that_is_off_says_so_and_its_change_is_in_the_trail(
    advice: AdviceDesk, database: Database
) -> None:
    for name in ("kyc", "terms"):
        _set(advice, name, "OFF")

    for name in ("kyc", "terms"):
        assert _level_and_text(advice, name) == (
            "OK",
            "Not checked: it is switched off in Settings.",
        )
    assert len(audit_rows(database, "send_guards_edited")) == 2


def test_the_certificate_check_cannot_be_switched_off(admin: Desk) -> None:
    body = {"guards": [{"id": "certificate", "level": "OFF"}]}

    answer = admin.put("/admin/settings/guards", body)

    assert answer.status_code == 422
    assert answer.json()["message"] == "This check cannot be switched off."


def _sign_in_again(advice: AdviceDesk) -> None:
    login = {"email": ADMIN["email"], "password": ADMIN["password"]}
    token = advice.desk.web.post("/api/v1/auth/login", json=login).json()["accessToken"]
    advice.desk = Desk(advice.desk.web, token)
