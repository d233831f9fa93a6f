"""What an endpoint that reads is called with, found in one go.

The framework looks at every parameter's type again at every call, which costs more than many a call
does. What is found here is what it would find: a call with anything unusual about it, a wrong value
above all, is left to the framework, which says what is wrong with it.
"""

from collections.abc import Callable, Coroutine, Mapping
from inspect import iscoroutinefunction
from typing import Any, get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from pydantic import BaseModel

Arguments = dict[str, Any]
Find = Callable[[Request], Coroutine[Any, Any, Arguments | None]]


def arguments_of(dependant: Dependant) -> Find | None:
    """Finds the arguments of a call; None of one that is for the framework.

    None for an endpoint that takes more than parts of its path, one shape of query parameters,
    the request, and dependencies that take the request alone.
    """
    if not _is_usual(dependant):
        return None
    parts, asked = dependant.path_params, dependant.query_params

    async def find(request: Request) -> Arguments | None:
        found: Arguments = {}
        for part in parts:
            value, faults = part.validate(request.path_params[part.alias], {}, loc=())
            if faults:
                return None
            found[part.name] = value
        for one in asked:
            given = request.query_params
            if len(given) != len(given.multi_items()):
                return None
            value, faults = one.validate(dict(given), {}, loc=())
            if faults:
                return None
            found[one.name] = value
        # Last, because they do more than look: a session is opened for the call.
        return found | await _depended_on(dependant, request, {})

    return find


async def _depended_on(
    dependant: Dependant, request: Request, known: dict[Callable[..., Any], Any]
) -> Arguments:
    found: Arguments = {}
    for one in dependant.dependencies:
        assert one.call is not None  # noqa: S101 - every dependency has one
        if one.call not in known or not one.use_cache:
            known[one.call] = await one.call(**await _depended_on(one, request, known))
        if one.name is not None:
            found[one.name] = known[one.call]
    if dependant.request_param_name is not None:
        found[dependant.request_param_name] = request
    return found


def _is_usual(dependant: Dependant) -> bool:
    asked = [one.field_info.annotation for one in dependant.query_params]
    return (
        not (dependant.header_params or dependant.cookie_params or dependant.body_params)
        and len(asked) <= 1
        and all(map(_is_flat_shape, asked))
        and _takes_request_alone(dependant)
        and all(map(_is_usual_dependency, dependant.dependencies))
    )


def _is_usual_dependency(one: Dependant) -> bool:
    takes = one.path_params or one.query_params or one.header_params or one.cookie_params
    return (
        not (takes or one.body_params)
        and iscoroutinefunction(one.call)
        and _takes_request_alone(one)
        and all(map(_is_usual_dependency, one.dependencies))
    )


def _takes_request_alone(one: Dependant) -> bool:
    others = (
        one.websocket_param_name,
        one.http_connection_param_name,
        one.response_param_name,
        one.background_tasks_param_name,
        one.security_scopes_param_name,
    )
    return not any(others)


def _is_flat_shape(annotation: Any) -> bool:
    """Whether this is a model of single values; a list of one could be given in many ways."""
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        return False
    fields = annotation.model_fields.values()
    return not any(_has_many(one.annotation) for one in fields)


def _has_many(annotation: Any) -> bool:
    origin = get_origin(annotation) or annotation
    is_many = isinstance(origin, type) and issubclass(
        origin, list | tuple | set | frozenset | Mapping
    )
    return is_many or any(map(_has_many, get_args(annotation)))
