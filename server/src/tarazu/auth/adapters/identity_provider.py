"""What we ask of the firm's OpenID Connect provider, and how its ID token is checked.

Calls go by https to the hosts that the provider's own discovery names, follow no redirect, and are
limited in time and size. What goes wrong is reported as a kind: codes, tokens and bodies are in no
error and no log.
"""

import datetime as dt
import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import get_well_known_url
from joserfc import jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jwk import KeySet

from tarazu.kit.settings import Settings

SCOPE: Final = "openid email"
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
)
"""Of public keys alone: neither `none` nor a secret that both sides know."""
LEEWAY: Final = 60
"""Seconds by which the clocks may differ."""
CALL_SECONDS: Final = 3.0
TOTAL_SECONDS: Final = 6.0
LARGEST_BODY: Final = 1 << 20
LONGEST_TEXT: Final = 255
_LOOPBACK: Final = {"localhost", "127.0.0.1", "::1"}
# It logs addresses, and some hold codes.
logging.getLogger("httpx").setLevel(logging.WARNING)


class ProviderFailed(Exception):
    """The provider did not answer as it must; the text says how, without what it answered."""


class TokenRefused(Exception):
    """The ID token is not good; the text is the kind of fault."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The addresses of the provider."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom the ID token names; `proved_at` is when they proved it to the provider, if it says so."""

    subject: str
    email: str
    is_email_verified: bool
    proved_at: dt.datetime | None


class IdentityProvider:
    """The provider of TARAZU_OIDC_ISSUER. One object for one sign-in."""

    def __init__(self, settings: Settings, redirect_uri: str) -> None:
        self._settings, self._redirect_uri = settings, redirect_uri
        self._ends_at = time.monotonic() + TOTAL_SECONDS

    def authorization_address(self, state: str, nonce: str, verifier: str) -> str:
        """Where the browser is sent to sign in.

        Raises:
            ProviderFailed: its discovery cannot be read.
        """
        return str(
            prepare_grant_uri(
                self._metadata().authorization_endpoint,
                client_id=self._settings.oidc_client_id,
                response_type="code",
                redirect_uri=self._redirect_uri,
                scope=SCOPE,
                state=state,
                nonce=nonce,
                code_challenge=create_s256_code_challenge(verifier),
                code_challenge_method="S256",
            )
        )

    def identity_of(self, code: str, nonce: str, verifier: str, now: dt.datetime) -> Identity:
        """Exchange the code for an ID token, and check it.

        Raises:
            ProviderFailed: the provider refused the code, or did not answer.
            TokenRefused: of another issuer or client, for another sign-in, expired, from the
                future, or not signed with a key of the provider.
        """
        metadata, settings = self._metadata(), self._settings
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "client_id": settings.oidc_client_id,
            "code_verifier": verifier,
        }
        # In the body: every provider takes it there, and some do not take the header.
        if settings.oidc_client_secret:
            form["client_secret"] = settings.oidc_client_secret
        answer = self._json("POST", metadata.token_endpoint, form)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderFailed("no ID token")
        keys = self._json("GET", metadata.jwks_uri)
        return _identity(self._claims(token, keys, answer.get("access_token"), nonce, now))

    def _metadata(self) -> Metadata:
        issuer = self._settings.oidc_issuer
        found = self._json("GET", get_well_known_url(issuer, external=True))
        if found.get("issuer") != issuer:
            raise ProviderFailed("its discovery names another issuer")
        names = Metadata.__slots__
        addresses = {name: str(found.get(name, "")) for name in names}
        for address in addresses.values():
            self._refuse_plain(address)
        return Metadata(**addresses)

    def _claims(
        self, token: str, keys: dict[str, Any], access_token: Any, nonce: str, now: dt.datetime
    ) -> CodeIDToken:
        client_id = self._settings.oidc_client_id
        options: dict[str, Any] = {
            "iss": {"essential": True, "value": self._settings.oidc_issuer},
            "aud": {"essential": True, "value": client_id},
            "sub": {"essential": True},
            "nonce": {"essential": True},
        }
        params = {"nonce": nonce, "client_id": client_id, "access_token": access_token}
        try:
            signed = jwt.decode(token, KeySet.import_key_set(keys), algorithms=list(ALGORITHMS))  # type: ignore[arg-type]
            claims = CodeIDToken(signed.claims, signed.header, options, params)
            claims.validate(now=int(now.timestamp()), leeway=LEEWAY)
        except ExpiredTokenError:
            raise TokenRefused("expired") from None
        except JoseError as error:
            claim = getattr(error, "claim", "")
            raise TokenRefused(f"{error.error} {claim}".strip()) from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            # What is no token or no key set at all.
            raise TokenRefused(type(error).__name__) from None
        return claims

    def _json(
        self, method: str, address: str, form: dict[str, str] | None = None
    ) -> dict[str, Any]:
        self._refuse_plain(address)
        try:
            found = json.loads(self._body(method, address, form))
        except (ValueError, RecursionError):
            raise ProviderFailed("an answer that is not JSON") from None
        if not isinstance(found, dict):
            raise ProviderFailed("an answer of another shape")
        return found

    def _body(self, method: str, address: str, form: dict[str, str] | None) -> bytes:
        # Loaded with the first call: most firms have no provider, and it takes time at the start.
        import httpx  # noqa: PLC0415

        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        try:
            with (
                # The environment's proxies and certificates are not used: they would see the codes.
                httpx.Client(trust_env=False, timeout=CALL_SECONDS) as client,
                client.stream(method, address, data=form, headers=headers) as answer,
            ):
                if answer.status_code != HTTPStatus.OK:
                    raise ProviderFailed(f"status {answer.status_code}")
                return self._read(answer.iter_raw())
        except httpx.HTTPError as error:
            raise ProviderFailed(f"no answer ({type(error).__name__})") from None

    def _read(self, parts: Iterator[bytes]) -> bytes:
        body = b""
        for part in parts:
            body += part
            if len(body) > LARGEST_BODY:
                raise ProviderFailed("an answer longer than may be")
            if time.monotonic() > self._ends_at:
                raise ProviderFailed("no answer in time")
        return body

    def _refuse_plain(self, address: str) -> None:
        """Refuse what is not https; on this computer only where the setting for tests allows it."""
        url = urlsplit(address)
        is_here = url.hostname in _LOOPBACK and self._settings.allow_loopback_oidc
        if not url.hostname or (url.scheme != "https" and not is_here):
            raise ProviderFailed("an address that is not https")
        if url.hostname in _LOOPBACK and not is_here:
            raise ProviderFailed("an address of this computer")


def _identity(claims: CodeIDToken) -> Identity:
    email, subject, proved = claims.get("email"), claims["sub"], claims.get("auth_time")
    if not subject or len(subject) > LONGEST_TEXT:
        raise TokenRefused("subject")
    return Identity(
        subject,
        email.strip().lower() if isinstance(email, str) else "",
        # Some providers write it as text.
        claims.get("email_verified") in {True, "true"},
        dt.datetime.fromtimestamp(proved, dt.UTC) if isinstance(proved, int) and proved else None,
    )
