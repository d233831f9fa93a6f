"""Secrets stay where they belong: planted everywhere, then looked for everywhere else."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import aiohttp
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import inspect, text

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.logging import set_up_logging
from tarazu.kit.mail import RETRY_AFTER, Delivery, MailSender
from tarazu.kit.settings import Settings
from tests.auth.conftest import Post
from tests.auth.test_second_factor import code_now
from tests.brokers.firm_desk import everything_in, handover, log_in
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault, World
from tests.people_of import ADMIN, Desk
from tests.rows_of import scalars
from tests.security.canaries import Canaries, Hit, files_of, forms_of, mail_of
from tests.security.figures import LONG, tell
from tests.security.postbox import Mood, Postbox
from tests.security.running import Running, environment_of, serving
from tests.sync.conftest import CALLS

pytestmark = [pytest.mark.anyio, pytest.mark.long, pytest.mark.usefixtures("real_clock")]

ASKS_FOR_LINK = "/auth/forget-password/request"
LINK = re.compile(r"/auth/forgot-password/([\w-]{43})")
CONNECT = re.compile(r"/connect/([\w-]{43})")
CODE = re.compile(r"One-time code: (\d{4})")
FAULTS = (
    ("500", "html", "half", "nonsense", "cut", "expired", "redirect") if LONG else ("500", "cut")
)
ADMINS_EMAIL = ADMIN["email"]


@dataclass
class Scene:
    """A running installation, the brokers beside it, and the secrets of all of them."""

    running: Running
    simulator: Simulator
    canaries: Canaries
    password: str = ""
    users_password: str = ""

    def outbox(self, recipient: str, pattern: re.Pattern[str]) -> str:
        """What the mail to somebody brings, sent or on its way."""
        waiting = Post(self.running.database).texts_to(recipient)
        mails = [mail_of(one) for one in self.running.settings.outbox_dir.glob("*.eml")]
        written = [content.decode(errors="replace") for to, content in mails if to == recipient]
        # Of a mail that was handed over the rows do not tell the secret any more.
        found = [match[1] for one in (*waiting, *written) if (match := pattern.search(one))]
        assert found, f"no mail to {recipient}"
        return found[-1]

    def session(self, email: str, password: str, **more: str) -> str:
        body = {"email": email, "password": password, **more}
        answer = self.running.post("/auth/login", body)
        assert answer.status_code == 200, answer.text
        token = answer.json()["accessToken"]
        return self.canaries.learn("session token", token, "POST /auth/login")


@pytest.fixture
def scene(place: Settings) -> Iterator[Scene]:
    canaries = Canaries()
    world = World(clients=3, seed=11, scale=0)
    world.kite_refreshes = True
    with Simulator(world) as simulator:
        world.api_keys[KITE] = canaries.make(
            "broker API key", "GET /brokers/", *_LOGIN_PAGES, *_BROKERS
        )
        world.api_keys[ANGEL] = canaries.make(
            "broker API key", "GET /brokers/", *_LOGIN_PAGES, *_BROKERS
        )
        world.secrets[KITE] = canaries.make("broker API secret")
        at = place
        if place.database_url:
            secret = canaries.make("database password")
            url = place.database_url.replace("postgres@", f"postgres:{secret}@")
            at = place.model_copy(update={"database_url": url})
        there = {
            "allow_loopback_brokers": "1",
            "admin_setup_code": canaries.make("set-up code"),
            "backup_passphrase": canaries.make("backup passphrase"),
            "zerodha_login_url": f"{simulator.url}/connect/login",
            "zerodha_ticker_url": simulator.kite_ticker,
            "angel_login_url": f"{simulator.url}/publisher-login",
            "angel_ticker_url": simulator.angel_stream,
            "angel_scrip_master_url": f"{simulator.url}/OpenAPI_File/files/OpenAPIScripMaster.json",
        }
        with serving(at, **there) as running:
            yield Scene(running, simulator, canaries)


_LOGIN_PAGES = ("GET /admin/broker/login-url", "POST /broker-links/begin")
_BROKERS = ("POST /brokers/add", "PUT /brokers/edit")


def _accounts(scene: Scene) -> None:
    """Sign-up, log-in, first log-in, reset, change: with the right words and with wrong ones."""
    run, canaries = scene.running, scene.canaries
    scene.password = canaries.make("password")
    first = {"name": ADMIN["name"], "email": ADMINS_EMAIL, "password": scene.password}
    run.post("/auth/register", first | {"setupCode": canaries.make("wrong set-up code")})
    code = next(one.value for one in canaries.known if one.kind == "set-up code")
    answer = run.post("/auth/register", first | {"setupCode": code})
    assert answer.status_code == 201, answer.text
    token = answer.json()["accessToken"]
    run.tokens["admin"] = canaries.learn("session token", token, "POST /auth/register")
    wrong = {"email": ADMINS_EMAIL, "password": canaries.make("wrong password")}
    assert run.post("/auth/login", wrong).status_code == 401
    assert run.post("/auth/login", {"email": wrong["password"], "password": "x"}).status_code == 422
    browser = {"Origin": run.url, "Sec-Fetch-Site": "same-origin"}
    entered = run.call(
        "POST", "/auth/login", {"email": ADMINS_EMAIL, "password": scene.password}, **browser
    )
    canaries.learn("session token", entered.json()["accessToken"], "POST /auth/login")
    canaries.learn("device cookie", entered.cookies["device"], "POST /auth/login")
    run.web.cookies.clear()
    new = {"name": "Ravi Rao", "email": "ravi@desk.example", "role": "USER", "status": "ACTIVE"}
    keyed = {"Idempotency-Key": "one"}
    for _ in range(2):
        answer = run.call("POST", "/users/add", {"users": [new]}, token=run.admin, **keyed)
        assert answer.status_code == 201, answer.text
        given = answer.json()["data"][0]["temporaryPassword"]
        if given:
            temporary = canaries.learn("temporary password", given, "POST /users/add", "mail")
    first_token = scene.session("ravi@desk.example", temporary)
    for word in (canaries.make("weak password").replace("!", "").replace("-", ""), "x"):
        assert (
            run.post("/auth/reset-password", {"password": word}, token=first_token).status_code
            == 422
        )
    own = canaries.make("password")
    assert run.post("/auth/reset-password", {"password": own}, token=first_token).status_code == 200
    run.tokens["user"] = scene.session("ravi@desk.example", own)


def _ways_back(scene: Scene) -> None:
    run, canaries = scene.running, scene.canaries
    run.post(ASKS_FOR_LINK, {"email": "ravi@desk.example"})
    link = canaries.learn("reset token", scene.outbox("ravi@desk.example", LINK), "mail")
    confirm = "/auth/forget-password/confirm/"
    own = canaries.make("password")
    assert (
        run.post(confirm + canaries.make("wrong reset token"), {"password": own}).status_code == 400
    )
    assert run.post(confirm + link, {"password": "x"}).status_code == 422
    assert run.post(confirm + link, {"password": own}).status_code == 200
    assert run.post(confirm + link, {"password": own}).status_code == 400
    challenge = run.post("/auth/otp/request", {"email": "ravi@desk.example"})
    asked = challenge.json()["data"]["challengeId"]
    canaries.learn("challenge", asked, "POST /auth/otp/request")
    code = scene.outbox("ravi@desk.example", CODE)
    wrong = {"challengeId": canaries.make("wrong challenge"), "code": code}
    assert run.post("/auth/otp/verify", wrong).status_code == 400
    met = run.post("/auth/otp/verify", {"challengeId": asked, "code": code})
    token = met.json()["data"]["resetToken"]
    canaries.learn("reset token of a code", token, "POST /auth/otp/verify")
    own = canaries.make("password")
    assert run.post(confirm + token, {"password": own}).status_code == 200
    run.tokens["user"] = scene.session("ravi@desk.example", own)
    scene.users_password = own
    password = {"password": own}
    user = run.tokens["user"]
    begun = run.post("/auth/totp/enrol", password, token=user).json()["data"]
    seed = canaries.learn("TOTP seed", begun["secret"], "POST /auth/totp/enrol")
    data = run.post("/auth/totp/confirm", {"code": code_now(seed)}, token=user).json()["data"]
    for recovery_code in data["recoveryCodes"]:
        canaries.learn("recovery code", recovery_code, "POST /auth/totp/confirm")
        canaries.learn("recovery code", recovery_code.replace("-", ""), "POST /auth/totp/confirm")
    guess = canaries.make("wrong second factor")
    assert (
        run.post(
            "/auth/login", {"email": "ravi@desk.example", **password, "totpCode": guess}
        ).status_code
        == 401
    )
    run.tokens["user"] = scene.session("ravi@desk.example", own, totpCode=data["recoveryCodes"][0])


def _brokers(scene: Scene) -> None:
    run, canaries, world = scene.running, scene.canaries, scene.simulator.world
    for name in (KITE, ANGEL):
        body = {
            "name": name,
            "apiKey": world.api_keys[name],
            "apiSecret": world.secrets.get(name) or canaries.make("broker API secret"),
            "apiUrl": scene.simulator.url,
            "isRenewSessionAllowed": True,
        }
        key = {"Idempotency-Key": f"broker {name}"}
        for _ in range(2):
            answer = run.call("POST", "/brokers/add", body, token=run.admin, **key)
            assert answer.status_code == 201, answer.text
        wrong = body | {"apiUrl": f"https://{canaries.make('part of a URL')}.example"}
        assert run.post("/brokers/add", wrong, token=run.admin).status_code in {409, 422}
        assert run.post("/brokers/add", body, token=run.tokens["user"]).status_code == 403
        broker = answer.json()["data"]["_id"]
        edit = {"id": broker, "apiSecret": body["apiSecret"], "description": "Ours"}
        assert run.call("PUT", "/brokers/edit", edit, token=run.admin).status_code == 200
        run.get(f"/brokers/{broker}", token=run.admin)
        shown = run.get(f"/brokers/{broker}", token=run.tokens["user"])
        assert world.api_keys[name] not in shown.text
        body = {"requestToken": canaries.make("request token"), "state": canaries.make("mark")}
        assert run.post("/admin/broker/connect", body, token=run.admin).status_code in {
            400,
            409,
            422,
            403,
        }
    for name, user_id in ((ANGEL, "A123456"), (KITE, "AB1234")):
        for kind in (*FAULTS, ""):
            if kind:
                _break(scene, name, kind)
            _connect_firm(scene, name, user_id)
            scene.simulator.world.faults.clear()
    assert run.get("/admin/broker", token=run.admin).json()["data"]["isConnected"]


def _break(scene: Scene, broker: str, kind: str) -> None:
    """Have the broker's calls meet a fault, until they are cleared."""
    exchange = ["POST /session/token"] if broker == KITE else []
    for call in (*exchange, *CALLS[broker].values()):
        scene.simulator.world.faults.append(Fault(call, kind))


def _connect_firm(scene: Scene, name: str, user_id: str) -> None:
    run = scene.running
    answer = run.get(f"/admin/broker/login-url?broker={name}", token=run.admin)
    held, scene.simulator.world.faults = scene.simulator.world.faults, []
    back = log_in(answer.json()["data"]["url"], user_id)
    scene.simulator.world.faults = held
    _learn_back(scene, back)
    body = {
        "requestToken": back.get("request_token") or back["auth_token"],
        "state": back["state"],
        "refreshToken": back.get("refresh_token", ""),
        "feedToken": back.get("feed_token", ""),
    }
    run.post("/admin/broker/connect", body, token=run.admin)


def _learn_back(scene: Scene, back: dict[str, str]) -> None:
    for name, value in back.items():
        if name.endswith("token"):
            scene.canaries.learn(f"broker's {name}", value)
    # The part by which the return page knows whose log-in it is tells nothing.
    scene.canaries.learn("mark", back["state"].rpartition(".")[2], *_LOGIN_PAGES)


def _clients(scene: Scene) -> None:
    run, canaries = scene.running, scene.canaries
    people = (("Kavya Menon", KITE, "AB1235"), ("Dev Nair", ANGEL, "A123457"))
    for number, (name, broker, user_id) in enumerate(people):
        email = f"client{number}@home.example"
        added = run.post(
            "/clients/add", {"clients": [{"name": name, "email": email}]}, token=run.admin
        )
        client = added.json()["data"][0]["_id"]
        at = f"/admin/clients/client/{client}"
        run.post(f"{at}/connect-link", {"send": True}, token=run.admin)
        links = [canaries.learn("connect link", scene.outbox(email, CONNECT), "mail")]
        made = run.post(f"{at}/connect-link", {"send": False}, token=run.admin).json()["data"][
            "url"
        ]
        links.append(
            canaries.learn("connect link", made.rpartition("/")[2], "POST /admin/clients/client/")
        )
        wrong = {"token": canaries.make("wrong connect link")}
        assert run.post("/broker-links/show", wrong).status_code in {400, 404, 410, 422}
        assert (
            run.post("/broker-links/begin", {"token": links[0], "broker": broker}).status_code
            >= 400
        )
        run.post("/broker-links/show", {"token": links[1]})
        for kind in (*FAULTS, ""):
            begun = run.post("/broker-links/begin", {"token": links[1], "broker": broker})
            back = log_in(begun.json()["data"]["url"], user_id)
            _learn_back(scene, back)
            if kind:
                _break(scene, broker, kind)
            body = handover(back | {"link": links[1]})
            run.post("/brokers/session", body | {"state": canaries.make("mark")})
            done = run.post("/brokers/session", body)
            scene.simulator.world.faults.clear()
            if done.status_code == 200:
                break
        assert done.status_code == 200, done.text
        card = run.get(f"{at}/connection", token=run.admin).json()["data"]
        run.post(f"{at}/connection/confirm", {"sessionId": card["sessionId"]}, token=run.admin)
        for kind in ("", *FAULTS):
            if kind:
                _break(scene, broker, kind)
            run.post(f"{at}/sync", {}, token=run.admin)
            scene.simulator.world.faults.clear()
        for part in ("broker-statement", "holdings", "order-book", "profile", "report.pdf"):
            run.get(f"{at}/{part}", token=run.admin)
        for part in ("holdings", "order-book", "accounting", "fees"):
            for form in ("csv", "xlsx"):
                run.get(f"{at}/{part}/export?format={form}", token=run.admin)


async def _wrong_doors(scene: Scene) -> None:
    """Secrets where a caller should not have put them, and bodies that cannot be read."""
    run, canaries = scene.running, scene.canaries
    for path in (
        "/profile?token=",
        "/clients?query=",
        "/nowhere/",
        "/auth/verify-token?access_token=",
    ):
        run.get(path + canaries.make("token in an address"), token=run.admin)
    word = canaries.make("password")
    bodies: list[bytes] = [
        f'{{"email": "a@b.in", "password": "{word}"'.encode(),
        f'{{"email": {{"x": "{word}"}}, "password": ["{word}"]}}'.encode(),
        f'{{"email": "a@b.in", "password": "{word}", "totpCode": "{word * 9}"}}'.encode(),
        f'"{word}"'.encode(),
    ]
    for body in bodies:
        for kind in ("application/json", "text/plain"):
            headers = {"Content-Type": kind, "Authorization": canaries.make("header")}
            answer = run.web.post("/api/v1/auth/login", content=body, headers=headers)
            run.heard.append(f"POST /unreadable {answer.status_code}\n\n{answer.text}")
            assert answer.status_code < 500
    run.get("/profile", token=canaries.make("dead token"))
    for token in (run.admin, canaries.make("dead token")):
        address = f"{run.url}/socket.io/?EIO=4&transport=websocket&token={canaries.make('query')}"
        async with aiohttp.ClientSession() as web, web.ws_connect(address) as opened:
            await opened.receive()
            await opened.send_str("40" + json.dumps({"token": token}))
            await opened.receive()
            await opened.send_str("42" + json.dumps([canaries.make("event"), {}]))


def _breakdowns(scene: Scene) -> None:
    """Faults of ours: rows that do not open, tables that are gone."""
    run, canaries = scene.running, scene.canaries
    broker = run.get("/brokers", token=run.admin).json()["data"][0]["_id"]
    with run.database.transaction() as session:
        kept = session.execute(text("SELECT id, api_key, api_secret FROM brokers")).all()
        session.execute(text("UPDATE brokers SET api_key = api_secret, api_secret = api_key"))
        session.execute(text("UPDATE second_factors SET seed = 'v1:test:AAAA:AAAA'"))
    own = {"email": "ravi@desk.example", "password": scene.users_password, "totpCode": "123456"}
    shown = [run.post("/auth/login", own)]
    shown.append(run.get(f"/brokers/{broker}", token=run.admin))
    shown.append(run.get("/admin/broker/login-url?broker=ZERODHA", token=run.admin))
    with run.database.transaction() as session:
        for row in kept:
            session.execute(
                text("UPDATE brokers SET api_key = :key, api_secret = :secret WHERE id = :id"),
                {"key": row.api_key, "secret": row.api_secret, "id": row.id},
            )
        session.execute(text("ALTER TABLE attempts RENAME TO attempts_away"))
        session.execute(text("ALTER TABLE devices RENAME TO devices_away"))
    wrong = {"email": ADMINS_EMAIL, "password": canaries.make("wrong password")}
    shown.append(run.post("/auth/login", wrong))
    shown.append(
        run.call(
            "POST",
            "/auth/login",
            {"email": ADMINS_EMAIL, "password": scene.password},
            Origin=run.url,
        )
    )
    shown.append(run.post(ASKS_FOR_LINK, {"email": ADMINS_EMAIL}))
    with run.database.transaction() as session:
        session.execute(text("ALTER TABLE attempts_away RENAME TO attempts"))
        session.execute(text("ALTER TABLE devices_away RENAME TO devices"))
    statuses = {one.status_code for one in shown}
    assert 500 in statuses, statuses


def _lists(scene: Scene) -> None:
    run = scene.running
    for path in ("/users", "/clients", "/admin/clients", "/admin/audit", "/fees"):
        run.get(f"{path}?limit=200", token=run.admin)
        for form in ("csv", "xlsx"):
            run.get(f"{path}/export?format={form}", token=run.admin)
    for path in ("/auth/sessions", "/admin/sessions", "/auth/totp", "/settings/firm", "/brokers"):
        run.get(path, token=run.admin)
    for path in ("/health/ready", "/metrics"):
        answer = run.web.get(path)
        run.heard.append(f"GET {path} {answer.status_code}\n\n{answer.text}")


def _commands(scene: Scene) -> dict[str, bytes]:
    """What the command line says and writes, by what it is."""
    run = scene.running
    folder = run.settings.data_dir
    phrase = next(one.value for one in scene.canaries.known if one.kind == "backup passphrase")
    told: dict[str, bytes] = {}
    plain, shut = folder / "plain.tarazu", folder / "shut.tarazu"
    runs: list[tuple[list[str], dict[str, str]]] = [
        (["backup", str(plain)], {}),
        (["backup", str(shut)], {"backup_passphrase": phrase}),
    ]
    if LONG:
        runs += [(["doctor"], {"backup_passphrase": phrase}), (["audit-verify"], {})]
    for words, more in runs:
        done = subprocess.run(
            [sys.executable, "-m", "tarazu", *words],
            env=environment_of(run.settings, **more),
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0 or words == ["doctor"], done.stderr
        told[f"command {words[0]}"] = done.stdout + done.stderr
    told["backup, open"] = plain.read_bytes()
    told["backup, sealed"] = shut.read_bytes()
    return told


def _database(scene: Scene) -> bytes:
    """Every column of every row, as text."""
    parts: list[str] = []
    engine = scene.running.database.engine
    with engine.connect() as connection:
        for table in inspect(engine).get_table_names():
            for row in connection.execute(text(f'SELECT * FROM "{table}"')):
                for value in row:
                    whole = (
                        bytes(value).decode("latin-1")
                        if isinstance(value, bytes | memoryview)
                        else value
                    )
                    parts.append(str(whole))
    return "\n".join(parts).encode("utf-8", "replace")


def _wait_for_mails(scene: Scene) -> int:
    """Wait until every mail is handed over; how many."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        states = scalars(scene.running.database, text("SELECT status FROM outbox"))
        if set(states) == {Delivery.WRITTEN}:
            return len(states)
        time.sleep(0.2)
    raise AssertionError("mails are left over")


def _search(scene: Scene) -> tuple[list[Hit], int]:
    """Where secrets are that should not be, and how many places were searched."""
    run, canaries = scene.running, scene.canaries
    for token, login in scene.simulator.world.logins.items():
        canaries.learn("broker's access token", token)
        canaries.learn("broker's feed token", login.feed)
        canaries.learn("broker's refresh token", login.refresh)
    for token in scene.simulator.world.request_tokens:
        canaries.learn("broker's request_token", token)
    hits, places = [], 0
    for said in run.heard:
        head = said.partition("\n")[0]
        # The first line is what was asked, with the secrets that we put into the address.
        hits += canaries.hits_in(f"answer to {head[:60]}", said.partition("\n")[2].encode(), head)
    commands = _commands(scene)
    for place, content in (*commands.items(), ("rows of the database", _database(scene))):
        hits += canaries.hits_in(place, content)
    outbox = run.settings.outbox_dir
    for path in files_of(run.settings.data_dir, lambda one: one.suffix == ".tarazu"):
        places += 1
        if path.parent == outbox:
            _, content = mail_of(path)
            hits += canaries.hits_in(f"mail {path.name}", content, "mail")
        else:
            hits += canaries.hits_in(path.name, path.read_bytes())
    return hits, len(run.heard) + len(commands) + 1 + places


async def test_secrets_are_nowhere_but_where_they_belong(scene: Scene) -> None:
    _accounts(scene)
    _ways_back(scene)
    _brokers(scene)
    _clients(scene)
    await _wrong_doors(scene)
    _lists(scene)
    _breakdowns(scene)
    mails = _wait_for_mails(scene)

    hits, places = _search(scene)

    canaries = scene.canaries
    kinds = {one.kind for one in canaries.known}
    database = "PostgreSQL" if scene.running.settings.database_url else "SQLite"
    what = (
        f"{len(canaries.known)} secrets of {len(kinds)} kinds in {places} places on {database} "
        f"({canaries.searched >> 20} MiB, {mails} mails)"
    )
    tell("S3", what, f"{len(hits)} hits", "0")
    assert len(kinds) > 25, kinds
    assert _is_found(scene), "the search itself finds what is there"
    assert not hits, "\n".join(sorted({f"{hit.kind}, {hit.form}: {hit.place}" for hit in hits}))


def _is_found(scene: Scene) -> bool:
    """Secrets that are where they belong: the answers that tell them, mails, and the log's words."""
    canaries = scene.canaries
    said = "\n".join(scene.running.heard).encode()
    told = {one.kind for one in canaries.hits_in("", said)}
    log = scene.running.log.read_text()
    return {"session token", "temporary password", "TOTP seed"} <= told and '"event": "call"' in log


def test_every_way_of_writing_is_found() -> None:
    canaries = Canaries()
    secret = canaries.make("secret") + "/?&<'"
    canaries.learn("secret", secret)
    for form, written in forms_of(secret).items():
        assert canaries.hits_in("here", b"before " + written + b" after"), form


async def test_the_password_of_the_mail_server_stays_with_it(
    web: TestClient,
    admin: Desk,
    database: Database,
    settings: Settings,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It refuses it, takes it and is gone; and its own words are not repeated either."""
    canaries, postbox = Canaries(), Postbox()
    postbox.password = canaries.make("SMTP password")
    postbox.says = canaries.make("words of the mail server")
    url = postbox.url.replace("smtp://", f"smtp://desk:{postbox.password}@")
    postman = MailSender(url, settings.mail_from, settings.outbox_dir)
    set_up_logging("debug")
    web.post(f"/api/v1{ASKS_FOR_LINK}", json={"email": ADMINS_EMAIL})
    now = clock.now()
    for mood in (Mood.DOWN, Mood.REFUSING, Mood.UP):
        postbox.turn(mood)
        postman.send_due(database, now)
        now += RETRY_AFTER[2]
    postbox.turn(Mood.DOWN)

    audit = admin.get("/admin/audit").content
    logs = capfd.readouterr()
    hits = canaries.hits_in("log", f"{logs.out}{logs.err}".encode())
    hits += canaries.hits_in("answer", audit)
    hits += canaries.hits_in("rows", everything_in(database).encode())
    tell("S3", "SMTP password, refused and taken", f"{len(hits)} hits", "0")
    assert (postbox.asked, len(postbox.mails)) == (2, 1)
    assert "mail_delayed" in logs.err
    assert hits == []
