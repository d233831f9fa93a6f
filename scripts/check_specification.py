"""Checks docs/specification.md: each route, call and text of the product has a row there, and a row's tests are real.

A row is `| part | what | tests |`. What begins with ``Route `…` ``, ``Call `…` `` or ``Text `…` `` where it is one of
these. A test is named `path::name`: in Python the function, in the web the title as it is written, with the titles of
the groups around it before it (`group > title`) where it is not the only one of its title. A named test must be there
and run; a text must be in the source of each of its tests, so that what looks at something else does not pass for it.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "specification.md"
TEXTS = ROOT / "docs" / "texts.txt"

ROUTES = """
/ /auth/login /auth/signup /auth/register /auth/forgot-password /auth/forgot-password/{token} /auth/otp
/auth/reset-password /new-password /login /home /home/dashboard /home/fees /home/roles-permission /home/settings
/home/client /home/client/details /home/client/profile /home/client/portfolio /home/client/fees
/home/client/order-book /home/client/advice-history /home/advice /home/advice-rebalance /home/advice-preview
/home/broker-details /home/broker-exchange /redirect
""".split()

ONE = "/admin/clients/client/{client_id}"
CALLS = f"""
POST /auth/register
POST /auth/login
POST /auth/forget-password/request
POST /auth/forget-password/confirm/{{token}}
POST /auth/reset-password
POST /auth/logout
GET /auth/verify-token
POST /auth/otp/request
POST /auth/otp/verify
GET /admin/dashboard/stats
GET /admin/dashboard/stocks-distribution
GET /admin/dashboard/daily-aum
GET /admin/dashboard/work
GET /admin/dashboard/setup
PUT /admin/dashboard/setup
POST /admin/clients/sample
GET /admin/dashboard/movers
GET /admin/advice/undelivered
GET /admin/advice/clients/by-code/{{code}}/holdings
GET /admin/advice/clients/{{client_id}}
POST /admin/advice/rebalance-portfolio
POST /admin/advice/create
GET /instruments/search
POST /instruments/add
DELETE /instruments/remove
GET /admin/broker
POST /admin/broker/connect
GET /brokers
GET /brokers/{{broker_id}}
PUT /brokers/edit
POST /brokers/add
GET /clients
GET /users
POST /clients/add
POST /users/add
PUT /clients/edit
PUT /users/edit
POST /clients/delete
POST /users/delete
GET /profile
GET /admin/clients
GET {ONE}/profile
GET /admin/remarks/client/{{client_id}}
POST /admin/remarks
PUT /admin/remarks
GET {ONE}/portfolio
GET {ONE}/holdings
GET {ONE}/accounting
GET {ONE}/xirr
POST {ONE}/accounting/transaction
PUT {ONE}/accounting/transaction
POST {ONE}/accounting/transaction/delete
POST {ONE}/starting-date
POST {ONE}/starting-capital
GET {ONE}/fees
POST {ONE}/fees
PUT {ONE}/fees
POST {ONE}/fees/delete
GET {ONE}/starting-value
GET {ONE}/order-book
GET /fees/stats
GET /fees
SOCKET ticks
SOCKET ticks:heartbeat
""".strip().splitlines()

SUBJECT = re.compile(r"^(Route|Call|Text) `([^`]+)`")
NAMED = re.compile(r"`([^`]+?)::([^`]+)`")


@dataclass(frozen=True)
class Test:
    """A test in its file: its titles from the outside in, whether it runs, and what it is made of."""

    titles: tuple[str, ...]
    runs: bool
    source: str

    def is_called(self, name: str) -> bool:
        return name in (self.titles[-1], " > ".join(self.titles))


@dataclass(frozen=True)
class Row:
    part: str
    what: str
    tests: str

    @property
    def subject(self) -> tuple[str, str] | None:
        """Its kind and its name, where the row is about a route, a call or a text."""
        found = SUBJECT.match(self.what)
        return (found[1], found[2]) if found else None

    @property
    def named(self) -> list[tuple[str, str]]:
        """The tests: path and name."""
        return NAMED.findall(self.tests)


def main() -> int:
    faults = list(faults_of(PAGE.read_text(encoding="utf-8")))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def faults_of(page: str) -> Iterator[str]:
    """What is missing or wrong on the page, one line each."""
    texts = [line for line in TEXTS.read_text(encoding="utf-8").splitlines() if line]
    if not texts:
        yield f"{TEXTS.name} holds no text"
    rows, broken = rows_of(page)
    yield from broken
    subjects = {row.subject for row in rows}
    wanted = {"Route": ROUTES, "Call": CALLS, "Text": texts}
    for kind, names in wanted.items():
        yield from (f"no row for the {kind.lower()} {name}" for name in names if (kind, name) not in subjects)
    known = {(kind, name) for kind, names in wanted.items() for name in names}
    yield from (f"{one[0]} {one[1]} is none of the product" for one in subjects if one and one not in known)
    yield from calls_not_served()
    read_web_tests({path for row in rows for path, _ in row.named if path.startswith("web/")})
    for row in rows:
        yield from faults_of_row(row)


def rows_of(page: str) -> tuple[list[Row], list[str]]:
    """The rows of all tables, without their heads, and what is no whole row."""
    rows, broken = [], []
    for line in page.splitlines():
        if not line.startswith("|") or set(line) <= set("-| :"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if len(cells) != 3 or not all(cells):
            broken.append(f"not a row of three cells: {line[:100]}")
        elif cells[0] != "Part":
            rows.append(Row(*cells))
    return rows, broken


def calls_not_served() -> Iterator[str]:
    """Calls that the server's own description does not have, whatever they call their parameters."""
    served = json.loads((ROOT / "server" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    have = {f"{method.upper()} {plain(path)}" for path, calls in served.items() for method in calls}
    for call in CALLS:
        method, path = call.split(" ", 1)
        if method != "SOCKET" and f"{method} /api/v1{plain(path)}" not in have:
            yield f"the server has no call {call}"


def plain(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "{}", path)


def faults_of_row(row: Row) -> Iterator[str]:
    subject = row.subject
    if not row.named:
        yield f"no test for {row.part}: {row.what}"
    if left := NAMED.sub("", row.tests).replace("<br>", "").strip(" ,"):
        yield f"{row.what}: {left!r} names no test"
    for path, name in row.named:
        if not (ROOT / path).is_file():
            yield f"{row.what}: there is no file {path}"
            continue
        called = [test for test in tests_of(path) if test.is_called(name)]
        if not called:
            yield f"{row.what}: {path} has no test {name!r}"
        elif len(called) > 1:
            yield f"{row.what}: {path} has {len(called)} tests {name!r}; name their groups"
        elif not called[0].runs:
            yield f"{row.what}: {path}::{name} does not run"
        elif subject and subject[0] == "Text" and not holds(called[0].source, subject[1]):
            yield f"{row.what}: the text is not in {path}::{name}"


def holds(source: str, text: str) -> bool:
    """Whether the source has the text as a word, not inside a longer one."""
    # A pattern in a test escapes what means something there.
    return any(
        re.search(rf"(?<![A-Za-z]){re.escape(text)}(?![A-Za-z])", each)
        for each in (source, source.replace("\\", ""))
    )


_web: dict[str, list[Test]] = {}


def read_web_tests(paths: set[str]) -> None:
    """Reads the tests of these files of the web, all in one run of the web's own parser."""
    there = sorted(path for path in paths - _web.keys() if (ROOT / path).is_file())
    if not there:
        return
    for path, found in listed([path.removeprefix("web/") for path in there]).items():
        _web[f"web/{path}"] = found


def listed(paths: list[str]) -> dict[str, list[Test]]:
    """The tests of files, as the parser in web/scripts/list-tests.mjs finds them."""
    said = subprocess.run(
        ["node", "scripts/list-tests.mjs", *paths],
        cwd=ROOT / "web", capture_output=True, check=True, text=True,
    )  # fmt: skip
    return {
        path: [Test(tuple(one["titles"]), one["runs"], one["source"]) for one in found]
        for path, found in json.loads(said.stdout).items()
    }


def tests_of(path: str) -> list[Test]:
    if path.endswith(".py"):
        return python_tests_of(path)
    read_web_tests({path})
    return _web[path]


@cache
def python_tests_of(path: str) -> list[Test]:
    source = (ROOT / path).read_text(encoding="utf-8")
    return [
        Test(
            (node.name,),
            not any("skip(" in ast.unparse(mark) for mark in node.decorator_list),
            "\n".join([*map(ast.unparse, node.decorator_list), ast.get_source_segment(source, node) or ""]),
        )
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


if __name__ == "__main__":
    sys.exit(main())
