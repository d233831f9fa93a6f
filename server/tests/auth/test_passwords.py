"""Passwords that anybody would try first."""

import pytest
from fastapi.testclient import TestClient

from tarazu.auth import passwords
from tarazu.kit import fields
from tests.people_of import ADMIN, reply_of


def test_the_list_holds_three_thousand_of_a_length_that_is_allowed() -> None:
    listed = passwords._common_passwords()

    assert len(listed) == 3000
    assert all(len(one) >= fields.SHORTEST_PASSWORD for one in listed)
    assert all(one == one.casefold() for one in listed)
    assert {"password", "12345678", "qwertyuiop", "iloveyou", "welcome@123"} <= listed


@pytest.mark.parametrize(
    "password", ["password", "PassWord1", "1Q2W3E4R", ADMIN["email"], "Ananya Kulkarni"]
)
def test_a_common_one_or_the_own_words_are_refused_at_sign_up(
    web: TestClient, password: str
) -> None:
    answer = web.post("/api/v1/auth/register", json={**ADMIN, "password": password})

    assert reply_of(answer) == (422, "Password is too common.")
    assert answer.json()["errors"] == [{"field": "password", "message": "Password is too common."}]


def test_sign_up_asks_for_no_special_character(web: TestClient) -> None:
    answer = web.post("/api/v1/auth/register", json={**ADMIN, "password": "mangroveroots"})

    assert answer.status_code == 201


def test_a_password_is_used_exactly_as_typed(web: TestClient) -> None:
    typed = "  ऊँचे पेड़ 🌳 "
    web.post("/api/v1/auth/register", json={**ADMIN, "password": typed})

    def log_in(password: str) -> int:
        return web.post("/api/v1/auth/login", json={**ADMIN, "password": password}).status_code

    assert (log_in(typed.strip()), log_in(typed)) == (401, 200)
