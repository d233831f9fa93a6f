"""Finds the route of a call by the fixed beginning of its path."""

from collections.abc import Iterable, Iterator

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send


class Directory(BaseRoute):
    """One route that stands for many: it tries those alone whose beginning is the path's.

    A router tries one pattern after the other, which for hundreds costs more than a short call
    does. Longer beginnings come first; of one beginning, the order given. A path that fits none
    wholly, by its method too, is left to the router, which says what is wrong with it.

    Args:
        routes: none of them below a mount.
    """

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[str, list[Route]] = {}
        for route in routes:
            beginning = route.path_format.partition("{")[0]
            whole = beginning == route.path_format
            key = beginning if whole else beginning.rpartition("/")[0]
            self._routes.setdefault(key, []).append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As the route that fits; a full match, or none."""
        if scope["type"] != "http":
            return Match.NONE, {}
        for beginning in _beginnings(scope["path"]):
            for route in self._routes.get(beginning, ()):
                match, child_scope = route.matches(scope)
                if match is Match.FULL:
                    return match, child_scope
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the route answer that `matches` found."""
        route: Route = scope["route"]
        await route.handle(scope, receive, send)


def _beginnings(path: str) -> Iterator[str]:
    """The path, and what is left of it when one part after the other is taken off its end."""
    while path:
        yield path
        path = path.rpartition("/")[0]
