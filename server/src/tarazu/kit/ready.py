"""Answers that are the same for everybody: made once, and sent as they are until their cause moves.

Each process keeps its own. An answer is kept with what it was made from; who asks compares, so a
kept one is never older than what it tells of.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Request, Response
from pydantic import BaseModel

from tarazu.kit.calls import JSON
from tarazu.kit.tags import tag_of


class ReadyAnswers:
    """The newest answer of each name, as bytes."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._making: dict[str, Lock] = {}
        self._lock = Lock()

    def answer(self, name: str, cause: Hashable, make: Callable[[], BaseModel]) -> Response:
        """The answer of this name that was made from `cause`; made now where there is none.

        Callers who come while it is made wait for it, and do not make it as well.
        """
        with self._lock:
            making = self._making.setdefault(name, Lock())
        with making:
            kept = self._kept.get(name)
            if kept is None or kept.cause != cause:
                body = make().model_dump_json(by_alias=True).encode()
                self._kept[name] = kept = _Kept(cause, body, tag_of(body))
        return Response(kept.body, headers={"ETag": kept.tag}, media_type=JSON)


class _Kept(NamedTuple):
    cause: Hashable
    body: bytes
    tag: str


async def _ready_answers(request: Request) -> Any:
    return request.app.state.ready_answers


Ready = Annotated[ReadyAnswers, Depends(_ready_answers)]
