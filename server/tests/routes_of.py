"""The calls that the application answers."""

from fastapi import FastAPI

from tarazu.kit.auth_route import AuthorizedRoute


def guarded_routes(app: FastAPI) -> list[AuthorizedRoute]:
    """Every route of the API."""
    found = [route for route in app.router.routes if isinstance(route, AuthorizedRoute)]
    assert len(found) > 150, "the application is looked at in the wrong way"
    return found
