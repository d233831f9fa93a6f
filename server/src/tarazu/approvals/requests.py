"""What can be asked for: one shape for each action."""

import hashlib
import json
import uuid
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from tarazu.advice.service import AdviceToSend, Note
from tarazu.book_runs.service import RunToSend
from tarazu.brokers.service import EditedBroker, NewBroker
from tarazu.firm.service import ApprovedAction
from tarazu.kit.schemas import Schema, Whole

LARGEST_FILTERS = 4_000
"""Characters of an export's filters as JSON; a screen's own have some hundred."""


def _filters(filters: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(filters)) > LARGEST_FILTERS:
        raise ValueError("The filters are too long.")
    return filters


class AskedAdvice(Schema):
    action: Literal[ApprovedAction.ADVICE]
    advice: AdviceToSend


class AskedRun(Schema):
    """`version` is that of the run when it was asked for; the server sets it."""

    action: Literal[ApprovedAction.RUN]
    run_id: uuid.UUID
    run: RunToSend
    version: Whole = 0


class AskedBroker(Schema):
    action: Literal[ApprovedAction.BROKER_KEY]
    broker: EditedBroker | NewBroker


class AskedExport(Schema):
    """A download as the refusal named it in its `details`."""

    action: Literal[ApprovedAction.EXPORT]
    what: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,60}$")]
    filters: Annotated[dict[str, Any], AfterValidator(_filters)]


class AskedSetting(Schema):
    """The actions that need an approval from then on."""

    action: Literal[ApprovedAction.SETTING]
    actions: Annotated[list[ApprovedAction], Field(max_length=len(ApprovedAction))]


Asked = Annotated[
    AskedAdvice | AskedRun | AskedBroker | AskedExport | AskedSetting,
    Field(discriminator="action"),
]


class NewApproval(Schema):
    asked: Asked
    note: Note = ""


class StoredRequest(Schema):
    """What is stored of a request."""

    asked: Asked

    def text(self) -> str:
        """As JSON with exact figures; a field that was not sent is left out, as it was."""
        given = self.model_dump(by_alias=True, exclude_unset=True)
        return json.dumps(given, default=_exact, ensure_ascii=False)


def _exact(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def digest_of(text: str) -> str:
    """SHA-256 of a request, whatever the order of its fields."""
    canonical = json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def request_of_download(what: str, filters: dict[str, Any]) -> StoredRequest:
    """The request for a download."""
    asked = AskedExport(action=ApprovedAction.EXPORT, what=what, filters=filters)
    return StoredRequest(asked=asked)
