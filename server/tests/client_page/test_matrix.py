"""The page's caller on every call: a link or a page token opens its own advice and nothing else."""

from fastapi import FastAPI

from tarazu.kit.auth_route import AccessLevel
from tests.client_page.conftest import ClientsPage
from tests.people_of import reply_of
from tests.security.test_matrix import DEAD, _ask, _calls

OPENED_BY_THE_CODE = {
    ("GET", "/content"),
    ("POST", "/respond"),
    ("GET", "/letter.pdf"),
    ("GET", "/list.csv"),
    ("GET", "/kite-basket.json"),
    ("GET", "/reminder.ics"),
    ("GET", "/basket"),
}


def test_a_link_and_a_page_token_are_no_tokens_of_staff(page: ClientsPage, app: FastAPI) -> None:
    page.open()
    wrong, asked = [], 0
    for token in (page.token, page.page_token):
        for call, rule in _calls(app).items():
            if rule is not AccessLevel.PUBLIC:
                asked += 1
                answer = _ask(page.web, call, token)
                if reply_of(answer) != (401, DEAD):
                    wrong.append((call, answer.status_code))

    assert asked > 300
    assert wrong == []


def test_every_call_of_the_page_but_three_needs_its_token(page: ClientsPage, app: FastAPI) -> None:
    start = "/api/v1/public/advice/{token}"
    calls = {
        (call.partition(" ")[0], call.partition(start)[2]) for call in _calls(app) if start in call
    }
    assert calls == OPENED_BY_THE_CODE | {("GET", ""), ("POST", "/code"), ("POST", "/open")}

    for method, path in OPENED_BY_THE_CODE:
        for token in ("", "x" * 43, page.token):
            page.page_token = token
            body = {"answer": "READ"} if method == "POST" else None
            assert page.call(method, path, body).status_code == 401, path
