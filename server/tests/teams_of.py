"""Two teams with a client each, a client of neither, and who sees which of them."""

from dataclasses import dataclass
from typing import Any

from fastapi.testclient import TestClient

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, staff_desk

NAMES = {"a": "Asha Zutshi", "b": "Bhanu Yadunath", "none": "Nirav Xalxo"}


@dataclass
class Floor:
    """Clients `a`, `b` and `none` by their teams, and desks of USERs by theirs."""

    admin: Desk
    clients: dict[str, str]
    teams: dict[str, dict[str, Any]]
    users: dict[str, Desk]
    accounts: dict[str, str]
    model: str = ""

    def move(self, client: str, team: str | None) -> None:
        """Give one of the clients another team."""
        team_id = self.teams[team]["id"] if team else None
        body = {"clients": [self.clients[client]], "teamId": team_id}
        answer = self.admin.put("/admin/teams/clients", body)
        assert answer.status_code == 200, answer.text

    def turn(self, *, on: bool) -> None:
        """Turn the setting on or off."""
        data_of(self.admin.put("/settings/team-access", {"isOn": on}))

    def set_members(self, team: str, *users: str) -> None:
        """Set the members of a team."""
        members = [self.accounts[name] for name in users]
        body = {"name": self.teams[team]["name"], "members": members}
        data_of(self.admin.put(f"/admin/teams/{self.teams[team]['id']}", body))


def floor_of(web: TestClient, database: Database, admin: Desk) -> Floor:
    """A firm with two teams and the setting on."""
    clients = {key: admin.add_client(name, f"{key}@home.example") for key, name in NAMES.items()}
    users, accounts = {}, {}
    for name in ("of_a", "of_both", "of_none"):
        users[name] = staff_desk(web, database, f"{name}@desk.example", name=f"User {name}")
    listed = admin.get("/users", limit=100).json()["data"]
    for row in listed:
        accounts[row["email"].partition("@")[0]] = row["_id"]
    for name, members in (("A", ("of_a", "of_both")), ("B", ("of_both",))):
        body = {"name": f"Team {name}", "members": [accounts[member] for member in members]}
        shown = data_of(admin.post("/admin/teams", body), 201)
    teams = {row["name"][-1].lower(): row for row in shown["teams"]}
    floor = Floor(admin, clients, teams, users, accounts)
    floor.move("a", "a")
    floor.move("b", "b")
    floor.turn(on=True)
    return floor
