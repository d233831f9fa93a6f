"""What staff do with fees, in the tests."""

from typing import Any

from tests.people_of import Desk, data_of, new_key

FILL_ALL = "Please fill all required fields."


def fees_path(client_id: str) -> str:
    return f"/admin/clients/client/{client_id}/fees"


def period(starting_value: float, final_value: float) -> dict[str, Any]:
    """A year of a client, from April to March."""
    return {
        "startingDate": "2025-04-01",
        "dueDate": "2026-04-30",
        "finalDate": "2026-03-31",
        "startingValue": starting_value,
        "finalValue": final_value,
    }


def add_fee(desk: Desk, client_id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Add a fee; its row."""
    row: dict[str, Any] = data_of(desk.post(fees_path(client_id), body, **new_key()), 201)
    return row


def earnings(desk: Desk) -> float:
    """Total Earnings on the dashboard."""
    return float(desk.get("/admin/dashboard/stats").json()["data"]["fees"])
