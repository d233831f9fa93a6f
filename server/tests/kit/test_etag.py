"""What somebody has already is not sent again; what changed always is."""

import pytest

from tests.people_of import Desk

PATHS = ("/admin/clients", "/admin/dashboard/daily-aum", "/users", "/fees", "/brokers")


@pytest.mark.parametrize("path", PATHS)
def test_an_unchanged_answer_is_sent_as_its_tag_alone(admin: Desk, path: str) -> None:
    first = admin.get(path)
    tag = first.headers["ETag"]
    url, headers = f"/api/v1{path}", admin.headers | {"If-None-Match": f'"other", W/{tag}'}

    again = admin.web.get(url, headers=headers)

    assert first.status_code == 200
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == tag
    assert again.headers["Cache-Control"] == "no-store"
    assert "Content-Length" not in again.headers


def test_a_change_is_another_answer(admin: Desk) -> None:
    tag = admin.get("/admin/clients").headers["ETag"]
    admin.add_client()

    answer = admin.web.get("/api/v1/admin/clients", headers=admin.headers | {"If-None-Match": tag})

    assert answer.status_code == 200
    assert answer.headers["ETag"] != tag
    assert answer.json()["data"]


def test_a_tag_opens_nothing_for_who_is_not_signed_in(admin: Desk) -> None:
    tag = admin.get("/admin/clients").headers["ETag"]

    answer = admin.web.get("/api/v1/admin/clients", headers={"If-None-Match": tag})

    assert answer.status_code == 401
    assert "ETag" not in answer.headers


def test_writes_refusals_and_files_carry_no_tag(admin: Desk) -> None:
    written = admin.post("/clients/add", {"clients": []})
    missing = admin.get("/admin/clients/client/00000000-0000-0000-0000-000000000000/profile")
    sheet = admin.get("/admin/clients/export?format=csv")

    assert [one.status_code for one in (missing, sheet)] == [404, 200]
    assert not any("ETag" in one.headers for one in (written, missing, sheet))
