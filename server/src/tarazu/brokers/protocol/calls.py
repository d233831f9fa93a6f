"""One call to a broker: its rate limit, the call, and what the answer means for the next calls."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil
from typing import Any, BinaryIO

from tarazu.brokers.host_rules import CallRefused
from tarazu.brokers.http_client import (
    BrokerHttpClient,
    BrokerResponse,
    CallFailed,
)
from tarazu.brokers.protocol.port import (
    BrokerFault,
    Denied,
    LoginTokens,
    Malformed,
    RateLimited,
    RateLimiter,
    Upstream,
)
from tarazu.kit.circuit_breaker import CircuitBreaker

LONGEST_WAIT = 60
"""Seconds of a Retry-After that are believed."""

LONGEST_TOKEN = 4096


@dataclass(frozen=True, slots=True)
class BrokerRequest:
    """A request, and the rate-limited line that it counts on.

    `path` holds no secret, since faults name it.
    """

    method: str
    path: str
    line: str
    per_second: Decimal
    headers: Mapping[str, str] = field(repr=False)
    query: Sequence[tuple[str, str]] = field(default=(), repr=False)
    form: Mapping[str, str] | None = field(default=None, repr=False)
    body: Any = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class BrokerCalls:
    """Calls to one broker's root address, at the pace that it allows."""

    def __init__(self, http: BrokerHttpClient, limiter: RateLimiter, root: str) -> None:
        self._http, self._limiter, self._root = http, limiter, root.rstrip("/")

    async def make(
        self, request: BrokerRequest, read_answer: Callable[[BrokerRequest, BrokerResponse], Any]
    ) -> Any:
        """Make a call; what `read_answer` returns for its answer.

        Raises:
            BrokerFault: the call failed, or `read_answer` refused its answer.
        """
        breaker = self._closed_breaker(request)
        await self._limiter.turn(request.line, request.per_second)
        try:
            answer = await self._http.call(
                request.method,
                self._root + request.path,
                headers=request.headers,
                query=request.query,
                form=request.form,
                body=request.body,
            )
            result = read_answer(request, answer)
        except CallRefused as refusal:
            raise Denied(f"{request}: {refusal}") from None
        except CallFailed as failure:
            breaker.record_failure()
            raise Upstream(f"{request}: {failure}") from None
        except (Upstream, Malformed):
            breaker.record_failure()
            raise
        except BrokerFault as fault:
            # The broker is up: the refusal concerns this call alone.
            breaker.record_success()
            if isinstance(fault, RateLimited):
                await self._limiter.hold(request.line, fault.seconds)
            raise
        breaker.record_success()
        return result

    async def fetch(
        self,
        request: BrokerRequest,
        into: BinaryIO,
        read_answer: Callable[[BrokerRequest, BrokerResponse], Any],
        kind: str,
    ) -> None:
        """Write a long answer to a file.

        Args:
            request: a GET without a query.
            into: an empty file.
            read_answer: reads an answer whose status is not 200; such answers are short.
            kind: what the content type must contain.

        Raises:
            BrokerFault: there is no whole answer of that kind.
        """
        await self._limiter.turn(request.line, request.per_second)
        try:
            status, content_type = await self._http.download(
                self._root + request.path, into, headers=request.headers
            )
        except CallRefused as refusal:
            raise Denied(f"{request}: {refusal}") from None
        except CallFailed as failure:
            raise Upstream(f"{request}: {failure}") from None
        if status != 200 or kind not in content_type:  # noqa: PLR2004 - OK
            into.seek(0)
            read_answer(request, BrokerResponse(status, content_type, into.read(1 << 16)))
            raise Malformed(f"{request}: not a list of instruments")

    def _closed_breaker(self, request: BrokerRequest) -> CircuitBreaker:
        breaker = self._http.circuit_breaker_of(self._root)
        if wait := breaker.acquire():
            raise Upstream(f"{request}: left out after failures in a row", retry_after=ceil(wait))
        return breaker


def rate_limited(request: BrokerRequest, answer: BrokerResponse) -> RateLimited:
    """The fault of a call that was one too many."""
    header = answer.retry_after
    seconds = int(header) if header.isascii() and header.isdigit() and len(header) < 4 else 1  # noqa: PLR2004
    return RateLimited(f"{request}: too many calls", retry_after=min(max(seconds, 1), LONGEST_WAIT))


def check_tokens(login_tokens: LoginTokens) -> None:
    """These came in an address that anybody can write; they must fit into a header.

    Raises:
        Denied: they do not.
    """
    if not login_tokens.token or any(
        len(token) > LONGEST_TOKEN or not token.isascii() or not token.isprintable()
        for token in (login_tokens.token, login_tokens.refresh_token, login_tokens.feed_token)
    ):
        raise Denied("the log-in handed over no token")


def short_digest(text: str) -> str:
    """A name for a key that does not reveal it, to count its calls under."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
