"""Checks of a sealed advice that need its sealed text alone."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from tarazu.advice import package
from tarazu.advice.package import ENGINE, Package, Row
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO
from tarazu.domain.rebalancing.plan import CannotPlan

NOT_COMPARED = frozenset({"stock", "message", "cause", "charges", "note"})


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of a verification: whether it passed, and a sentence about it.

    `holds` is None where there was nothing to check.
    """

    name: str
    holds: bool | None
    message: str


def check_of_rebalance(computed: Package) -> CheckResult:
    """Compute the rebalance again, from the package alone, and compare it to the share."""
    name = "Rebalance"
    if package.rules_of(computed.engine) != package.rules_of(ENGINE):
        text = (
            f"Computed by {computed.engine}, which has other rules than this one ({ENGINE}): not "
            "computed again. Only the rows are checked."
        )
        return CheckResult(name, None, text)
    try:
        differences = _differences(computed.rows, package.recomputed_rows(computed))
    except CannotPlan as error:
        return CheckResult(name, False, f"It cannot be computed again: {error}.")
    if differences:
        return CheckResult(name, False, f"Computed again, it differs: {'; '.join(differences)}.")
    count = len(computed.rows)
    if computed.given is not None:
        text = f"The sender chose the shares; computed again, all {count} rows are the same."
        return CheckResult(name, True, text)
    engines = "" if computed.engine == ENGINE else f", then by {computed.engine}, now by {ENGINE}"
    return CheckResult(
        name, True, f"Computed again: the same quantities in all {count} rows{engines}."
    )


def _differences(then: Sequence[Row], now: Sequence[Row]) -> list[str]:
    if len(then) != len(now):
        return [f"{len(then)} rows then, {len(now)} now"]
    return [
        f"{old.stock.symbol} {old.new_quantity} shares then, {new.new_quantity} now"
        if old.new_quantity != new.new_quantity
        else f"{old.stock.symbol} has other figures"
        for old, new in zip(then, now, strict=True)
        if _figures_of(old) != _figures_of(new)
    ]


def _figures_of(row: Row) -> tuple[object, ...]:
    """All but the texts and what is derived, which may change between versions."""
    names = (field.name for field in fields(row) if field.name not in NOT_COMPARED)
    return row.stock.isin, *(getattr(row, name) for name in names)


def check_of_rows(sealed: SealedAdvice) -> CheckResult:
    """Check that each row adds up, and that the rows sent are those of the rebalance."""
    name = "Rows"
    for row in sealed.rows:
        sign = 1 if row.side is Side.BUY else -1
        if row.held + sign * row.quantity != row.new_quantity:
            return CheckResult(name, False, f"{row.stock.symbol}: the quantities do not add up.")
        if row.projected_value != (row.last_price or ZERO) * row.new_quantity:
            message = f"{row.stock.symbol}: the value is not price times shares."
            return CheckResult(name, False, message)
    traded = {row.stock.isin: row.new_quantity for row in sealed.rebalance.rows if row.quantity}
    if traded != {row.stock.isin: row.new_quantity for row in sealed.rows}:
        return CheckResult(name, False, "The rows that were sent are not those of the rebalance.")
    return CheckResult(name, True, f"{len(sealed.rows)} rows, each adding up.")
