"""Clients who are moved while calls are answered: each answer is of before or of after."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from fastapi.testclient import TestClient

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of
from tests.security.figures import tell
from tests.teams_of import floor_of

pytestmark = pytest.mark.on_both

RACES = 20


def test_an_answer_during_a_move_is_that_of_before_or_of_after(
    web: TestClient, database: Database, admin: Desk
) -> None:
    floor = floor_of(web, database, admin)
    pair, own = [floor.clients["b"], floor.clients["none"]], {floor.clients["a"]}
    user, is_over = floor.users["of_a"], Event()

    def read() -> list[tuple[frozenset[str], int, int]]:
        seen: list[tuple[frozenset[str], int, int]] = []
        while not is_over.is_set() or not seen:
            for sort in ("", "totalPortfolio", "name"):
                listed = user.get("/admin/clients", sort=sort).json()
                ids = frozenset(row["_id"] for row in listed["data"])
                seen.append((ids, listed["pagination"]["totalUsers"], len(ids)))
            total = data_of(user.get("/admin/clients/totals"))["clients"]
            stats = data_of(user.get("/admin/dashboard/stats"))["totalClients"]
            seen += [(frozenset(), total, total), (frozenset(), stats, stats)]
        return seen

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for race in range(RACES):
                team = floor.teams["a" if race % 2 == 0 else "b"]["id"]
                body = {"clients": pair, "teamId": team}
                assert admin.put("/admin/teams/clients", body).status_code == 200
        finally:
            is_over.set()
        answers = [answer for reader in readers for answer in reader.result()]

    before, after = frozenset(own), frozenset(own.union(pair))
    mixed = [
        answer
        for answer in answers
        if (answer[0] and answer[0] not in {before, after})
        or answer[1] not in {1, 3}
        or answer[1] != answer[2]
    ]
    tell("S16", f"{len(answers)} answers during {RACES} moves", f"{len(mixed)} mixed", "0")
    assert mixed == []
