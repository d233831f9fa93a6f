"""A cache of answers that are the same for everybody, kept until their data changes.

Each process has its own. An answer is stored with the version of its data, which every call
compares, so a cached one is never outdated. A long one is compressed once for all callers.
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
"""Bytes; a shorter answer fits into one packet anyway."""
FAST = 1
"""zlib's level: an answer is valid as long as its prices, often under a second."""
GZIP = 31
"""zlib's window of 15 bits, with gzip's header and checksum."""


class ResponseCache:
    """The newest answer of each name, as bytes."""

    def __init__(self) -> None:
        self._answers: dict[str, _CachedAnswer] = {}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()

    def answer(
        self, name: str, version: Hashable, make: Callable[[], BaseModel]
    ) -> "_CachedAnswer":
        """The answer of this name and version; made if it is not cached.

        Parallel callers wait until it is made.
        """
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            cached = self._answers.get(name)
            if cached is None or cached.version != version:
                body = make().model_dump_json(by_alias=True).encode()
                self._answers[name] = cached = _CachedAnswer(version, body, etag_of(body))
        return cached


@dataclass(slots=True)
class _CachedAnswer:
    version: Hashable
    body: bytes
    tag: str
    _gzipped: bytes | None = None

    def gzipped(self) -> bytes:
        """The body by gzip; parallel callers may both make it, with the same result."""
        if self._gzipped is None:
            self._gzipped = zlib.compress(self.body, FAST, GZIP)
        return self._gzipped


@dataclass(frozen=True, slots=True)
class CachedResponses:
    """The cache, for one caller and the encodings it accepts."""

    answers: ResponseCache
    encodings: str

    def answer(self, name: str, version: Hashable, make: Callable[[], BaseModel]) -> Response:
        """As `ResponseCache.answer`; compressed if it is long and the caller accepts gzip."""
        cached = self.answers.answer(name, version, make)
        headers = {"ETag": cached.tag, "Vary": "Accept-Encoding"}
        if len(cached.body) < WORTH_COMPRESSING or "gzip" not in accepted(self.encodings):
            return Response(cached.body, headers=headers, media_type=JSON)
        # Other bytes have another tag (RFC 9110, 8.8.3.3).
        headers |= {"ETag": f'{cached.tag[:-1]}-gzip"', "Content-Encoding": "gzip"}
        return Response(cached.gzipped(), headers=headers, media_type=JSON)


async def _cached_responses(request: Request) -> CachedResponses:
    encodings = request.headers.get("Accept-Encoding", "")
    return CachedResponses(request.app.state.response_cache, encodings)


Ready = Annotated[CachedResponses, Depends(_cached_responses)]
