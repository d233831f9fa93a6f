"""What access by team costs: the lists of a USER at a large firm, with the setting off and on in turns.

Both run as the server runs them, without HTTP: a new session for each call, and the clients that the
caller sees are resolved in it. The USER belongs to one of two teams of half the clients each, so that
no list becomes short.
"""

import statistics
import sys
import time
import uuid
from collections.abc import Callable

from databases import both, take_statistics
from firms import MOST_CLIENTS, Size, make_firm
from sqlalchemy import insert
from sqlalchemy.orm import Session

from tarazu.app import open_database
from tarazu.clients import service as clients
from tarazu.dashboard import service as dashboard
from tarazu.dashboard.work_list import work_list
from tarazu.fees import service as fees
from tarazu.fees.queries import ClientFeeFilter
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import Database
from tarazu.kit.schemas import ListParams
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tarazu.sync import readiness
from tarazu.sync.readiness import ReadinessFilter
from tarazu.teams import service as teams
from tarazu.teams.service import VisibleClients
from tarazu.teams.tables import TeamClient

GOAL = 1.2
CALLS = 40
FIRM = Size(clients=MOST_CLIENTS, holdings=30, orders=0, flows=1, fees=1, closes=1, firm_closes=2)

Call = Callable[[Session, VisibleClients], object]


def _listed(sort: str) -> Call:
    params = ListParams(limit=50, sort=sort)
    return lambda session, seen: clients.list_clients(session, clock.now(), params, seen)


LISTS: dict[str, Call] = {
    "clients by code": _listed(""),
    "clients by name": _listed("name"),
    "clients by portfolio": _listed("-totalPortfolio"),
    "fees": lambda session, seen: fees.list_client_fees(
        session, ClientFeeFilter(limit=50), clock.today(), seen
    ),
    "readiness": lambda session, seen: readiness.readiness(
        session, clock.now(), ReadinessFilter(), seen
    ),
}
SUMS: dict[str, Call] = {
    "dashboard figures": dashboard.stats,
    "work list": lambda session, seen: work_list(session, SYSTEM, clock.now(), seen),
}


def table(size: Size = FIRM) -> str:
    """The median of each call with the setting off and on, and their ratio, on each database."""
    lines = ["| call | database | off, ms | on, ms | ratio | goal |", "|---|---|---|---|---|---|"]
    for name, settings in both():
        lines += _measured(name, settings, size)
    return "\n".join(lines)


def _measured(name: str, settings: Settings, size: Size) -> list[str]:
    database = open_database(settings)
    try:
        ids, lines = make_firm(database, size), []
        user = _user(database, ids)
        take_statistics(database)
        for call, function in (LISTS | SUMS).items():
            off, on = _medians(database, user, function)
            goal = f"{GOAL}" if call in LISTS else "-"
            lines.append(f"| {call} | {name} | {off:.2f} | {on:.2f} | {on / off:.2f} | {goal} |")
            print(lines[-1], file=sys.stderr, flush=True)
        return lines
    finally:
        database.dispose()


def _user(database: Database, ids: list[uuid.UUID]) -> Actor:
    now = clock.now()
    with database.transaction() as session:
        login = Login(Role.USER, "")
        new = NewPerson("Farhan Ali", "farhan@bench.example")
        account = people.add_staff(session, SYSTEM, now, new, login)
        both_teams = [
            teams.add_team(session, SYSTEM, now, name, [account.id] if name == "North" else [])
            for name in ("North", "South")
        ]
        session.execute(
            insert(TeamClient),
            [
                {"client_id": key, "team_id": both_teams[place % 2]}
                for place, key in enumerate(ids)
            ],
        )
    return Actor(account.id, Role.USER)


def _medians(database: Database, user: Actor, function: Call) -> tuple[float, float]:
    """Milliseconds with the setting off, and on."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for is_on in (False, True) * 4:
        with database.transaction() as session:
            teams.set_setting(session, SYSTEM, clock.now(), is_on=is_on, version=None)
        for turn in range(CALLS // 4 + 2):
            began = time.perf_counter()
            with database.reading() as session:
                function(session, teams.visible_clients(session, user))
            if turn >= 2:  # the first calls fill what is kept in memory
                times[is_on].append((time.perf_counter() - began) * 1000)
    return statistics.median(times[False]), statistics.median(times[True])


if __name__ == "__main__":
    print(table(Size(clients=int(sys.argv[1]), holdings=30, orders=0, flows=1, fees=1, closes=1,
                     firm_closes=2) if sys.argv[1:] else FIRM))  # fmt: skip
