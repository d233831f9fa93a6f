"""The second factor: RFC 6238 to the digit, each code once, recovery codes, and who must have it."""

import datetime as dt
import re
from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

import pyotp
import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from tarazu.auth import two_factor as totp
from tarazu.auth.tables import RecoveryCode, SecondFactor
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.auth.conftest import Post, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, data_of, reply_of

PASSWORD = {"password": ADMIN["password"]}
RFC_SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_vectors_of_the_standard(seconds: int, code: str) -> None:
    at = dt.datetime.fromtimestamp(seconds, dt.UTC)

    assert totp.step_of(RFC_SEED, code[-totp.DIGITS :], at) == totp.step_at(at)


def test_a_code_of_the_step_before_or_after_is_taken_and_no_other() -> None:
    now = dt.datetime.fromtimestamp(1_800_000_010, dt.UTC)
    here = totp.step_at(now)

    taken = [
        totp.step_of(RFC_SEED, pyotp.HOTP(RFC_SEED).at(here + off), now) for off in range(-2, 3)
    ]

    assert taken == [None, here - 1, here, here + 1, None]


def code_now(seed: str, steps: int = 0) -> str:
    return pyotp.HOTP(seed).at(totp.step_at(clock.now()) + steps)


def begin(desk: Desk) -> str:
    return str(desk.post("/auth/totp/enrol", PASSWORD).json()["data"]["secret"])


def set_up(desk: Desk) -> tuple[str, list[str]]:
    """The seed and the recovery codes."""
    seed = begin(desk)
    return seed, data_of(desk.post("/auth/totp/confirm", {"code": code_now(seed)}))["recoveryCodes"]


def attempt(web: TestClient, code: str | None = None) -> Response:
    return web.post("/api/v1/auth/login", json={**ADMIN, "totpCode": code})


def test_setting_it_up_takes_the_password_and_a_code(
    admin: Desk, post: Post, staffed: Staffed, time: Time
) -> None:
    assert admin.get("/auth/totp").json()["data"] == {
        "isOn": False,
        "isRequired": False,
        "recoveryCodesLeft": 0,
    }
    wrong = admin.post("/auth/totp/enrol", {"password": "not this one"})
    begun = admin.post("/auth/totp/enrol", PASSWORD).json()["data"]
    refused = admin.post("/auth/totp/confirm", {"code": "000000"})
    answer = admin.post("/auth/totp/confirm", {"code": code_now(begun["secret"])})

    assert reply_of(wrong) == (422, "The password is not right.")
    address = urlsplit(begun["uri"])
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert unquote(address.path) == f"/Tarazu:{ADMIN['email']}"
    assert parse_qs(address.query)["secret"] == [begun["secret"]]
    assert re.fullmatch(r"[A-Z2-7]{32}", begun["secret"])
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "code"
    codes = answer.json()["data"]["recoveryCodes"]
    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"[a-z2-9]{5}-[a-z2-9]{5}", code) for code in codes)
    assert admin.get("/auth/totp").json()["data"]["isOn"] is True
    assert post.to(ADMIN["email"])[-1].subject == "Two-factor sign-in was turned on"
    assert len(staffed.trail_of("second_factor_set_up")) == 1


def test_until_it_is_confirmed_nothing_is_asked_for(web: TestClient, admin: Desk) -> None:
    begin(admin)

    assert attempt(web).status_code == 200


def test_a_log_in_asks_for_the_code_once_the_password_is_right(
    web: TestClient, admin: Desk, time: Time
) -> None:
    seed, _ = set_up(admin)
    time.go(seconds=30)

    missing = attempt(web)
    wrong = attempt(web, "000000")
    wrong_password = web.post(
        "/api/v1/auth/login", json={**ADMIN, "password": "not this one", "totpCode": code_now(seed)}
    )
    right = attempt(web, f" {code_now(seed)[:3]} {code_now(seed)[3:]} ")

    assert (missing.status_code, missing.json()["code"]) == (401, "totp_required")
    assert missing.json()["message"] == "Enter the code of your authenticator app."
    assert (wrong.status_code, wrong.json()["code"]) == (401, "totp_wrong")
    assert wrong_password.json()["message"] == "Invalid email or password"
    assert right.status_code == 200


def test_a_code_is_taken_once(web: TestClient, admin: Desk, time: Time) -> None:
    seed, _ = set_up(admin)
    assert attempt(web, code_now(seed)).status_code == 401
    time.go(seconds=30)
    assert attempt(web, code_now(seed)).status_code == 200
    assert attempt(web, code_now(seed)).status_code == 401
    assert attempt(web, code_now(seed, -1)).status_code == 401
    assert attempt(web, code_now(seed, +1)).status_code == 200


@pytest.mark.on_both(suite="long")
def test_a_recovery_code_is_taken_once(web: TestClient, admin: Desk) -> None:
    _, codes = set_up(admin)

    assert attempt(web, codes[3].upper()).status_code == 200
    assert attempt(web, codes[3]).status_code == 401
    assert admin.get("/auth/totp").json()["data"]["recoveryCodesLeft"] == 9


def test_wrong_codes_are_counted_as_failed_log_ins(
    strict: TestClient, admin: Desk, time: Time
) -> None:
    seed, _ = set_up(Desk(strict, admin.token))
    time.go(seconds=30)

    assert [attempt(strict, "000000").status_code for _ in range(6)] == [401] * 5 + [429]
    assert attempt(strict, code_now(seed)).status_code == 429


def test_taking_it_away_needs_the_password(web: TestClient, admin: Desk, post: Post) -> None:
    set_up(admin)

    assert admin.post("/auth/totp/disable", {"password": "not this one"}).status_code == 422
    assert attempt(web).status_code == 401
    assert admin.post("/auth/totp/disable", PASSWORD).status_code == 200
    assert attempt(web).status_code == 200
    assert post.to(ADMIN["email"])[-1].subject == "Two-factor sign-in was turned off"


def test_what_is_not_in_order_is_refused(admin: Desk, time: Time) -> None:
    early = admin.post("/auth/totp/confirm", {"code": "123456"})
    seed, _ = set_up(admin)
    again = admin.post("/auth/totp/enrol", PASSWORD)
    twice = admin.post("/auth/totp/confirm", {"code": code_now(seed)})

    assert [one.status_code for one in (early, again, twice)] == [409, 409, 409]
    assert early.json()["message"] == "Begin to set up the second factor first."
    assert again.json()["message"] == "The second factor is already set up."


def test_the_seed_is_sealed_and_the_codes_are_digests(admin: Desk, database: Database) -> None:
    seed, codes = set_up(admin)

    with database.reading() as session:
        kept = session.execute(select(SecondFactor.seed)).scalar_one()
        digests = session.execute(select(RecoveryCode.digest)).scalars().all()
    assert kept.startswith("v1:test:")
    assert seed not in kept
    assert not set(codes) & set(digests)


def test_a_reset_leaves_the_second_factor_on(web: TestClient, admin: Desk, post: Post) -> None:
    set_up(admin)
    web.post("/api/v1/auth/forget-password/request", json={"email": ADMIN["email"]})
    path = f"/api/v1/auth/forget-password/confirm/{post.link(ADMIN['email'])}"
    web.post(path, json={"password": "nine-birches-9"})

    body = {**ADMIN, "password": "nine-birches-9"}
    assert web.post("/api/v1/auth/login", json=body).json()["code"] == "totp_required"


@pytest.mark.parametrize(
    ("required", "email"), [("ADMIN", ADMIN["email"]), ("ALL", "ravi@desk.example")]
)
def test_where_it_is_required_nothing_else_can_be_done_first(
    installed: Callable[..., TestClient], admin: Desk, staffed: Staffed, required: str, email: str
) -> None:
    staffed.add(password=ADMIN["password"])
    web = installed(require_totp=required)
    who = {"email": email, **PASSWORD}
    entry = web.post("/api/v1/auth/login", json=who)
    desk = Desk(web, entry.json()["accessToken"])

    assert entry.json()["data"]["isSecondFactorDue"] is True
    refused = desk.get("/clients")
    assert (refused.status_code, refused.json()["code"]) == (403, "SECOND_FACTOR_REQUIRED")
    assert refused.json()["message"] == "Set up a second factor to continue."
    assert desk.get("/auth/verify-token").status_code == 200
    assert desk.get("/auth/totp").json()["data"]["isRequired"] is True
    set_up(desk)
    assert desk.get("/clients").status_code == 200
    assert desk.post("/auth/totp/disable", PASSWORD).status_code == 409


def test_who_need_not_have_one_is_not_asked(
    installed: Callable[..., TestClient], admin: Desk, staffed: Staffed
) -> None:
    web = installed(require_totp="ADMIN")
    entry = web.post("/api/v1/auth/login", json=staffed.add())

    assert entry.json()["data"]["isSecondFactorDue"] is False
    assert Desk(web, entry.json()["accessToken"]).get("/clients").status_code == 200


@pytest.mark.on_both(suite="long")
def test_a_first_log_in_sets_its_password_before_its_second_factor(
    installed: Callable[..., TestClient], admin: Desk, staffed: Staffed
) -> None:
    web = installed(require_totp="ALL")
    desk = log_in(web, staffed.add(must_change=True))

    assert desk.post("/auth/totp/enrol", PASSWORD).json()["code"] == "PASSWORD_CHANGE_REQUIRED"
    assert desk.post("/auth/reset-password", {"password": "nine-birches-9"}).status_code == 200
