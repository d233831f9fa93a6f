"""Numbers as callers send them: JSON numbers, or the same in plain digits; nothing else."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, get_args, get_origin

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.people_of import Desk
from tests.routes_of import guarded_routes

UNFIT = ["1e5", "1_000", "१२", "１２", "+5", "5.", ".5", " 5", "0x10", "NaN", "Infinity", True]
FLOW = {"date": "2026-04-01", "amount": 50000, "type": "FUNDS_ADDED"}


def numbers_in(
    annotation: Any, name: str, metadata: tuple[Any, ...] = ()
) -> Iterator[tuple[str, Any]]:
    """The name and type of every number in a shape that is sent."""
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        yield from numbers_in(inner, name, (*metadata, *more))
    elif get_origin(annotation) is not None:
        # What is said of a list is not said of the numbers in it.
        of_parts = () if get_origin(annotation) is list else metadata
        for part in get_args(annotation):
            yield from numbers_in(part, name, of_parts)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for field, of in annotation.model_fields.items():
            yield from numbers_in(of.annotation, f"{name}.{field}", tuple(of.metadata))
    elif annotation in {int, Decimal, float}:
        yield name, Annotated[annotation, *metadata] if metadata else annotation


def sent_to(dependant: Dependant) -> Iterator[tuple[str, Any]]:
    params = (*dependant.body_params, *dependant.query_params, *dependant.path_params)
    for param in params:
        info = param.field_info
        yield from numbers_in(info.annotation, param.name, tuple(info.metadata))
    for below in dependant.dependencies:
        yield from sent_to(below)


def test_every_number_that_is_sent_takes_plain_digits_alone(unchanged_app: FastAPI) -> None:
    found = {
        (route.name, name): kind
        for route in guarded_routes(unchanged_app)
        for name, kind in sent_to(route.dependant)
    }

    assert len(found) > 80
    for place, kind in found.items():
        for text in UNFIT:
            with pytest.raises(ValidationError):
                assert TypeAdapter(kind).validate_python(text) is place


@pytest.mark.parametrize("amount", [*UNFIT, "0.001", 0.001, -1, "-1", [], {}, "9" * 31])
def test_an_amount_in_another_shape_is_refused_and_changes_nothing(
    admin: Desk, amount: object
) -> None:
    client = admin.add_client()
    path = f"/admin/clients/client/{client}/accounting"

    answer = admin.post(f"{path}/transaction", FLOW | {"amount": amount})

    assert answer.status_code == 422, answer.text
    assert admin.get(path).json()["data"] == []


@pytest.mark.parametrize("amount", ["1e-400", "0.5e-999", "1e400", "1e-5"])
def test_a_json_number_that_would_become_nothing_or_endless_is_refused(
    admin: Desk, amount: str
) -> None:
    client = admin.add_client()
    body = f'{{"date": "2026-04-01", "amount": {amount}, "type": "FUNDS_ADDED"}}'

    answer = admin.web.post(
        f"/api/v1/admin/clients/client/{client}/accounting/transaction",
        content=body,
        headers=admin.headers | {"Content-Type": "application/json"},
    )

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "amount")


@pytest.mark.parametrize("amount", ["50000", "50000.50", 50000, 50000.5, 5e4])
def test_plain_amounts_are_taken(admin: Desk, amount: object) -> None:
    client = admin.add_client()

    answer = admin.post(
        f"/admin/clients/client/{client}/accounting/transaction", FLOW | {"amount": amount}
    )

    assert answer.json()["data"]["amount"] == float(str(amount))


@pytest.mark.parametrize("page", ["1_0", "१", "1e1", "+1", " 1", "1.5"])
def test_a_page_number_has_plain_digits(admin: Desk, page: str) -> None:
    assert admin.get("/admin/clients", page=page).status_code == 422
