"""The settings of the follow-up."""

import pytest

from tests.people_of import Desk, data_of, reply_of

PATH = "/admin/settings/follow-up"


def test_a_firm_begins_with_a_window_of_five_days(admin: Desk) -> None:
    settings = data_of(admin.get(PATH))

    assert (settings["windowDays"], settings["tolerance"], settings["basketRows"]) == (5, 0, 10)
    assert (settings["sendsReminders"], settings["mailsLinks"]) == (True, True)
    assert settings["limitPercentage"] == 1


@pytest.mark.on_both(suite="long")
def test_settings_are_changed_one_by_one(admin: Desk) -> None:
    before = data_of(admin.get(PATH))

    changed = data_of(admin.put(PATH, {"windowDays": 7, "trackingLimitPercentage": 0.75}))

    assert (changed["windowDays"], changed["trackingLimitPercentage"]) == (7, 0.75)
    assert changed["basketRows"] == before["basketRows"]
    assert changed["version"] == before["version"] + 1
    assert data_of(admin.get(PATH)) == changed


def test_a_limit_that_is_null_is_switched_off_and_the_others_stay(admin: Desk) -> None:
    before = data_of(admin.get(PATH))

    changed = data_of(admin.put(PATH, {"trackingLimitPercentage": None, "windowDays": None}))

    assert changed["trackingLimitPercentage"] is None
    assert changed["idleCashLimitPercentage"] == before["idleCashLimitPercentage"] == 5
    assert changed["windowDays"] == before["windowDays"]


def test_a_stale_version_changes_nothing(admin: Desk) -> None:
    version = data_of(admin.get(PATH))["version"]
    admin.put(PATH, {"windowDays": 7})

    answer = admin.put(PATH, {"windowDays": 9, "version": version})

    assert answer.status_code == 409
    assert data_of(admin.get(PATH))["windowDays"] == 7


@pytest.mark.parametrize(
    "body",
    [
        {"windowDays": 0},
        {"windowDays": 31},
        {"tolerance": -1},
        {"basketRows": 0},
        {"limitPercentage": 21},
    ],
)
def test_unfit_settings_are_refused(admin: Desk, body: dict[str, float]) -> None:
    assert admin.put(PATH, body).status_code == 422


def test_staff_neither_see_nor_change_them(user: Desk) -> None:
    refused = (403, "You do not have permission to do this.")

    assert reply_of(user.get(PATH)) == reply_of(user.put(PATH, {"windowDays": 7})) == refused
