"""Settings and keys: what does not fit stops the start, and is named."""

import stat
from pathlib import Path

import pytest

from tarazu.kit.encryption import UnfitKeys, keys_of, read_keys
from tarazu.kit.settings import MalformedSettings, Settings


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("TARAZU_PORT_NUMBER", "1", "TARAZU_PORT_NUMBER"),
        ("TARAZU_SIGNUP_MODE", "sometimes", "TARAZU_SIGNUP_MODE"),
        ("TARAZU_PUBLIC_URL", "desk.example.com", "TARAZU_PUBLIC_URL"),
        ("TARAZU_DATABASE_URL", "mysql://x", "TARAZU_DATABASE_URL"),
        ("TARAZU_SESSION_HOURS", "0", "TARAZU_SESSION_HOURS"),
        ("TARAZU_RATE_LIMIT_SCALE", "-1", "TARAZU_RATE_LIMIT_SCALE"),
    ],
)
def test_an_unknown_name_or_a_malformed_value_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)

    with pytest.raises(MalformedSettings, match=named):
        Settings.read()


def test_an_unknown_name_in_the_env_file_is_named_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("TARAZU_SMPT_URL=smtp://x\n")

    with pytest.raises(MalformedSettings, match="TARAZU_SMPT_URL"):
        Settings.read()


def test_a_fresh_installation_makes_its_key_for_its_owner_alone(tmp_path: Path) -> None:
    made = keys_of("", tmp_path)
    again = keys_of("", tmp_path)

    assert made == again
    assert stat.S_IMODE((tmp_path / "secrets.key").stat().st_mode) == 0o600
    assert made.derived("audit") != made.derived("secrets")


@pytest.mark.parametrize(
    "text", ["", "name", "name:short", "name:" + "!" * 44, ":" + "A" * 43 + "="]
)
def test_a_key_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(UnfitKeys):
        read_keys(text)


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "broker", ""])
def test_the_apps_link_is_one_that_a_browser_may_be_sent_to(
    link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TARAZU_APP_LINK", link)

    with pytest.raises(MalformedSettings, match="TARAZU_APP_LINK: use the app's link"):
        Settings.read()
