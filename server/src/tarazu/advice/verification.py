"""Verifies sealed advice."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.documents import letter_store
from tarazu.advice.documents.letter_store import LetterState
from tarazu.advice.errors import AdviceNotFound, AdviceNotSealed
from tarazu.advice.recomputation import CheckResult, check_of_rebalance, check_of_rows
from tarazu.advice.sealing import SealedAdvice
from tarazu.advice.tables import Advice, AdviceSeal, AdviceStock
from tarazu.kit import audit_log, signing
from tarazu.people import service as people

SENT = "advice_sent"
"""The audit rows that name a seal."""

_NOT_STORED = {
    LetterState.DUE: "The letter is not ready yet.",
    LetterState.REMOVED: "The letter was removed from the database. It can be set again as it was: "
    "tarazu advice restore-letters",
    LetterState.LOST: "The letter is lost: it was removed from the database, and set again it is not "
    "the same file. Restore it from a backup.",
}


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying one sealed advice; `sealed` is None where its text is unreadable."""

    advice_id: uuid.UUID
    seal: AdviceSeal
    sealed: SealedAdvice | None
    public_key: str
    checks: tuple[CheckResult, ...]

    @property
    def holds(self) -> bool:
        """Whether no check failed."""
        return all(check.holds is not False for check in self.checks)


def verify(session: Session, advice_id: uuid.UUID) -> Verification:
    """Verify one sealed advice, and compute its rebalance again.

    Raises:
        AdviceNotFound: there is no such advice, or its client was deleted.
        AdviceNotSealed: it has no seal.
    """
    advice = queries.advice_by_id(session, advice_id)
    if advice is None:
        raise AdviceNotFound
    people.client(session, advice.client_id)
    row = queries.seal_of(session, advice_id)
    if row is None:
        raise AdviceNotSealed
    return _verified(session, advice, row)


def verify_all(session: Session, report: Callable[[Verification], None]) -> list[str]:
    """Verify every sealed advice; the faults of the whole collection, a sentence each.

    Args:
        report: called with the result for each advice.
    """
    faults = [f"{key}: the advice is not sealed." for key in queries.unsealed_ids(session)]
    ids = queries.sealed_ids(session)
    for advice_id in ids:
        advice, row = queries.advice_by_id(session, advice_id), queries.seal_of(session, advice_id)
        if advice is None or row is None:
            faults.append(f"{advice_id}: the sealed advice itself is missing.")
            continue
        report(_verified(session, advice, row))
        session.expunge(advice)
        session.expunge(row)
    known = {str(advice_id) for advice_id in ids}
    faults += [
        f"{advice_id}: it is in the audit trail, but not among the sealed advice."
        for advice_id in audit_log.records_of(session, SENT)
        if advice_id not in known
    ]
    return faults


def _verified(session: Session, advice: Advice, row: AdviceSeal) -> Verification:
    public_key = signing.public_keys(session).get(row.key_id, "")
    content = row.package.encode()
    right_hash = sealing.digest_of(content)
    checks = [
        CheckResult(
            "Package",
            right_hash == row.package_hash,
            "Its hash is the one that was sealed."
            if right_hash == row.package_hash
            else "The package was changed after it was sealed.",
        ),
        _check_of_chain(session, row),
        CheckResult(
            "Signature",
            signing.is_signed(row.hash.encode(), row.signature, public_key),
            f"Ed25519, key {row.key_id}.",
        ),
        _check_of_trail(session, row),
    ]
    try:
        sealed = sealing.from_text(row.package)
    except ValidationError:
        checks.append(CheckResult("Contents", False, "The package cannot be read."))
        return Verification(advice.id, row, None, public_key, tuple(checks))
    stocks = queries.stocks_of(session, advice.id)
    checks += [
        _check_of_number(row, sealed),
        _check_of_letter(session, row),
        _check_of_history(sealed, advice, stocks),
        check_of_rows(sealed),
        check_of_rebalance(sealed.rebalance),
    ]
    return Verification(advice.id, row, sealed, public_key, tuple(checks))


def _check_of_chain(session: Session, row: AdviceSeal) -> CheckResult:
    before = queries.link_before(session, row.seq)
    if not before and row.previous_hash and _is_purged(session, row.previous_hash):
        # The first that is left: those before it were past their five years.
        before = row.previous_hash
    if row.previous_hash != before:
        return CheckResult(
            "Chain", False, "The advice sealed before it is not the one it was chained to."
        )
    if sealing.link_of(row.previous_hash, row.package_hash) != row.hash:
        return CheckResult("Chain", False, "Its link in the chain was changed.")
    return CheckResult("Chain", True, f"Link {row.seq} follows the one before it.")


def _is_purged(session: Session, last_hash: str) -> bool:
    purges = audit_log.all_changes_of(session, "records_purged")
    return any(changes.get("sealedThrough") == last_hash for changes in purges)


def _check_of_trail(session: Session, row: AdviceSeal) -> CheckResult:
    changes = audit_log.changes_of(session, {SENT}, str(row.advice_id))
    if changes is None:
        return CheckResult("Audit trail", False, "The audit trail does not record its sealing.")
    if changes.get("seal") != row.hash:
        return CheckResult("Audit trail", False, "The audit trail records another seal.")
    return CheckResult("Audit trail", True, "The audit trail records this seal.")


def _check_of_letter(session: Session, row: AdviceSeal) -> CheckResult:
    letter = letter_store.stored_letter(session, row)
    if letter.signed is None or letter.state is not LetterState.STORED:
        is_due = letter.state is LetterState.DUE
        return CheckResult("Letter", None if is_due else False, _NOT_STORED[letter.state])
    digest = sealing.digest_of(letter.content)
    signed = letter.signed
    public_key = signing.public_keys(session).get(signed.key_id, "")
    content = sealing.letter_link_of(row.hash, signed.sha256)
    is_signed = digest == signed.sha256 and signing.is_signed(content, signed.signature, public_key)
    if not is_signed:
        return CheckResult("Letter", False, "The stored letter is not the one that was signed.")
    if digest != letter_store.noted_digest(session, row.advice_id):
        message = "The stored letter is not the one that is noted in the audit trail."
        return CheckResult("Letter", False, message)
    return CheckResult("Letter", True, "The letter is the file that was signed for this advice.")


def _check_of_number(row: AdviceSeal, sealed: SealedAdvice) -> CheckResult:
    is_same = (sealed.number, sealed.fingerprint) == (row.seq, row.key_id)
    return CheckResult(
        "Number",
        is_same,
        f"Number {row.seq} and key {row.key_id}, as the letter names them."
        if is_same
        else "The letter names another number or another key.",
    )


def _check_of_history(
    sealed: SealedAdvice, advice: Advice, stocks: Sequence[AdviceStock]
) -> CheckResult:
    """Check that the history shows what was sealed."""
    columns = sealing.stock_columns(sealed)
    is_same = len(stocks) == len(columns) and all(
        getattr(row, name) == value
        for row, values in zip(
            (advice, *stocks), (sealing.advice_columns(sealed), *columns), strict=True
        )
        for name, value in values.items()
    )
    return CheckResult(
        "History",
        is_same,
        "The history shows what was sealed."
        if is_same
        else "The history does not show what was sealed.",
    )
