"""Answers that are the same for everybody: made once, and sent as they are until their cause moves.

Each process keeps its own. An answer is kept with what it was made from; who asks compares, so a
kept one is never older than what it tells of. A long one is compressed once for all who read it so:
most of what it costs is the sending.
"""

import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import BaseModel

from tarazu.kit.encodings import accepted
from tarazu.kit.etag import etag_of
from tarazu.kit.schemas import JSON

WORTH_COMPRESSING = 1_400
"""Bytes; a shorter answer is one packet on the line either way."""
FAST = 1
"""The level of zlib: an answer lives as long as the prices it was made from, often under a second."""
GZIP = 31
"""zlib's window of 15 bits, with the header and the sum of gzip."""


class ResponseCache:
    """The newest answer of each name, as bytes."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._making: dict[str, Lock] = {}
        self._lock = Lock()

    def answer(self, name: str, cause: Hashable, make: Callable[[], BaseModel]) -> "_Kept":
        """The answer of this name that was made from `cause`; made now where there is none.

        Callers who come while it is made wait for it, and do not make it as well.
        """
        with self._lock:
            making = self._making.setdefault(name, Lock())
        with making:
            kept = self._kept.get(name)
            if kept is None or kept.cause != cause:
                body = make().model_dump_json(by_alias=True).encode()
                self._kept[name] = kept = _Kept(cause, body, etag_of(body))
        return kept


@dataclass(slots=True)
class _Kept:
    cause: Hashable
    body: bytes
    tag: str
    _short: bytes | None = None

    def short(self) -> bytes:
        """The body by gzip. Two who ask at once may both make it; they make the same."""
        if self._short is None:
            self._short = zlib.compress(self.body, FAST, GZIP)
        return self._short


@dataclass(frozen=True, slots=True)
class CachedResponses:
    """The ready answers as one caller reads them."""

    answers: ResponseCache
    encodings: str

    def answer(self, name: str, cause: Hashable, make: Callable[[], BaseModel]) -> Response:
        """As `ReadyAnswers.answer`; compressed where it is long and the caller reads gzip."""
        kept = self.answers.answer(name, cause, make)
        headers = {"ETag": kept.tag, "Vary": "Accept-Encoding"}
        if len(kept.body) < WORTH_COMPRESSING or "gzip" not in accepted(self.encodings):
            return Response(kept.body, headers=headers, media_type=JSON)
        # Other bytes have another tag (RFC 9110, 8.8.3.3).
        headers |= {"ETag": f'{kept.tag[:-1]}-gzip"', "Content-Encoding": "gzip"}
        return Response(kept.short(), headers=headers, media_type=JSON)


async def _ready_answers(request: Request) -> CachedResponses:
    encodings = request.headers.get("Accept-Encoding", "")
    return CachedResponses(request.app.state.response_cache, encodings)


Ready = Annotated[CachedResponses, Depends(_ready_answers)]
