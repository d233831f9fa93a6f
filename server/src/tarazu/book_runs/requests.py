"""What callers ask of a run: to check it, to send it."""

import uuid
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from tarazu.advice.service import Acknowledged
from tarazu.book_runs.preflight import SendRequest
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Schema, Whole

LONGEST_NOTE: Final = 300
LONGEST_RATIONALE: Final = 5_000
LONGEST_DISCLOSURE: Final = 1_000


def plain_text(most: int, name: str) -> AfterValidator:
    """A check for text of at most so many characters, with line breaks; `name` begins its sentence."""

    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if len(plain) > most or not is_plain(plain, lines=True):
            raise ValueError(f"{name} has at most {most:,} characters, none of them for control.")
        return plain

    return AfterValidator(check)


Disclosure = Annotated[str, plain_text(LONGEST_DISCLOSURE, "A disclosure")]


class DisclosuresOfRun(Schema):
    holdings: Disclosure = ""
    conflicts: Disclosure = ""
    compensation: Disclosure = ""


class WordsOfRun(Schema):
    """The texts sent to all clients; without a rationale, or with null, the model's is used."""

    rationale: Annotated[str, plain_text(LONGEST_RATIONALE, "A rationale")] | None = None
    disclosures: DisclosuresOfRun | None = None
    acknowledged: Acknowledged = Field(default_factory=list)

    def _words(self) -> dict[str, Any]:
        disclosures = self.disclosures or DisclosuresOfRun()
        return {
            "rationale": self.rationale,
            "holdings": disclosures.holdings,
            "conflicts": disclosures.conflicts,
            "compensation": disclosures.compensation,
            "acknowledged": tuple(self.acknowledged),
        }


class RunToSend(WordsOfRun):
    """`clients` is the number of included clients that the sender saw."""

    clients: Annotated[Whole, Field(ge=0, le=100_000)]

    def request(self) -> SendRequest:
        """What is to be sent."""
        return SendRequest(self.clients, **self._words())


class RunToCheck(WordsOfRun):
    run_id: uuid.UUID

    def request(self) -> SendRequest:
        """What is to be checked: how many clients were seen does not matter."""
        return SendRequest(0, **self._words())
