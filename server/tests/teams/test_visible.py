"""With the setting on a USER sees the clients of the own teams, as if there were no others."""

import uuid

import pytest
from fastapi.testclient import TestClient

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, reply_of
from tests.teams_of import Floor, floor_of

pytestmark = pytest.mark.on_both

SEEN = {"of_a": {"a"}, "of_both": {"a", "b"}, "of_none": set(), "admin": {"a", "b", "none"}}


@pytest.fixture
def floor(web: TestClient, database: Database, admin: Desk) -> Floor:
    return floor_of(web, database, admin)


def _desk(floor: Floor, who: str) -> Desk:
    return floor.admin if who == "admin" else floor.users[who]


@pytest.mark.parametrize("who", SEEN)
@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/clients", {}),
        ("/clients", {"query": "home"}),
        ("/admin/clients", {}),
        ("/admin/clients", {"sort": "name"}),
        ("/admin/clients", {"sort": "-totalPortfolio"}),
        ("/admin/clients", {"sort": "status"}),
        ("/admin/clients", {"query": "home", "sort": "totalPortfolio"}),
    ],
)
def test_the_client_lists_and_their_counts_hold_the_clients_of_the_own_teams(
    floor: Floor, who: str, path: str, params: dict[str, str]
) -> None:
    answer = _desk(floor, who).get(path, **params, limit=1).json()
    pages = [_desk(floor, who).get(path, **params, limit=1, page=page).json() for page in (1, 2, 3)]

    ids = {row["_id"] for page in pages for row in page["data"]}
    assert ids == {floor.clients[name] for name in SEEN[who]}
    assert answer["pagination"]["totalUsers"] == len(SEEN[who])
    totals = data_of(_desk(floor, who).get("/admin/clients/totals"))
    assert totals["clients"] == len(SEEN[who])


@pytest.mark.parametrize("who", SEEN)
def test_a_client_of_another_team_is_not_found_as_one_that_does_not_exist(
    floor: Floor, who: str
) -> None:
    desk, missing = _desk(floor, who), uuid.uuid4()
    unknown = reply_of(desk.get(f"/admin/clients/client/{missing}/profile"))
    assert unknown == (404, "Client not found")
    for name, client_id in floor.clients.items():
        profile = desk.get(f"/admin/clients/client/{client_id}/profile")
        edited = desk.put("/clients/edit", {"id": client_id, "family": "Rao"})
        remark = desk.post("/admin/remarks", {"user": client_id, "remark": "Called."})
        if name in SEEN[who]:
            assert (profile.status_code, edited.status_code, remark.status_code) == (200, 200, 201)
        else:
            assert {reply_of(profile), reply_of(edited), reply_of(remark)} == {unknown}


def test_with_the_setting_off_everybody_sees_every_client(floor: Floor) -> None:
    floor.turn(on=False)

    for desk in floor.users.values():
        assert desk.get("/admin/clients").json()["pagination"]["totalUsers"] == 3
        assert data_of(desk.get("/auth/verify-token"))["teams"] is None


def test_a_member_who_leaves_a_team_loses_its_clients_at_the_next_call(floor: Floor) -> None:
    desk, path = floor.users["of_a"], f"/admin/clients/client/{floor.clients['a']}/profile"
    assert desk.get(path).status_code == 200
    assert data_of(desk.get("/auth/verify-token"))["teams"] == ["Team A"]

    floor.set_members("a", "of_both")

    assert reply_of(desk.get(path)) == (404, "Client not found")
    assert desk.get("/admin/clients").json()["data"] == []


def test_a_client_who_gets_another_team_is_seen_by_that_team_alone(floor: Floor) -> None:
    floor.move("a", "b")

    assert floor.users["of_a"].get("/admin/clients").json()["data"] == []
    rows = floor.users["of_both"].get("/admin/clients").json()["data"]
    assert {row["_id"] for row in rows} == {floor.clients["a"], floor.clients["b"]}


def test_an_administrator_filters_the_list_by_team_and_for_those_of_none(floor: Floor) -> None:
    for team, names in ((floor.teams["a"]["id"], {"a"}), ("NONE", {"none"})):
        for sort in ("", "totalPortfolio"):
            answer = floor.admin.get("/admin/clients", team=team, sort=sort).json()
            assert {row["_id"] for row in answer["data"]} == {floor.clients[name] for name in names}
            assert answer["pagination"]["totalUsers"] == 1
        assert data_of(floor.admin.get("/admin/clients/totals", team=team))["clients"] == 1
    user = floor.users["of_a"].get("/admin/clients", team="NONE")
    assert user.status_code == 403


def test_the_neighbours_of_a_client_are_those_that_the_caller_sees(floor: Floor) -> None:
    path = f"/admin/clients/client/{floor.clients['b']}/profile"
    shown = data_of(floor.users["of_both"].get(path))

    assert (shown["previousClientId"], shown["nextClientId"]) == (floor.clients["a"], None)


def test_a_client_is_not_put_into_a_family_of_another_team(floor: Floor) -> None:
    """The yearly limit would tell what that family pays."""
    data_of(floor.admin.put("/clients/edit", {"id": floor.clients["b"], "family": "Zutshi"}))
    into = {"id": floor.clients["a"], "family": "Zutshi"}

    refused = floor.users["of_a"].put("/clients/edit", into)
    own = floor.users["of_a"].put("/clients/edit", into | {"family": "Rao"})
    of_both = floor.users["of_both"].put("/clients/edit", into)
    kept = floor.users["of_a"].put("/clients/edit", into | {"contactNumber": "9876543210"})

    assert reply_of(refused) == (
        403, "This family has clients of other teams. Ask an administrator to change it.",
    )  # fmt: skip
    assert (own.status_code, of_both.status_code, kept.status_code) == (200, 200, 200)
