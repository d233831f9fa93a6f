"""Passkeys: added, removed, as a way in and as a proof; each challenge once, for one purpose."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select, text

from tarazu.auth.passkeys import RelyingParty, relying_party
from tarazu.auth.tables import PasskeyChallenge
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.auth.authenticator import PRESENT, Authenticator
from tests.auth.conftest import Post, Staffed, Time, log_in
from tests.auth.test_second_factor import set_up
from tests.auth.test_step_up import turn_on
from tests.people_of import ADMIN, Desk, data_of, reply_of, sign_up
from tests.rows_of import scalar, scalars

pytestmark = pytest.mark.on_both

REFUSED = (401, "This passkey was not accepted. Try again, or use your password.")
NOT_ADDED = (400, "The passkey was not added. Begin again.")


@pytest.fixture
def web(installed: Callable[..., TestClient]) -> TestClient:
    return installed(public_url="https://desk.example", allowed_hosts="testserver")


def add(desk: Desk, device: Authenticator, name: str = "Laptop") -> Response:
    options = data_of(desk.post("/auth/passkeys/begin"))["options"]
    body = {"name": name, "credential": device.create(options)}
    return desk.post("/auth/passkeys", body)


def added(desk: Desk) -> Authenticator:
    """An authenticator that holds a passkey of this desk."""
    device = Authenticator()
    assert add(desk, device).status_code == 201
    return device


def offered(web: TestClient) -> dict[str, Any]:
    options: dict[str, Any] = data_of(web.post("/api/v1/auth/passkeys/sign-in/begin"))["options"]
    return options


def sign_in(web: TestClient, credential: dict[str, Any]) -> Response:
    return web.post("/api/v1/auth/passkeys/sign-in", json={"credential": credential})


def test_one_is_added_listed_and_removed_and_the_owner_is_told(
    admin: Desk, post: Post, staffed: Staffed
) -> None:
    options = data_of(admin.post("/auth/passkeys/begin"))["options"]
    device = Authenticator()
    row = data_of(
        admin.post("/auth/passkeys", {"name": "Laptop", "credential": device.create(options)}), 201
    )

    assert options["rp"] == {"id": "desk.example", "name": "Tarazu"}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    listed = data_of(admin.get("/auth/passkeys"))
    assert listed == [row]
    assert (row["name"], row["usedAt"]) == ("Laptop", None)
    again = data_of(admin.post("/auth/passkeys/begin"))["options"]
    assert [one["id"] for one in again["excludeCredentials"]] == [device.id]

    path = f"/api/v1/auth/passkeys/{row['_id']}"
    assert admin.web.delete(path, headers=admin.headers).status_code == 200
    assert data_of(admin.get("/auth/passkeys")) == []
    assert sign_in(admin.web, device.get(offered(admin.web))).status_code == 401
    subjects = [mail.subject for mail in post.to(ADMIN["email"])]
    assert subjects[-2:] == [
        "A passkey was added to your account",
        "A passkey was removed from your account",
    ]
    assert len(staffed.trail_of("passkey_added")) == len(staffed.trail_of("passkey_removed")) == 1


def test_adding_and_removing_need_a_fresh_proof_in_any_firm(admin: Desk, time: Time) -> None:
    added(admin)
    (row,) = data_of(admin.get("/auth/passkeys"))
    time.go(minutes=11)

    begun = admin.post("/auth/passkeys/begin")
    removed = admin.web.delete(f"/api/v1/auth/passkeys/{row['_id']}", headers=admin.headers)

    assert [begun.json()["code"], removed.json()["code"]] == ["STEP_UP_REQUIRED"] * 2


def test_nobody_removes_another_persons(admin: Desk, user: Desk) -> None:
    added(admin)
    (row,) = data_of(admin.get("/auth/passkeys"))

    answer = user.web.delete(f"/api/v1/auth/passkeys/{row['_id']}", headers=user.headers)

    assert answer.status_code == 404
    assert len(data_of(admin.get("/auth/passkeys"))) == 1


def test_signing_in_asks_for_no_code_and_counts_as_two_factors(
    admin: Desk, installed: Callable[..., TestClient], staffed: Staffed
) -> None:
    device = added(admin)
    set_up(admin)
    strict = installed(public_url="https://desk.example", require_totp="ALL")

    options = offered(strict)
    answer = sign_in(strict, device.get(options))

    assert options["userVerification"] == "required"
    assert options["allowCredentials"] == []
    assert answer.status_code == 200
    said = answer.json()
    assert (said["data"]["role"], said["data"]["isSecondFactorDue"]) == ("ADMIN", False)
    desk = Desk(strict, said["accessToken"])
    assert desk.get("/profile").json()["data"]["email"] == ADMIN["email"]
    assert desk.get("/clients").status_code == 200
    assert '"PASSKEY"' in staffed.trail_of("logged_in")[-1].changes


def test_with_a_second_factor_required_a_passkey_is_enough_and_a_password_is_not(
    admin: Desk, installed: Callable[..., TestClient]
) -> None:
    device = added(admin)
    strict = installed(public_url="https://desk.example", require_totp="ALL")

    by_passkey = sign_in(strict, device.get(offered(strict))).json()
    by_password = strict.post("/api/v1/auth/login", json=ADMIN).json()

    assert Desk(strict, by_passkey["accessToken"]).get("/clients").status_code == 200
    due = Desk(strict, by_password["accessToken"]).get("/clients")
    assert due.json()["code"] == "SECOND_FACTOR_REQUIRED"
    shown = Desk(strict, by_passkey["accessToken"]).get("/auth/verify-token")
    assert data_of(shown)["isSecondFactorDue"] is False


def _of_another_site(device: Authenticator) -> Authenticator:
    return replace(device, origin="https://desk.example.evil.test")


def _of_another_domain(device: Authenticator) -> Authenticator:
    return replace(device, rp_id="evil.test")


def _unverified(device: Authenticator) -> Authenticator:
    return replace(device, flags=PRESENT)


def _with_another_key(device: Authenticator) -> Authenticator:
    return replace(device, key=Authenticator().key)


def _unknown(device: Authenticator) -> Authenticator:
    return replace(device, credential_id=b"nobody's")


def _of_another_person(device: Authenticator) -> Authenticator:
    return replace(device, handle="AAAAAAAAAAAAAAAAAAAAAA")


@pytest.mark.parametrize(
    "changed",
    [
        _of_another_site,
        _of_another_domain,
        _unverified,
        _with_another_key,
        _unknown,
        _of_another_person,
    ],
)
def test_a_passkey_that_does_not_fit_is_refused_and_recorded(
    admin: Desk, staffed: Staffed, changed: Callable[[Authenticator], Authenticator]
) -> None:
    device = added(admin)
    assert sign_in(admin.web, device.get(offered(admin.web))).status_code == 200
    opened = len(staffed.trail_of("logged_in"))

    answer = sign_in(admin.web, changed(device).get(offered(admin.web)))

    assert reply_of(answer) == REFUSED
    assert len(staffed.trail_of("login_refused")) == 1
    assert len(staffed.trail_of("logged_in")) == opened


def test_a_counter_that_goes_back_is_refused(admin: Desk, staffed: Staffed) -> None:
    device = added(admin)
    device.count = 5
    assert sign_in(admin.web, device.get(offered(admin.web))).status_code == 200
    device.count = 4

    copied = sign_in(admin.web, replace(device, count=4).get(offered(admin.web)))
    same = sign_in(admin.web, replace(device, count=5).get(offered(admin.web)))
    next_one = sign_in(admin.web, replace(device, count=6).get(offered(admin.web)))

    assert reply_of(copied) == REFUSED
    assert same.status_code == 401, "6 is at the server: 5 and one more is not newer"
    assert next_one.status_code == 200
    assert len(staffed.trail_of("passkey_refused")) == 2


def test_one_without_a_counter_is_taken_each_time(admin: Desk) -> None:
    device = Authenticator(count=None)
    add(admin, device)

    answers = [sign_in(admin.web, device.get(offered(admin.web))).status_code for _ in range(2)]

    assert answers == [200, 200]


def test_a_challenge_is_good_once_and_for_five_minutes(admin: Desk, time: Time) -> None:
    device = added(admin)
    options = offered(admin.web)
    assert sign_in(admin.web, device.get(options)).status_code == 200

    again = sign_in(admin.web, device.get(options))
    late = offered(admin.web)
    time.go(minutes=5)
    too_late = sign_in(admin.web, device.get(late))

    assert reply_of(again) == REFUSED
    assert reply_of(too_late) == REFUSED


def test_a_challenge_is_good_for_one_purpose_and_one_session(
    admin: Desk, user: Desk, database: Database
) -> None:
    device = added(admin)
    for_proof = data_of(admin.post("/auth/step-up/passkey/begin"))["options"]
    for_user = data_of(user.post("/auth/step-up/passkey/begin"))["options"]
    to_add = data_of(admin.post("/auth/passkeys/begin"))["options"]

    at_sign_in = sign_in(admin.web, device.get(for_proof))
    of_another = admin.post("/auth/step-up/passkey", {"credential": device.get(for_user)})
    to_prove = admin.post("/auth/step-up/passkey", {"credential": device.get(offered(admin.web))})
    body = {"name": "Mine", "credential": Authenticator().create(to_add)}
    by_another = user.post("/auth/passkeys", body)

    assert reply_of(at_sign_in) == REFUSED
    assert (of_another.status_code, to_prove.status_code) == (403, 403)
    assert reply_of(by_another) == NOT_ADDED
    assert scalars(database, select(PasskeyChallenge.digest)) == [], "each was used up"


def test_what_is_not_a_passkey_at_all_is_refused(admin: Desk) -> None:
    for credential in ({}, {"id": "x"}, {"response": None}, {"response": {"clientDataJSON": "%"}}):
        assert reply_of(sign_in(admin.web, credential)) == REFUSED
        broken = admin.post("/auth/passkeys", {"name": "Mine", "credential": credential})
        assert reply_of(broken) == NOT_ADDED
    whole = Authenticator().create(data_of(admin.post("/auth/passkeys/begin"))["options"])
    whole["response"]["attestationObject"] = "AAAA"
    assert reply_of(admin.post("/auth/passkeys", {"name": "M", "credential": whole})) == NOT_ADDED


def test_one_passkey_belongs_to_one_account(admin: Desk, user: Desk) -> None:
    device = added(admin)

    answer = add(user, device)

    assert reply_of(answer) == NOT_ADDED


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"status": "INACTIVE"}, "Your account is inactive. Contact an administrator."),
        ({"awaits_approval": True}, "Your account awaits approval by an administrator."),
    ],
)
def test_a_closed_account_is_told_as_with_its_password(
    web: TestClient, admin: Desk, staffed: Staffed, columns: dict[str, Any], message: str
) -> None:
    login = staffed.add()
    device = added(log_in(web, login))
    staffed.change(login["email"], **columns)

    answer = sign_in(web, device.get(offered(web)))

    assert reply_of(answer) == (403, message)


def test_a_deleted_account_has_no_way_in(web: TestClient, admin: Desk, staffed: Staffed) -> None:
    login = staffed.add()
    device = added(log_in(web, login))
    (row,) = data_of(admin.get("/users", query="ravi"))
    admin.post("/users/delete", {"userId": row["_id"]})

    assert reply_of(sign_in(web, device.get(offered(web)))) == REFUSED


def test_a_passkey_is_a_proof_and_wrong_ones_count(
    installed: Callable[..., TestClient], staffed: Staffed, time: Time
) -> None:
    web = installed(public_url="https://desk.example", rate_limit_scale=1)
    admin = Desk(web, sign_up(web, ADMIN))
    device = added(admin)
    turn_on(admin)
    time.go(minutes=11)
    refused = admin.get("/clients/export").json()["code"]

    def prove(given: Authenticator) -> int:
        options = data_of(admin.post("/auth/step-up/passkey/begin"))["options"]
        answer = admin.post("/auth/step-up/passkey", {"credential": given.get(options)})
        return answer.status_code

    assert refused == "STEP_UP_REQUIRED"
    assert data_of(admin.get("/auth/step-up")) == {"hasTotp": False, "hasPasskey": True}
    assert prove(device) == 200
    assert admin.get("/clients/export").status_code == 200
    assert [prove(_unverified(device)) for _ in range(6)] == [403] * 5 + [429]


def test_another_persons_passkey_proves_nothing(admin: Desk, user: Desk) -> None:
    device = added(user)
    options = data_of(admin.post("/auth/step-up/passkey/begin"))["options"]

    answer = admin.post("/auth/step-up/passkey", {"credential": device.get(options)})

    assert answer.status_code == 403


def test_without_a_public_address_there_are_none(
    admin: Desk, installed: Callable[..., TestClient]
) -> None:
    plain = Desk(installed(public_url=""), admin.token)
    ways = data_of(plain.get("/auth/sign-in"))

    assert ways == {"hasPasskeys": False, "sso": None}
    assert plain.post("/auth/passkeys/begin").status_code == 409
    assert plain.post("/auth/passkeys/sign-in/begin").status_code == 409
    assert data_of(admin.get("/auth/sign-in"))["hasPasskeys"] is True


@pytest.mark.parametrize(
    ("address", "party"),
    [
        ("https://Desk.example:8443", RelyingParty("desk.example", "https://desk.example:8443")),
        ("http://localhost:8000", RelyingParty("localhost", "http://localhost:8000")),
        ("http://desk.example", None),
        ("https://10.0.0.5", None),
        ("http://127.0.0.1:8000", None),
        ("", None),
    ],
)
def test_the_domain_and_the_origin_are_those_of_the_public_address(
    address: str, party: RelyingParty | None
) -> None:
    assert relying_party(Settings(public_url=address)) == party


def test_there_are_twenty_at_most(admin: Desk) -> None:
    for _ in range(20):
        added(admin)

    assert admin.post("/auth/passkeys/begin").status_code == 409


def test_the_database_holds_no_challenge(admin: Desk, database: Database) -> None:
    challenge = offered(admin.web)["challenge"]

    stored = scalar(database, text("SELECT digest FROM passkey_challenges"))

    assert challenge not in stored
    assert len(stored) == 64
