"""Two administrators, and what the firm has a second one approve."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tarazu.kit.db import Database
from tarazu.people.tables import Role
from tests.advice.conftest import advice
from tests.models_of import bench, unpriced
from tests.people_of import Desk, data_of, staff_desk

__all__ = ["advice", "bench", "unpriced"]

SETTING = "/admin/settings/second-approval"
PATH = "/admin/approvals"


def switch_on(desk: Desk, *actions: str) -> None:
    data_of(desk.put(SETTING, {"actions": list(actions)}))


def ask(desk: Desk, asked: dict[str, Any], note: str = "") -> Response:
    return desk.post(PATH, {"asked": asked, "note": note})


def asked_id(desk: Desk, asked: dict[str, Any], note: str = "") -> str:
    return str(data_of(ask(desk, asked, note), 201)["_id"])


def decide(desk: Desk, approval_id: str, verb: str = "approve", answer: str = "") -> Response:
    return desk.post(f"{PATH}/{approval_id}/{verb}", {"answer": answer})


@pytest.fixture
def second(web: TestClient, admin: Desk, database: Database) -> Desk:
    """Another administrator."""
    return staff_desk(web, database, "meera@desk.example", Role.ADMIN, "Meera Joshi")


@pytest.fixture
def third(web: TestClient, admin: Desk, database: Database) -> Desk:
    """One more administrator."""
    return staff_desk(web, database, "ravi@desk.example", Role.ADMIN, "Ravi Rao")


Refused = Callable[[Response], tuple[int, str]]
