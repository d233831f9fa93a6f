"""A call's work in one thread: its sessions, its endpoint and the writing of its answer.

FastAPI would go to another thread and back for each of them, which takes longer than they do.
"""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi import Response
from fastapi.exceptions import ResponseValidationError
from fastapi.routing import APIRoute

from tarazu.kit.concurrency import run_in_own_lane
from tarazu.kit.db import CALL_SESSIONS

JSON = "application/json"


class EndpointAwaits(Exception):
    """An endpoint is a coroutine; its sessions would be opened on the event loop."""


def in_one_thread(endpoint: Callable[..., Any], route: APIRoute) -> Callable[..., Any]:
    """`endpoint` within its call's sessions; what it answers is written before they end.

    Raises:
        EndpointAwaits: it is a coroutine function.
    """
    if iscoroutinefunction(endpoint):
        raise EndpointAwaits(endpoint.__qualname__)

    def work(values: Mapping[str, Any]) -> Any:
        with CALL_SESSIONS.get().open():
            answer = endpoint(**values)
            return answer if _is_left_to_framework(answer, route) else _written(answer, route)

    @wraps(endpoint)
    async def run(**values: Any) -> Any:
        return await run_in_own_lane(partial(work, values))

    return run


def _is_left_to_framework(answer: Any, route: APIRoute) -> bool:
    # What an endpoint sets on the response it asked for is put there by the framework alone.
    is_headed = route.dependant.response_param_name is not None
    return isinstance(answer, Response) or route.response_field is None or is_headed


def _written(answer: Any, route: APIRoute) -> Response:
    field = route.response_field
    assert field is not None  # noqa: S101 - left to the framework else
    checked, faults = field.validate(answer, {}, loc=("response",))
    if faults:
        raise ResponseValidationError(errors=faults, body=answer)
    return Response(field.serialize_json(checked), route.status_code or 200, media_type=JSON)
