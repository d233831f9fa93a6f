"""The obligations that come with the product, as dated data with their sources.

The file is `shipped.csv`; a firm adds versions of its own. Sources: SEBI (Research Analysts)
Regulations 2014 and the circulars that each row names.
"""

import csv
import datetime as dt
from functools import cache
from importlib.resources import files

from tarazu.domain.obligations.values import Form, Obligation, Trigger


@cache
def shipped() -> tuple[Obligation, ...]:
    """Every version, in the order of the file: those of one obligation by their days."""
    text = files("tarazu.domain.obligations").joinpath("shipped.csv").read_text(encoding="utf-8")
    return tuple(
        Obligation(
            id=row["id"],
            number=int(row["number"]),
            title=row["title"],
            form=Form(row["form"]),
            trigger=Trigger(row["trigger"]),
            rule=row["rule"],
            duty=row["duty"],
            evidence=row["evidence"],
            source=row["source"],
            effective_on=dt.date.fromisoformat(row["effective_on"]),
            terms=row["terms"],
        )
        for row in csv.DictReader(text.splitlines())
    )
