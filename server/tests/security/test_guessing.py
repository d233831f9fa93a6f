"""Guessing a password or a code: how many guesses are looked at, and who is held up by it."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Lock

import pytest
from fastapi.testclient import TestClient

from tarazu.kit import security
from tests.auth.conftest import BROWSER, Post, Time, installed, post, staffed, time
from tests.people_of import ADMIN, Desk
from tests.security.figures import LONG, tell

pytestmark = pytest.mark.long

__all__ = ["installed", "post", "staffed", "time"]

ATTEMPTS = 1_000 if LONG else 120
AT_ONCE = 20
QUARTER = dt.timedelta(minutes=15)
MOST_CHECKS = 30
MOST_CODES = 5
CODES = 100


class Checks:
    """Counts the Argon2id comparisons that the server makes; each is made all the same."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count, self._lock, self._real = 0, Lock(), security.is_password
        patch.setattr(security, "is_password", self._compare)

    def _compare(self, password: str, stored: str | None) -> bool:
        with self._lock:
            self.count += 1
        return self._real(password, stored)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    return Checks(monkeypatch)


@pytest.fixture
def many() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield pool


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("email", [ADMIN["email"], "nobody@desk.example"])
def test_of_many_log_ins_to_one_account_few_are_looked_at(
    installed: Callable[..., TestClient],
    admin: Desk,
    time: Time,
    checks: Checks,
    many: ThreadPoolExecutor,
    email: str,
) -> None:
    """A quarter of an hour of log-ins, twenty at a time, each from another address."""
    web = installed(rate_limit_scale=Decimal(1))
    owner = TestClient(web.app, headers=BROWSER)
    assert owner.post("/api/v1/auth/login", json=ADMIN).status_code == 200
    before, told = checks.count, Counter[int]()

    def guess(number: int) -> int:
        stranger = TestClient(web.app, client=(f"198.51.{number // 250}.{number % 250}", 4000))
        body = {"email": email, "password": f"not this one {number}"}
        return stranger.post("/api/v1/auth/login", json=body).status_code

    for first in range(0, ATTEMPTS, AT_ONCE):
        if first:
            time.ahead += QUARTER * AT_ONCE / ATTEMPTS
        told.update(many.map(guess, range(first, first + AT_ONCE)))

    looked_at = checks.count - before
    known = "known" if email == ADMIN["email"] else "unknown"
    tell(
        "S5",
        f"{ATTEMPTS} log-ins to one {known} account in 15 minutes, {AT_ONCE} at once",
        f"{looked_at} password checks, {told[401]} answered",
        f"at most {MOST_CHECKS}",
    )
    assert told[401] + told[429] == ATTEMPTS
    assert 0 < told[401] <= looked_at <= MOST_CHECKS
    stranger = TestClient(web.app, client=("203.0.113.9", 4000))
    if known == "known":
        assert stranger.post("/api/v1/auth/login", json=ADMIN).status_code == 429
    gets_in = owner.post("/api/v1/auth/login", json=ADMIN).status_code == 200
    tell(
        "S5", "the owner's known browser meanwhile", "gets in" if gets_in else "shut out", "gets in"
    )
    assert gets_in


def test_of_many_codes_for_one_challenge_five_are_looked_at(
    installed: Callable[..., TestClient],
    admin: Desk,
    post: Post,
    checks: Checks,
    many: ThreadPoolExecutor,
) -> None:
    web = installed(rate_limit_scale=Decimal(1))
    asked = web.post("/api/v1/auth/otp/request", json={"email": ADMIN["email"]})
    challenge, right = asked.json()["data"]["challengeId"], post.code(ADMIN["email"])
    wrong = [f"{code:04d}" for code in range(CODES + 1) if f"{code:04d}" != right][: CODES - 1]
    before = checks.count

    def guess(code: str) -> int:
        body = {"challengeId": challenge, "code": code}
        return web.post("/api/v1/auth/otp/verify", json=body).status_code

    told = Counter(many.map(guess, wrong))
    last = guess(right)

    looked_at = checks.count - before
    tell("S5", f"{CODES} codes for one challenge", f"{looked_at} checked", f"at most {MOST_CODES}")
    assert told == {400: CODES - 1}
    assert last == 400
    assert 0 < looked_at <= MOST_CODES
