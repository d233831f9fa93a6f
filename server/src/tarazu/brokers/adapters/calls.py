"""One call to a broker: its turn, the call, and what the answer means for the next calls."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil
from typing import Any, BinaryIO

from tarazu.brokers.adapters.port import (
    BrokerFault,
    Denied,
    HandedOver,
    Malformed,
    Pacer,
    RateLimited,
    Upstream,
)
from tarazu.brokers.http_client import (
    BrokerCircuitBreaker,
    BrokerResponse,
    CallFailed,
    CallRefused,
    Outside,
)

LONGEST_WAIT = 60
"""Seconds of a Retry-After that are believed."""

LONGEST_TOKEN = 4096


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked, and on which line of the pacer.

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


class Calls:
    """Calls to one broker's root address, at the pace that it allows."""

    def __init__(self, outside: Outside, pacer: Pacer, root: str) -> None:
        self._outside, self._pacer, self._root = outside, pacer, root.rstrip("/")

    async def make(self, ask: Ask, judge: Callable[[Ask, BrokerResponse], Any]) -> Any:
        """Make a call; what `judge` makes of its answer.

        Raises:
            BrokerFault: of the way there, or of `judge`.
        """
        fuse = self._fuse_for(ask)
        await self._pacer.turn(ask.line, ask.per_second)
        try:
            answer = await self._outside.call(
                ask.method,
                self._root + ask.path,
                headers=ask.headers,
                query=ask.query,
                form=ask.form,
                body=ask.body,
            )
            found = judge(ask, answer)
        except CallRefused as refusal:
            raise Denied(f"{ask}: {refusal}") from None
        except CallFailed as failure:
            fuse.failed(_now())
            raise Upstream(f"{ask}: {failure}") from None
        except (Upstream, Malformed):
            fuse.failed(_now())
            raise
        except BrokerFault as fault:
            # It answers: what it says is about this call alone.
            fuse.worked()
            if isinstance(fault, RateLimited):
                await self._pacer.hold(ask.line, fault.seconds)
            raise
        fuse.worked()
        return found

    async def fetch(
        self, ask: Ask, into: BinaryIO, judge: Callable[[Ask, BrokerResponse], Any], kind: str
    ) -> None:
        """Write a long answer to a file.

        Args:
            ask: what is asked; a GET without a query.
            into: an empty file.
            judge: given answers of another status than 200, which are short.
            kind: what the content type must hold.

        Raises:
            BrokerFault: there is no whole answer of that kind.
        """
        await self._pacer.turn(ask.line, ask.per_second)
        try:
            status, found = await self._outside.download(
                self._root + ask.path, into, headers=ask.headers
            )
        except CallRefused as refusal:
            raise Denied(f"{ask}: {refusal}") from None
        except CallFailed as failure:
            raise Upstream(f"{ask}: {failure}") from None
        if status != 200 or kind not in found:  # noqa: PLR2004 - OK
            into.seek(0)
            judge(ask, BrokerResponse(status, found, into.read(1 << 16)))
            raise Malformed(f"{ask}: not a list of instruments")

    def _fuse_for(self, ask: Ask) -> BrokerCircuitBreaker:
        fuse = self._outside.fuse_of(self._root)
        if wait := fuse.wait(_now()):
            raise Upstream(f"{ask}: left out after failures in a row", retry_after=ceil(wait))
        return fuse


def limited(ask: Ask, answer: BrokerResponse) -> RateLimited:
    """The fault of a call that was one too many."""
    told = answer.retry_after
    seconds = int(told) if told.isascii() and told.isdigit() and len(told) < 4 else 1  # noqa: PLR2004
    return RateLimited(f"{ask}: too many calls", retry_after=min(max(seconds, 1), LONGEST_WAIT))


def check_tokens(handed: HandedOver) -> None:
    """These came in an address that anybody can write; they must fit into a header.

    Raises:
        Denied: they do not.
    """
    if not handed.token or any(
        len(token) > LONGEST_TOKEN or not token.isascii() or not token.isprintable()
        for token in (handed.token, handed.refresh_token, handed.feed_token)
    ):
        raise Denied("the log-in handed over no token")


def short_digest(text: str) -> str:
    """A name for a key that does not tell it, to count its calls under."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _now() -> float:
    return asyncio.get_running_loop().time()
