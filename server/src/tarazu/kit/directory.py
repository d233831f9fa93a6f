"""Finds the route of a call by the fixed beginning and the last part of its path."""

from collections.abc import Iterable, Iterator, Sequence

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send


class Directory(BaseRoute):
    """One route that stands for many: it tries those alone that begin and end as the path does.

    A router tries one pattern after the other, which for hundreds costs more than a short call
    does. Longer beginnings come first; of one beginning, the order given. A path that fits none
    wholly, by its method too, is left to the router, which says what is wrong with it.

    Args:
        routes: none of them below a mount.
    """

    def __init__(self, routes: Iterable[Route]) -> None:
        self._shelves: dict[str, _Shelf] = {}
        for route in routes:
            beginning = route.path_format.partition("{")[0]
            whole = beginning == route.path_format
            key = beginning if whole else beginning.rpartition("/")[0]
            self._shelves.setdefault(key, _Shelf()).add(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As the route that fits; a full match, or none."""
        if scope["type"] != "http":
            return Match.NONE, {}
        last = _last_part(scope["path"])
        for beginning in _beginnings(scope["path"]):
            shelf = self._shelves.get(beginning)
            for route in shelf.ending_with(last) if shelf else ():
                match, child_scope = route.matches(scope)
                if match is Match.FULL:
                    return match, child_scope
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the route answer that `matches` found."""
        route: Route = scope["route"]
        await route.handle(scope, receive, send)


class _Shelf:
    """Routes of one beginning, in the order they were added."""

    def __init__(self) -> None:
        self._open: list[Route] = []
        self._by_end: dict[str, list[Route]] = {}

    def add(self, route: Route) -> None:
        end = _last_part(route.path_format)
        if "{" in end:
            for one in (self._open, *self._by_end.values()):
                one.append(route)
        else:
            self._by_end.setdefault(end, list(self._open)).append(route)

    def ending_with(self, end: str) -> Sequence[Route]:
        """Those whose last part is `end`, or may be anything."""
        return self._by_end.get(end, self._open)


def _last_part(path: str) -> str:
    return path.rpartition("/")[2]


def _beginnings(path: str) -> Iterator[str]:
    """The path, and what is left of it when one part after the other is taken off its end."""
    while path:
        yield path
        path = path.rpartition("/")[0]
