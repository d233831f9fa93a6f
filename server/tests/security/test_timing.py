"""Whether an account exists cannot be read from an answer, nor from how long it takes."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tarazu.kit.settings import Settings
from tests.security.figures import LONG, tell
from tests.security.postbox import Mood, Postbox
from tests.security.running import Running, serving

pytestmark = pytest.mark.long

PAIRS = 150 if LONG else 24
# The short form only finds what differs grossly: of 24 fair pairs one run in 60,000 strays further.
LEAST, MOST = (0.35, 0.65) if LONG else (0.08, 0.92)
MOODS = (Mood.UP, Mood.HANGING, Mood.DOWN) if LONG else (Mood.HANGING,)
CALLS = {
    "login": ("/auth/login", {"password": "not this one"}),
    "forgot-password": ("/auth/forget-password/request", {}),
    "one-time code": ("/auth/otp/request", {}),
}
CHANGING = ("x-request-id", "date")


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    opened = Postbox()
    yield opened
    opened.turn(Mood.DOWN)


@pytest.fixture(scope="module")
def mailing(place: Settings, postbox: Postbox) -> Iterator[Running]:
    with serving(place, smtp_url=postbox.url, log_level="error") as running:
        yield running


@pytest.fixture(scope="module")
def known(mailing: Running) -> list[str]:
    """Accounts that were never tried before, one for each pair."""
    emails = [f"ravi{number:03d}@desk.example" for number in range(PAIRS)]
    for first in range(0, PAIRS, 15):
        rows = [
            {"name": "Ravi Rao", "email": email, "role": "USER", "status": "ACTIVE"}
            for email in emails[first : first + 15]
        ]
        assert mailing.post("/users/add", {"users": rows}, token=mailing.admin).status_code == 201
    return emails


def ask(running: Running, path: str, body: dict[str, Any]) -> tuple[float, httpx.Response]:
    began = time.perf_counter()
    answer = running.web.post(f"/api/v1{path}", json=body)
    return time.perf_counter() - began, answer


def shape_of(answer: httpx.Response) -> Any:
    """All of an answer that does not differ from call to call."""
    body = answer.json()
    body.pop("requestId", None)
    if "challengeId" in (body.get("data") or {}):
        body["data"]["challengeId"] = len(body["data"]["challengeId"])
    told = {name: value for name, value in answer.headers.items() if name not in CHANGING}
    return answer.status_code, body, told


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("call", CALLS)
def test_neither_the_answer_nor_its_time_reveals_whether_an_account_exists(
    mailing: Running, postbox: Postbox, known: list[str], call: str, mood: Mood
) -> None:
    postbox.turn(mood)
    path, more = CALLS[call]
    shapes, slower = [], 0
    for number, email in enumerate(known):
        unknown = f"nobo{number:03d}@desk.example"
        pair = [email, unknown] if number % 2 else [unknown, email]
        took = {}
        for one in pair:
            took[one], answer = ask(mailing, path, {"email": one, **more})
            if (shape := shape_of(answer)) not in shapes:
                shapes.append(shape)
        slower += took[email] > took[unknown]

    share = slower / PAIRS
    what = f"{call} known against unknown, {PAIRS} pairs, mail {mood}"
    tell("S4", f"{what}: same status and body", "yes" if len(shapes) == 1 else "no", "yes")
    tell("S4", f"{what}: share of slower pairs", f"{share:.2f}", f"{LEAST}–{MOST}")
    assert len(shapes) == 1, shapes
    assert LEAST <= share <= MOST
