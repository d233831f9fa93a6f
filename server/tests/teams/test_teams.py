"""Teams as an administrator keeps them."""

import uuid

from tests.people_of import Desk, data_of, new_key, reply_of


def test_a_team_has_its_own_name_a_version_and_goes_without_clients(admin: Desk) -> None:
    client_id = admin.add_client()
    (team,) = data_of(admin.post("/admin/teams", {"name": "North", "members": []}), 201)["teams"]
    twin = admin.post("/admin/teams", {"name": "NORTH", "members": []}, **new_key())
    assert reply_of(twin) == (409, "Another team has this name.")
    nobody = {"name": "South", "members": [str(uuid.uuid4())]}
    assert reply_of(admin.post("/admin/teams", nobody)) == (404, "User not found")

    path = f"/admin/teams/{team['id']}"
    edit = {"name": "South", "members": [], "version": team["version"]}
    assert admin.put(path, edit).status_code == 200
    assert admin.put(path, edit | {"name": "West"}).status_code == 409

    moved = {"clients": [client_id], "teamId": team["id"]}
    assert reply_of(admin.put("/admin/teams/clients", moved)) == (200, "1 client moved.")
    shown = data_of(admin.get("/admin/teams"))
    assert (shown["teams"][0]["clients"], shown["withoutTeam"], shown["isOn"]) == (1, 0, False)
    url = f"/api/v1{path}"
    assert admin.web.delete(url, headers=admin.headers).status_code == 409
    admin.put("/admin/teams/clients", moved | {"teamId": None})
    stale = admin.web.delete(url, headers=admin.headers, params={"version": team["version"]})
    assert stale.status_code == 409
    seen = {"version": team["version"] + 1}
    assert data_of(admin.web.delete(url, headers=admin.headers, params=seen))["teams"] == []


def test_the_setting_is_changed_with_the_version_that_was_seen(admin: Desk) -> None:
    shown = data_of(admin.put("/settings/team-access", {"isOn": True, "version": 1}))
    assert (shown["isOn"], shown["version"]) == (True, 2)
    assert admin.put("/settings/team-access", {"isOn": False, "version": 1}).status_code == 409
