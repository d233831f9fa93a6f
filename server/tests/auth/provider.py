"""An OpenID Connect provider on this computer: discovery, keys, codes with PKCE, and ID tokens.

A test changes what it answers: claims, headers, the signing key, whole answers.
"""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import RSAKey

from tarazu.kit import clock

CLIENT, SECRET = "tarazu", "s3cret-of-the-client"


def _key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


@dataclass
class Provider:
    """Its state: who is signed in there, and what is wrong with its answers."""

    email: str = "ravi@desk.example"
    subject: str = "ravi-at-the-provider"
    key: RSAKey = field(default_factory=_key)
    claims: dict[str, Any] = field(default_factory=dict)
    """Laid over those of a right token; None leaves one out."""
    token: Callable[["Provider", dict[str, Any]], str] | None = None
    """Makes the ID token of its claims; signed with the key where left out."""
    metadata: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """Whole answers by path."""
    issuer: str = ""
    calls: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorize(self, address: str) -> dict[str, str]:
        """What the browser brings back after the person has signed in at `address`."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert asked["scope"] == "openid email"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, bytes]:
        self.calls.append(path)
        if path in self.answers:
            return self.answers[path]
        if path == "/.well-known/openid-configuration":
            return 200, json.dumps(self._metadata()).encode()
        if path == "/keys":
            return 200, json.dumps({"keys": [self.key.as_dict(private=False)]}).encode()
        if path == "/token":
            return self._token(form)
        return 404, b"{}"

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        } | self.metadata

    def _token(self, form: dict[str, str]) -> tuple[int, bytes]:
        asked = self.codes.pop(form.get("code", ""), None)
        is_good = (
            asked is not None
            and form["client_secret"] == SECRET
            and form["redirect_uri"] == asked["redirect_uri"]
            and create_s256_code_challenge(form["code_verifier"]) == asked["code_challenge"]
        )
        if asked is None or not is_good:
            return 400, b'{"error": "invalid_grant"}'
        now = int(clock.now().timestamp())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": self.subject,
            "email": self.email,
            "email_verified": True,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
        } | self.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        token = self.token(self, claims) if self.token else self.signed(claims)
        answer = {"access_token": "not-used", "token_type": "Bearer", "id_token": token}
        return 200, json.dumps(answer).encode()

    def signed(self, claims: dict[str, Any], key: RSAKey | None = None) -> str:
        """An ID token, signed with the provider's key or another one."""
        return jwt.encode({"alg": "RS256", "kid": "first"}, claims, key or self.key)


@contextmanager
def serving(provider: Provider) -> Iterator[Provider]:
    """The provider, answering on a port of this computer."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer({name: values[0] for name, values in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            status, body = provider.answer(self.path, form)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", body.decode())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
