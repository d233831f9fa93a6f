"""Advice that stands up to an inspection: sealed at the sending, verified and handed out later."""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog
from pydantic import ValidationError
from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.documents import letter_store
from tarazu.advice.documents.export import About, Archive, Exported, archive_of
from tarazu.advice.documents.letter_store import LetterState, Signed
from tarazu.advice.errors import AdviceNotFound, AdviceNotSealed
from tarazu.advice.queries import Link, Period
from tarazu.advice.sealing import Check, SealedAdvice
from tarazu.advice.tables import Advice, AdviceSeal, AdviceStock
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.db import take_turns
from tarazu.kit.locks import AdvisoryLock
from tarazu.people import service as people

log = structlog.get_logger()

SENT = "advice_sent"
SEALED_LATER = "advice_sealed"
WAYS = frozenset({SENT, SEALED_LATER})
"""The rows of the trail that name a seal."""


_NOT_KEPT = {
    LetterState.DUE: "The letter is not set yet.",
    LetterState.AGAIN: "The letter was removed from the database. It can be set again as it was: "
    "tarazu advice restore-letters",
    LetterState.LOST: "The letter is lost: it was removed from the database, and set again it is not "
    "the same file. Restore it from a backup.",
}
_LEFT_OUT = {LetterState.DUE: "it is still being set", LetterState.LOST: "it is lost"}


@dataclass(frozen=True, slots=True)
class Verified:
    """What a look at one sealed advice found; `sealed` is None where its text cannot be read."""

    advice_id: uuid.UUID
    seal: AdviceSeal
    sealed: SealedAdvice | None
    public_key: str
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found to be otherwise than it was sealed."""
        return all(check.holds is not False for check in self.checks)


def seal(session: Session, sealed: SealedAdvice, now: dt.datetime) -> str:
    """Seal one advice in the caller's transaction, after all that were sealed before; its hash."""
    return seal_many(session, [sealed], now)[0]


def take_turn(session: Session) -> None:
    """Wait until nobody else seals, and keep the others waiting until the transaction ends."""
    take_turns(session, AdvisoryLock.SEALED_ADVICE)


def next_number(session: Session) -> int:
    """The number that the next seal gets: sure only for who has the turn."""
    return _last(session).seq + 1


def _last(session: Session) -> Link:
    """The end of the chain; where all of it was past its years, the end that was told then."""
    last = queries.last_link(session)
    if last is not None:
        return last
    told = [
        one for one in audit_log.all_changes_of(session, "records_purged") if "sealedThrough" in one
    ]
    return Link(told[-1].get("sealedNumber", 0), told[-1]["sealedThrough"]) if told else Link(0, "")


def seal_many(session: Session, sealed: Sequence[SealedAdvice], now: dt.datetime) -> list[str]:
    """Seal advices one after the other, in the caller's transaction; their hashes.

    Numbers follow that of the last seal, not a sequence: what was not committed leaves no gap.
    """
    take_turn(session)
    number, previous = _last(session)
    signer = signing.signer_of(session)
    rows: list[dict[str, object]] = []
    hashes = []
    for seq, (one, text) in enumerate(
        zip(sealed, sealing.texts_of(sealed), strict=True), number + 1
    ):
        package_hash = sealing.digest_of(text.encode())
        link = sealing.link_of(previous, package_hash)
        rows.append(
            {
                "seq": seq,
                "advice_id": one.advice_id,
                "sealed_at": now,
                "package": text,
                "package_hash": package_hash,
                "previous_hash": previous,
                "hash": link,
                "key_id": signer.key_id,
                "signature": signer.sign(link.encode()),
            }
        )
        hashes.append(link)
        previous = link
    queries.add_seals(session, rows)
    return hashes


def verify(session: Session, advice_id: uuid.UUID) -> Verified:
    """Look whether a sealed advice is as it was sealed, and comes out the same once more.

    Raises:
        AdviceNotFound: there is no such advice, or its client was deleted.
        AdviceNotSealed: it has no seal, which none of ours ever lacks.
    """
    advice = queries.advice_by_id(session, advice_id)
    if advice is None:
        raise AdviceNotFound
    people.client(session, advice.client_id)
    row = queries.seal_of(session, advice_id)
    if row is None:
        raise AdviceNotSealed
    return _verified(session, advice, row)


def verify_all(session: Session, tell: Callable[[Verified], None]) -> list[str]:
    """Look at every sealed advice; what is wrong with all of them together, a sentence each.

    Args:
        tell: is given each advice that was looked at.
    """
    faults = [f"{one.id}: the advice is not sealed." for one in queries.unsealed_advices(session)]
    ids = queries.sealed_ids(session)
    for advice_id in ids:
        advice, row = queries.advice_by_id(session, advice_id), queries.seal_of(session, advice_id)
        if advice is None or row is None:
            faults.append(f"{advice_id}: the sealed advice itself is missing.")
            continue
        tell(_verified(session, advice, row))
        session.expunge(advice)
        session.expunge(row)
    known = {str(one) for one in ids}
    faults += [
        f"{one}: the audit trail tells of it, but it is not among the sealed advice."
        for action in sorted(WAYS)
        for one in audit_log.records_of(session, action)
        if one not in known
    ]
    return faults


def _verified(session: Session, advice: Advice, row: AdviceSeal) -> Verified:
    public_key = signing.public_keys(session).get(row.key_id, "")
    content = row.package.encode()
    right_hash = sealing.digest_of(content)
    checks = [
        Check(
            "Package",
            right_hash == row.package_hash,
            "Its hash is the one that was sealed."
            if right_hash == row.package_hash
            else "The package was changed after it was sealed.",
        ),
        _check_of_chain(session, row),
        Check(
            "Signature",
            signing.is_signed(row.hash.encode(), row.signature, public_key),
            f"Ed25519, key {row.key_id}.",
        ),
        _check_of_trail(session, row),
    ]
    try:
        sealed = sealing.from_text(row.package)
    except ValidationError:
        checks.append(Check("Contents", False, "The package cannot be read."))
        return Verified(advice.id, row, None, public_key, tuple(checks))
    stocks = queries.stocks_of(session, advice.id)
    checks += [
        _check_of_number(row, sealed),
        _check_of_letter(session, advice, row, sealed),
        _check_of_history(sealed, advice, stocks),
        sealing.check_of_rows(sealed),
        sealing.check_of_rebalance(sealed.rebalance),
    ]
    return Verified(advice.id, row, sealed, public_key, tuple(checks))


def _check_of_chain(session: Session, row: AdviceSeal) -> Check:
    before = queries.link_before(session, row.seq)
    if not before and row.previous_hash and _is_purged(session, row.previous_hash):
        # The first that is left: those before it were past their five years.
        before = row.previous_hash
    if row.previous_hash != before:
        return Check(
            "Chain", False, "The advice sealed before it is not the one it was chained to."
        )
    if sealing.link_of(row.previous_hash, row.package_hash) != row.hash:
        return Check("Chain", False, "Its link in the chain was changed.")
    return Check("Chain", True, f"Link {row.seq} follows the one before it.")


def _is_purged(session: Session, last_hash: str) -> bool:
    told = audit_log.all_changes_of(session, "records_purged")
    return any(changes.get("sealedThrough") == last_hash for changes in told)


def _check_of_trail(session: Session, row: AdviceSeal) -> Check:
    told = audit_log.changes_of(session, WAYS, str(row.advice_id))
    if told is None:
        return Check("Audit trail", False, "The audit trail does not tell of its sealing.")
    if told.get("seal") != row.hash:
        return Check("Audit trail", False, "The audit trail tells of another seal.")
    return Check("Audit trail", True, "The audit trail tells of this seal.")


def _check_of_letter(
    session: Session, advice: Advice, row: AdviceSeal, sealed: SealedAdvice
) -> Check:
    found = letter_store.look_up(session, advice, row, sealed)
    if found.standing is not LetterState.KEPT:
        return Check(
            "Letter",
            None if found.standing is LetterState.DUE else False,
            _NOT_KEPT[found.standing],
        )
    digest = sealing.digest_of(found.content)
    if found.signed is not None and not _is_as_signed(session, row, found.signed, digest):
        return Check("Letter", False, "The letter that is kept is not the one that was signed.")
    right = sealed.letter.sha256 or letter_store.digest_noted(session, advice.id)
    if digest != right:
        told = "sealed" if sealed.letter.sha256 else "noted in the audit trail"
        return Check("Letter", False, f"The letter that is kept is not the one that was {told}.")
    if sealed.letter.sha256:
        return Check("Letter", True, f"{sealed.letter.file_name} is the file that was sealed.")
    return Check("Letter", True, "The letter is the file that was signed for this advice.")


def _is_as_signed(session: Session, row: AdviceSeal, signed: Signed, digest: str) -> bool:
    """Of a letter that is kept beside its seal: set after the sealing, or set again."""
    public_key = signing.public_keys(session).get(signed.key_id, "")
    content = sealing.letter_link_of(row.hash, signed.sha256)
    return digest == signed.sha256 and signing.is_signed(content, signed.signature, public_key)


def _check_of_number(row: AdviceSeal, sealed: SealedAdvice) -> Check:
    if sealed.number is None:
        return Check("Number", None, "Sealed before letters named the number of their seal.")
    is_same = (sealed.number, sealed.fingerprint) == (row.seq, row.key_id)
    return Check(
        "Number",
        is_same,
        f"Number {row.seq} and key {row.key_id}, as the letter names them."
        if is_same
        else "The letter names another number or another key.",
    )


_SHOWN = (
    "isin", "symbol", "exchange", "instrument_token", "quantity", "allocation", "drift", "message",
    "last_price", "current_value", "additional_value", "freed_value", "projected_value",
)  # fmt: skip


def _check_of_history(sealed: SealedAdvice, advice: Advice, stocks: Sequence[AdviceStock]) -> Check:
    """Whether all that the history shows of an advice is what was sealed."""
    shown = [
        (one.type, one.product, one.possible_allocation, *(getattr(one, name) for name in _SHOWN))
        for one in stocks
    ]
    sent = [
        (
            row.side.value,
            product,
            row.possible,
            *(getattr(row.stock if hasattr(row.stock, name) else row, name) for name in _SHOWN),
        )
        for row, product in zip(sealed.rows, sealed.products, strict=True)
    ]
    told = (
        (advice.created_at, sealed.sent_at),
        (advice.client_id, sealed.client.client_id),
        (advice.account_id, sealed.sender.account_id),
        (advice.rebalance_id, sealed.rebalance_id),
        (advice.mail_id, sealed.delivery.mail_id if sealed.delivery else None),
        (advice.rationale, sealed.rationale),
        (advice.total_stocks, sealed.total_stocks),
        (advice.total_invested_value, sealed.investment),
        (advice.total_buy_value, sealed.total_buy_value),
        (advice.total_sell_value, sealed.total_sell_value),
    )
    is_same = shown == sent and all(mine == right for mine, right in told)
    return Check(
        "History",
        is_same,
        "The history shows what was sealed."
        if is_same
        else "The history does not show what was sealed.",
    )


def archive(
    session: Session,
    advice_ids: Sequence[uuid.UUID],
    now: dt.datetime,
    asked: Mapping[str, str | None],
) -> Archive:
    """The sealed advice as a zip that can be checked without this product.

    A letter that is still to be set, or lost, is left out, and the zip says so.

    Args:
        asked: by what it was chosen, for the manifest.

    Raises:
        AdviceNotFound: there is nothing to hand out.
        AdviceNotSealed: one of them has no seal.
    """
    rows = []
    for advice_id in advice_ids:
        row = queries.seal_of(session, advice_id)
        if row is None:
            raise AdviceNotSealed
        rows.append(row)
    if not rows:
        raise AdviceNotFound
    rows.sort(key=lambda row: row.seq)
    exported = []
    for row in rows:
        advice = queries.advice_by_id(session, row.advice_id)
        if advice is None:
            raise AdviceNotFound
        states = mail.states_of(session, [advice.mail_id]) if advice.mail_id else {}
        state = states.get(advice.mail_id) if advice.mail_id else None
        exported.append(_exported(session, row, advice, state))
        session.expunge(advice)
    links = queries.links_between(session, rows[0].seq, rows[-1].seq)
    about = About(now, asked, _last(session), signing.public_keys(session))
    return archive_of(exported, links, about, signing.signer_of(session))


def _exported(
    session: Session, row: AdviceSeal, advice: Advice, state: mail.DeliveryState | None
) -> Exported:
    sealed = sealing.from_text(row.package)
    found = letter_store.look_up(session, advice, row, sealed)
    # Set again, a letter whose hash is in the seal needs no other signature.
    is_late = found.signed is not None and not sealed.letter.sha256
    return Exported(
        row,
        found.content,
        state,
        found.signed if is_late else None,
        _LEFT_OUT.get(found.standing, ""),
    )


def chosen(session: Session, client_id: uuid.UUID | None, period: Period) -> Sequence[uuid.UUID]:
    """The sealed advice of a client, or of all, within a period."""
    return queries.sealed_ids_of(session, client_id, period)


def seal_known(
    session: Session, now: dt.datetime, read: Callable[[Session, Advice], SealedAdvice]
) -> int:
    """Seal the advice of an older version of the product, as far as it is known; how many.

    Args:
        read: makes the text of what is known of an advice.
    """
    found = queries.unsealed_advices(session)
    for advice in found:
        try:
            known = read(session, advice)
        except ValidationError:
            # Of a form that this version cannot read; a verification names it as not sealed.
            log.warning("advice_not_sealed", advice_id=str(advice.id))
            continue
        sealed_hash = seal(session, known, now)
        about = ("advice", advice.id)
        audit_log.record(session, audit_log.SYSTEM, now, SEALED_LATER, about, {"seal": sealed_hash})
    if found:
        log.info("advice_sealed_later", count=len(found))
    return len(found)


def origin_of(session: Session, advice_id: uuid.UUID) -> audit_log.AuditRow | None:
    """What the audit trail tells of the sending of an older advice."""
    return audit_log.row_of(session, SENT, str(advice_id))
