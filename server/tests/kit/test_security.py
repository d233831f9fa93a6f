"""Password hashes and tokens."""

import pytest

from tarazu.kit import security
from tests.conftest import REAL_HASHER


@pytest.fixture(autouse=True)
def _hashes_as_in_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "_HASHER", REAL_HASHER)


def test_a_password_is_known_by_its_hash_alone() -> None:
    stored = security.hash_password("seven oaks 7")

    assert security.is_password("seven oaks 7", stored)
    assert not security.is_password("seven oaks 8", stored)
    assert not security.is_outdated(stored)


def test_an_account_without_a_password_costs_the_same_check_and_never_opens() -> None:
    assert not security.is_password("", None)
    assert not security.is_password("anything", None)
    assert not security.is_outdated(security._NOBODY)


def test_tokens_are_long_and_only_their_digest_is_kept() -> None:
    tokens = {security.new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(len(token) == 43 for token in tokens)
    assert len(security.token_digest("x")) == 64
