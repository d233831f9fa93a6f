"""The calls that the application answers."""

from fastapi import FastAPI

from tarazu.kit.access import GuardedRoute


def guarded_routes(app: FastAPI) -> list[GuardedRoute]:
    """Every route of the API."""
    found = [route for route in app.router.routes if isinstance(route, GuardedRoute)]
    assert len(found) > 150, "the application is looked at in the wrong way"
    return found
