"""The firm's public page of complaints, at `/complaints`: numbers alone, readable without a script."""

from fastapi import APIRouter, Response

from tarazu.client_page.html import page_of
from tarazu.client_page.views import PageRoute
from tarazu.kit import clock
from tarazu.kit.auth_route import Public
from tarazu.kit.db import OpenSession
from tarazu.kit.translation import Language
from tarazu.registers import service as registers

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/complaints", response_class=Response)
def show_complaints_page(session: OpenSession, _: Public) -> Response:
    """The tables of the last complete month, of the last twelve, and of the financial years."""
    published = registers.public_complaints(session, clock.today())
    page = page_of("complaints.html", Language.EN, published=published)
    # It is public: whoever looks for the firm may find it.
    del page.headers["X-Robots-Tag"]
    return page
