"""Single sign-on at a real provider: who gets in, and every token that is refused."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from sqlalchemy import select

from tarazu import cli
from tarazu.auth.adapters import identity_provider
from tarazu.auth.tables import SsoIdentity, SsoSignIn
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.auth.conftest import Staffed, Time
from tests.auth.provider import CLIENT, SECRET, Provider, serving
from tests.auth.test_second_factor import code_now, set_up
from tests.auth.test_step_up import turn_on
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import audit_changes, scalars

pytestmark = pytest.mark.on_both

REFUSED = "The single sign-on was not accepted. Begin again, or ask an administrator."
EXPIRED = "This single sign-on has expired. Begin again from the log-in page."
FAILED = "The single sign-on did not answer. Try again in a minute."


@pytest.fixture(scope="module")
def key() -> RSAKey:
    return Provider().key


@pytest.fixture
def provider(key: RSAKey) -> Iterator[Provider]:
    with serving(Provider(key=key)) as running:
        yield running


@pytest.fixture
def sso(provider: Provider, installed: Callable[..., TestClient]) -> TestClient:
    """A browser at an installation with this provider."""
    return installed(
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        oidc_label="Sahyadri ID",
        allow_loopback_oidc=True,
    )


def begin(web: TestClient) -> str:
    return str(data_of(web.post("/api/v1/auth/sso/begin"))["address"])


def come_back(web: TestClient, brought: dict[str, str]) -> Response:
    return web.get("/api/v1/auth/sso/callback", params=brought, follow_redirects=False)


def exchange(web: TestClient, code: str | None = None) -> Response:
    return web.post("/api/v1/auth/sso/session", json={"totpCode": code})


def sign_in(web: TestClient, provider: Provider) -> Response:
    """The whole way, as a browser goes it."""
    answer = come_back(web, provider.authorize(begin(web)))
    assert (answer.status_code, answer.headers["Location"]) == (303, "/auth/sso")
    return exchange(web)


def test_an_account_with_the_verified_address_gets_in_and_is_linked(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, database: Database
) -> None:
    staffed.add()

    answer = sign_in(sso, provider)

    assert answer.status_code == 200, answer.text
    desk = Desk(sso, answer.json()["accessToken"])
    assert data_of(desk.get("/profile"))["email"] == "ravi@desk.example"
    assert '"SSO"' in staffed.trail_of("logged_in")[-1].changes
    assert len(staffed.trail_of("sso_linked")) == 1
    assert sign_in(sso, provider).status_code == 200
    assert len(staffed.trail_of("sso_linked")) == 1
    assert scalars(database, select(SsoIdentity.subject)) == ["ravi-at-the-provider"]
    assert scalars(database, select(SsoSignIn.cookie_digest)) == []


def test_no_address_and_no_answer_holds_the_token_or_a_secret(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, capfd: Any
) -> None:
    staffed.add()
    address = begin(sso)
    cookie = sso.cookies["sso"]
    brought = provider.authorize(address)
    answer = come_back(sso, brought)
    token = exchange(sso).json()["accessToken"]

    seen = [address, str(answer.headers), answer.text, capfd.readouterr().out]
    assert all(token not in text and SECRET not in text for text in seen)
    assert cookie not in address
    assert answer.headers["Location"] == "/auth/sso"
    flags = answer.headers["Set-Cookie"]
    assert "HttpOnly" in flags
    assert "SameSite=lax" in flags
    assert brought["code"] not in seen[3]


def test_with_https_the_cookie_is_bound_to_the_host(
    provider: Provider, installed: Callable[..., TestClient]
) -> None:
    web = installed(
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        allow_loopback_oidc=True,
        public_url="https://desk.example",
        allowed_hosts="testserver",
    )

    flags = web.post("/api/v1/auth/sso/begin").headers["Set-Cookie"]

    assert flags.startswith("__Host-sso=")
    assert "Secure" in flags


def test_the_log_in_page_is_told(sso: TestClient, web: TestClient) -> None:
    assert data_of(sso.get("/api/v1/auth/sign-in"))["sso"] == {"label": "Sahyadri ID"}
    assert data_of(web.get("/api/v1/auth/sign-in"))["sso"] is None
    assert web.post("/api/v1/auth/sso/begin").status_code == 404
    assert web.get("/api/v1/auth/sso/callback").status_code == 404


def _none(_: Provider, claims: dict[str, Any]) -> str:
    parts = ({"alg": "none"}, claims)
    encoded = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts
    ]
    return ".".join([*encoded, ""])


def _by_public_key(provider: Provider, claims: dict[str, Any]) -> str:
    secret = provider.key.as_pem(private=False)
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"first"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    mac = hmac.new(secret, f"{header}.{body}".encode(), hashlib.sha256).digest()
    return f"{header}.{body}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


def _by_client_secret(_: Provider, claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET), algorithms=["HS256"])


def _by_another_key(provider: Provider, claims: dict[str, Any]) -> str:
    other = RSAKey.generate_key(2048, {"kid": "first"})
    return provider.signed(claims, other)


def _no_token(_: Provider, __: dict[str, Any]) -> str:
    return "not a token"


@pytest.mark.parametrize(
    ("token", "fault"),
    [
        (_none, "unsupported_algorithm"),
        (_by_public_key, "unsupported_algorithm"),
        (_by_client_secret, "unsupported_algorithm"),
        (_by_another_key, "bad_signature"),
        (_no_token, "decode_error"),
    ],
)
def test_a_forged_token_is_refused(
    sso: TestClient,
    provider: Provider,
    staffed: Staffed,
    admin: Desk,
    token: Callable[[Provider, dict[str, Any]], str],
    fault: str,
) -> None:
    staffed.add()
    provider.token = token

    answer = sign_in(sso, provider)

    assert reply_of(answer) == (403, REFUSED)
    (row,) = staffed.trail_of("sso_refused")
    assert json.loads(row.changes)["fault"] == fault
    assert len(staffed.trail_of("sso_linked")) == 0


def at(**offset: int) -> dict[str, int]:
    """Claims by seconds from now."""
    return {name: int(clock.now().timestamp()) + seconds for name, seconds in offset.items()}


@pytest.mark.parametrize(
    ("claims", "fault"),
    [
        ({"iss": "https://another.example"}, "invalid_claim iss"),
        ({"iss": None}, "missing_claim iss"),
        ({"aud": "another-client"}, "invalid_claim aud"),
        ({"aud": ["tarazu", "another-client"]}, "missing_claim azp"),
        ({"aud": None}, "missing_claim aud"),
        ({"azp": "another-client"}, "invalid_claim azp"),
        ({"nonce": "of another sign-in"}, "invalid_claim nonce"),
        ({"nonce": None}, "missing_claim nonce"),
        ({"sub": None}, "missing_claim sub"),
        ({"sub": ""}, "invalid_claim sub"),
        ({"sub": "s" * 256}, "subject"),
        ({"sub": 7}, "invalid_claim sub"),
        ({"exp": None}, "missing_claim exp"),
        ({"iat": None}, "missing_claim iat"),
        ({"exp": -61, "iat": -300}, "expired"),
        ({"iat": 61}, "invalid_claim iat"),
        ({"nbf": 61}, "invalid_claim nbf"),
    ],
    ids=str,
)
def test_a_token_that_does_not_fit_is_refused_and_recorded(
    sso: TestClient,
    provider: Provider,
    staffed: Staffed,
    admin: Desk,
    time: Time,
    claims: dict[str, Any],
    fault: str,
) -> None:
    staffed.add()
    times = {name: value for name, value in claims.items() if name in {"exp", "iat", "nbf"}}
    provider.claims = claims | at(**{name: value for name, value in times.items() if value})

    answer = sign_in(sso, provider)

    assert reply_of(answer) == (403, REFUSED)
    (row,) = staffed.trail_of("sso_refused")
    assert json.loads(row.changes) == {"reason": "sso_refused", "fault": fault}


def test_clocks_may_differ_by_a_minute(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, time: Time
) -> None:
    staffed.add()

    provider.claims = at(exp=-59, iat=-300)
    behind = sign_in(sso, provider)
    provider.claims = at(iat=60, exp=300, nbf=60)
    ahead = sign_in(sso, provider)

    assert (behind.status_code, ahead.status_code) == (200, 200)


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            {"email_verified": False},
            "Your single sign-on has not verified your email address. Ask its administrator.",
        ),
        (
            {"email_verified": None},
            "Your single sign-on has not verified your email address. Ask its administrator.",
        ),
        (
            {"email": None},
            "Your single sign-on has not verified your email address. Ask its administrator.",
        ),
        (
            {"email": "nobody@desk.example"},
            "There is no account with your email address here. Ask an administrator to add you.",
        ),
    ],
)
def test_without_a_verified_address_of_an_account_nobody_gets_in(
    sso: TestClient,
    provider: Provider,
    staffed: Staffed,
    admin: Desk,
    claims: dict[str, Any],
    message: str,
) -> None:
    staffed.add()
    before = data_of(admin.get("/users"))
    provider.claims = claims

    answer = sign_in(sso, provider)

    assert reply_of(answer) == (403, message)
    assert data_of(admin.get("/users")) == before, "no account is made"
    assert len(staffed.trail_of("sso_refused")) == 1


def test_a_client_has_no_account(sso: TestClient, provider: Provider, admin: Desk) -> None:
    admin.add_client(email="kavya@home.example")
    provider.email = "kavya@home.example"

    assert "no account" in reply_of(sign_in(sso, provider))[1]


def test_only_the_domains_of_the_setting_get_in(
    provider: Provider, installed: Callable[..., TestClient], staffed: Staffed, admin: Desk
) -> None:
    staffed.add()
    options = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "allow_loopback_oidc": True,
    }

    refused = sign_in(installed(**options, oidc_domains="other.example"), provider)
    taken = sign_in(installed(**options, oidc_domains="other.example, Desk.example"), provider)

    assert reply_of(refused)[1].startswith("Email addresses of this domain cannot sign in here.")
    assert taken.status_code == 200


def test_another_person_with_the_same_address_is_refused_until_the_link_is_removed(
    sso: TestClient,
    provider: Provider,
    staffed: Staffed,
    admin: Desk,
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    staffed.add()
    assert sign_in(sso, provider).status_code == 200
    provider.subject = "somebody new"

    refused = sign_in(sso, provider)
    provider.email = ADMIN["email"]
    provider.subject = "ravi-at-the-provider"
    other_account = sign_in(sso, provider)

    assert reply_of(refused) == reply_of(other_account)
    assert "belongs to another person" in reply_of(refused)[1]
    (owner,) = [row for row in data_of(admin.get("/users")) if row["email"] == "ravi@desk.example"]
    assert ("sso_refused", {"reason": "sso_other_person"}) in audit_changes(database, owner["_id"])

    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.resolved_database_url)
    again = ["unlink-sso", "Ravi@desk.example", "--data-dir", str(settings.data_dir)]
    assert cli.main(again) == 0
    assert cli.main(again) == 1
    provider.email, provider.subject = "ravi@desk.example", "somebody new"
    assert sign_in(sso, provider).status_code == 200
    assert len(staffed.trail_of("sso_unlinked")) == 1


def test_a_closed_account_is_told_as_with_its_password(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk
) -> None:
    staffed.add()
    staffed.deactivate("ravi@desk.example")

    answer = sign_in(sso, provider)

    assert reply_of(answer) == (403, "Your account is inactive. Contact an administrator.")
    assert len(staffed.trail_of("sso_linked")) == 0


def test_an_account_with_a_second_factor_is_asked_for_its_code(
    sso: TestClient, provider: Provider, admin: Desk, staffed: Staffed, time: Time
) -> None:
    seed, _ = set_up(admin)
    time.go(seconds=30)
    provider.email = ADMIN["email"]

    missing = sign_in(sso, provider)
    wrong = exchange(sso, "000000")
    right = exchange(sso, code_now(seed))
    again = exchange(sso, code_now(seed))

    assert (missing.status_code, missing.json()["code"]) == (401, "totp_required")
    assert wrong.status_code == 401
    assert right.status_code == 200
    assert reply_of(again) == (403, EXPIRED)


def test_a_return_is_good_once_in_the_browser_that_began_and_for_ten_minutes(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, time: Time
) -> None:
    staffed.add()
    brought = provider.authorize(begin(sso))
    stranger = TestClient(sso.app, raise_server_exceptions=False)
    come_back(stranger, brought)
    elsewhere = exchange(stranger)
    other_state = come_back(sso, brought | {"state": "x" * 43})
    come_back(sso, brought)
    first = exchange(sso)
    come_back(sso, brought)
    replayed = exchange(sso)
    late = provider.authorize(begin(sso))
    time.go(minutes=10)
    come_back(sso, late)

    assert reply_of(elsewhere) == (403, EXPIRED)
    assert "Set-Cookie" not in other_state.headers
    assert first.status_code == 200
    assert reply_of(replayed) == (403, EXPIRED)
    assert reply_of(exchange(sso)) == (403, EXPIRED)
    assert provider.calls.count("/token") == 1, "only one code reached the provider"
    assert len(staffed.trail_of("sso_refused")) == 4


def test_the_exchange_has_five_minutes(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, time: Time
) -> None:
    staffed.add()
    come_back(sso, provider.authorize(begin(sso)))

    time.go(minutes=5)

    assert reply_of(exchange(sso)) == (403, EXPIRED)


def test_a_person_who_turns_back_at_the_provider_is_told(
    sso: TestClient, provider: Provider, admin: Desk
) -> None:
    state = provider.authorize(begin(sso))["state"]

    come_back(sso, {"state": state, "error": "access_denied"})

    assert reply_of(exchange(sso)) == (403, REFUSED)


def test_a_proof_counts_from_when_the_provider_says_it_was_given(
    sso: TestClient, provider: Provider, staffed: Staffed, admin: Desk, time: Time
) -> None:
    staffed.add()
    turn_on(admin)

    unknown = Desk(sso, sign_in(sso, provider).json()["accessToken"])
    provider.claims = at(auth_time=-540)
    nine_minutes = Desk(sso, sign_in(sso, provider).json()["accessToken"])
    provider.claims = at(auth_time=-660)
    eleven_minutes = Desk(sso, sign_in(sso, provider).json()["accessToken"])

    answers = [
        desk.get("/clients/export").status_code for desk in (unknown, nine_minutes, eleven_minutes)
    ]
    assert answers == [403, 200, 403]


METADATA = "/.well-known/openid-configuration"


@pytest.mark.parametrize(
    "answer",
    [
        (500, b"{}"),
        (302, b"http://127.0.0.1:1/"),
        (200, b"not json"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"issuer": "https://another.example"}'),
        (200, b" " * ((1 << 20) + 1)),
    ],
    ids=["failure", "redirect", "text", "list", "empty", "another issuer", "too long"],
)
def test_a_provider_that_answers_nonsense_is_not_followed(
    sso: TestClient, provider: Provider, admin: Desk, answer: tuple[int, bytes]
) -> None:
    provider.answers[METADATA] = answer

    assert reply_of(sso.post("/api/v1/auth/sso/begin")) == (502, FAILED)


@pytest.mark.parametrize("path", ["/token", "/keys"])
@pytest.mark.parametrize(
    "answer", [(500, b"{}"), (200, b"[]"), (200, b"{}"), (302, b"http://127.0.0.1:1/")]
)
def test_a_provider_that_fails_on_the_way_back_opens_nothing(
    sso: TestClient,
    provider: Provider,
    staffed: Staffed,
    admin: Desk,
    path: str,
    answer: tuple[int, bytes],
) -> None:
    staffed.add()
    provider.answers[path] = answer

    refused = sign_in(sso, provider)

    assert reply_of(refused) in {(502, FAILED), (403, REFUSED)}
    assert len(staffed.trail_of("sso_refused")) == 1


@pytest.mark.parametrize(
    "metadata",
    [
        {"token_endpoint": "http://desk.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": ""},
    ],
)
def test_addresses_that_are_not_https_are_not_called(
    sso: TestClient, provider: Provider, admin: Desk, metadata: dict[str, str]
) -> None:
    provider.metadata = metadata

    assert sso.post("/api/v1/auth/sso/begin").status_code == 502


def test_this_computer_is_called_by_the_setting_for_tests_alone(
    provider: Provider, installed: Callable[..., TestClient]
) -> None:
    web = installed(oidc_issuer=provider.issuer, oidc_client_id=CLIENT)

    assert web.post("/api/v1/auth/sso/begin").status_code == 502
    assert provider.calls == []


def test_an_answer_that_takes_too_long_is_given_up(
    sso: TestClient, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_provider, "TOTAL_SECONDS", 0.0)

    assert reply_of(sso.post("/api/v1/auth/sso/begin")) == (502, FAILED)
