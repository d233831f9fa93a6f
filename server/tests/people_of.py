"""Who the tests sign in as, and what they do at their desk."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from fastapi.testclient import TestClient
from httpx import Response as ServerResponse
from httpx2 import Response

from tarazu.firm.disclosures import Answer, text_of
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.security import hash_password
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role

ADMIN = {"name": "Ananya Kulkarni", "email": "ananya@desk.example", "password": "seven oaks 7"}


def new_key() -> dict[str, str]:
    """Headers with a fresh idempotency key, so that a call is no repeat of an equal one."""
    return {"Idempotency-Key": uuid.uuid4().hex}


@dataclass
class Desk:
    """A signed-in member of staff, calling the API."""

    web: TestClient
    token: str
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **params: Any) -> Response:
        return self.web.get(f"/api/v1{path}", params=params, headers=self.headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        return self.web.post(f"/api/v1{path}", json=body, headers=self.headers | headers)

    def put(self, path: str, body: Any) -> Response:
        return self.web.put(f"/api/v1{path}", json=body, headers=self.headers)

    def upload(self, path: str, name: str, content: bytes, **fields: str) -> Response:
        files = {"file": (name, content)}
        return self.web.post(f"/api/v1{path}", files=files, data=fields, headers=self.headers)

    def add_client(self, name: str = "Kavya Menon", email: str = "kavya@home.example") -> str:
        """Add a client; its `_id`."""
        return str(
            data_of(self.post("/clients/add", {"clients": [{"name": name, "email": email}]}), 201)[
                0
            ]["_id"]
        )


FIRM = {
    "name": "Sahyadri Research",
    "registrationNumber": "INH000012345",
    "analystName": "Ananya Kulkarni",
}
QUESTIONS = ("holdings", "onePercent", "conflicts", "compensation", "offices", "marketMaking")
NO_TO_ALL = [{"id": name, "isYes": False} for name in QUESTIONS]
DISCLOSURES = text_of({name: Answer(is_yes=False) for name in QUESTIONS})
"""What letters disclose where every question is answered with no."""


def set_up_firm(desk: Desk) -> None:
    """Enter the firm and answer its disclosure questions, as an ADMIN does before the first send."""
    answer = desk.put("/settings/firm", {**FIRM, "disclosureAnswers": NO_TO_ALL})
    assert answer.status_code == 200, answer.text


def staff_desk(
    web: TestClient,
    database: Database,
    email: str = "farhan@desk.example",
    role: Role = Role.USER,
    name: str = "Farhan Ali",
) -> Desk:
    """Another member of staff, signed in."""
    login = {"email": email, "password": "quiet river 9"}
    with database.transaction() as session:
        entry = Login(role, hash_password(login["password"]))
        people.add_staff(session, SYSTEM, clock.now(), NewPerson(name, email), entry)
    answer = web.post("/api/v1/auth/login", json=login)
    assert answer.status_code == 200, answer.text
    return Desk(web, answer.json()["accessToken"])


def signed_in_again(desk: Desk) -> Desk:
    """The ADMIN after the session ran out, as when a test moves the clock by a day."""
    login = {name: ADMIN[name] for name in ("email", "password")}
    answer = desk.web.post("/api/v1/auth/login", json=login)
    assert answer.status_code == 200, answer.text
    return Desk(desk.web, answer.json()["accessToken"])


def reply_of(answer: Response) -> tuple[int, str]:
    """Status and message of an answer."""
    return answer.status_code, str(answer.json()["message"])


def data_of(answer: Response | ServerResponse, status: int = 200) -> Any:
    """The data of an answer that has this status."""
    assert answer.status_code == status, answer.text
    return answer.json()["data"]


def sign_up(web: TestClient, person: dict[str, str]) -> str:
    """Sign up; the access token."""
    answer = web.post("/api/v1/auth/register", json=person)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["accessToken"])
