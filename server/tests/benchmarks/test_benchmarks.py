"""Benchmarks: what is stored of them, and the one that the firm compares with."""

import datetime as dt
import json
import uuid
from decimal import Decimal
from typing import Any

import pytest

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.imports.index_files import prices, tri
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows

pytestmark = pytest.mark.on_both

PATH = "/admin/benchmarks"
CHOICE = "/admin/settings/benchmark"
ROWS = (("2026-04-01", "30000"), ("2026-04-02", "30300"), ("2026-04-08", "31000"))


def add(desk: Desk, content: bytes) -> None:
    answer = desk.upload("/admin/imports/benchmark", "index.csv", content, dryRun="false")
    assert answer.status_code == 200, answer.text


def shown(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = data_of(desk.get(PATH))
    return found


def test_a_new_firm_has_no_benchmark(admin: Desk, database: Database) -> None:
    assert shown(admin) == {"benchmarks": [], "chosen": None, "version": 1}
    with database.reading() as session:
        assert benchmarks.firm_benchmark(session) is None


def test_benchmarks_are_listed_with_kind_days_and_gaps(admin: Desk, user: Desk) -> None:
    add(admin, tri(*ROWS))
    add(admin, prices(("2026-04-01", "24000")))

    price, total = shown(user)["benchmarks"]

    assert (price["name"], price["kind"], price["values"]) == ("NIFTY 50", "PRICE", 1)
    assert (total["name"], total["kind"], total["values"]) == ("NIFTY 50 TRI", "TRI", 3)
    assert (total["firstOn"], total["lastOn"]) == ("2026-04-01", "2026-04-08")
    # The 3rd is Good Friday, then comes a weekend.
    assert total["gaps"] == [{"from": "2026-04-06", "to": "2026-04-07", "days": 2}]
    assert (total["source"], total["checkedFrom"]) == ("index.csv", "2024-01-01")


def test_the_firm_chooses_one_and_the_trail_has_it(admin: Desk, database: Database) -> None:
    add(admin, tri(*ROWS))

    answer = admin.put(CHOICE, {"name": "Nifty 50 TRI", "version": 1})

    assert answer.json()["message"] == "Benchmark saved"
    assert (data_of(answer)["chosen"], data_of(answer)["version"]) == ("NIFTY 50 TRI", 2)
    with database.reading() as session:
        chosen = benchmarks.firm_benchmark(session)
    assert chosen is not None
    assert (chosen.name, chosen.kind) == ("NIFTY 50 TRI", BenchmarkKind.TRI)
    (row,) = audit_rows(database, "benchmark_chosen")
    assert json.loads(row.changes) == {"benchmark": [None, "NIFTY 50 TRI"]}
    assert data_of(admin.put(CHOICE, {"name": None}))["chosen"] is None


def test_an_unknown_name_and_a_stale_version_change_nothing(admin: Desk) -> None:
    add(admin, tri(*ROWS))

    unknown = admin.put(CHOICE, {"name": "Nifty 500 TRI"})
    stale = admin.put(CHOICE, {"name": "NIFTY 50 TRI", "version": 7})

    assert reply_of(unknown) == (404, "Benchmark not found. Import its values first.")
    assert stale.status_code == 409
    assert shown(admin)["chosen"] is None


def test_only_an_administrator_chooses_and_deletes(user: Desk) -> None:
    answers = [
        user.put(CHOICE, {"name": None}),
        user.web.delete(f"/api/v1{PATH}/{uuid.uuid4()}", headers=user.headers),
    ]

    assert [answer.status_code for answer in answers] == [403, 403]


def test_a_benchmark_is_deleted_unless_it_is_the_firms(admin: Desk, database: Database) -> None:
    add(admin, tri(*ROWS))
    (row,) = shown(admin)["benchmarks"]
    path = f"/api/v1{PATH}/{row['_id']}"
    admin.put(CHOICE, {"name": row["name"]})

    kept = admin.web.delete(path, headers=admin.headers)
    admin.put(CHOICE, {"name": None})
    gone = admin.web.delete(path, headers=admin.headers)
    again = admin.web.delete(path, headers=admin.headers)

    assert reply_of(kept) == (
        409,
        "This is the firm's benchmark. Choose another one, or none, before you delete it.",
    )
    assert reply_of(gone) == (200, "Benchmark deleted")
    assert again.status_code == 404
    assert shown(admin)["benchmarks"] == []
    assert len(audit_rows(database, "benchmark_deleted")) == 1


def test_levels_are_those_of_the_days_that_are_asked_for(admin: Desk, database: Database) -> None:
    add(admin, tri(*ROWS))
    first, last = dt.date(2026, 4, 2), dt.date(2026, 4, 30)

    with database.reading() as session:
        levels = benchmarks.levels(session, "Nifty 50 TRI", first, last)
        none = benchmarks.levels(session, "Nifty 50", first, last)
        # A Sunday has the level of the Thursday before Good Friday.
        sunday = benchmarks.index_levels(session, "Nifty 50 TRI", dt.date(2026, 4, 5), last)

    assert levels == [(first, Decimal(30_300)), (dt.date(2026, 4, 8), Decimal(31_000))]
    assert none == []
    assert sunday.on(dt.date(2026, 4, 5)) == 30_300
    assert sunday.on(dt.date(2026, 4, 7)) is None


def test_values_of_another_kind_are_never_stored_under_a_name(database: Database) -> None:
    about = ("Nifty 50 TRI", BenchmarkKind.TRI, "file")
    with database.transaction() as session:
        benchmarks.store_values(session, clock.now(), about, {dt.date(2026, 4, 1): Decimal(5)})
    other = ("NIFTY 50 tri", BenchmarkKind.PRICE, "file")
    values = {dt.date(2026, 4, 2): Decimal(6)}

    with database.transaction() as session, pytest.raises(benchmarks.OtherKind):
        benchmarks.store_values(session, clock.now(), other, values)
