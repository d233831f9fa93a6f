"""What was sent to a client belongs to the client's team."""

from fastapi.testclient import TestClient

from tarazu.follow_up import service as follow_up
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.advice.conftest import AdviceDesk, advice
from tests.people_of import data_of
from tests.teams_of import floor_of

__all__ = ["advice"]


def test_advice_of_another_teams_client_is_not_found(
    web: TestClient, database: Database, advice: AdviceDesk
) -> None:
    floor = floor_of(web, database, advice.desk)
    advice_id = advice.sent()
    follow_up.match_due(database, clock.now())
    team = {"clients": [advice.client_id], "teamId": floor.teams["b"]["id"]}
    assert advice.desk.put("/admin/teams/clients", team).status_code == 200

    for who, status in (("of_a", 404), ("of_both", 200)):
        desk, at = floor.users[who], f"/admin/advice/{advice_id}"
        answers = [desk.get(f"{at}/{call}") for call in ("letter.pdf", "verify", "execution")]
        assert [answer.status_code for answer in answers] == [status] * 3
        seen = 1 if status == 200 else 0
        board = desk.get("/admin/follow-up").json()
        assert len(board["data"]) == board["pagination"]["totalUsers"] == seen
        assert sum(tile["count"] for tile in board["tiles"]) == seen
        history = desk.get(f"/admin/advice/clients/{advice.client_id}")
        assert history.status_code == status
    assert data_of(floor.users["of_a"].get("/admin/follow-up/stocks")) == []
