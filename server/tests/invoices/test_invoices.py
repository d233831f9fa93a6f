"""Invoices of paid fees: taxes, numbers, PDFs, mails; and what is refused with nothing changed."""

import hashlib
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from tarazu.invoices import jobs
from tarazu.invoices.tables import Invoice, InvoiceFile
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail
from tests.fees.desks import earnings, fees_path
from tests.invoices.desks import (
    GSTIN,
    SETTINGS,
    charge,
    live_in,
    pay,
    refund,
    switch_on,
    text_of_pdf,
)
from tests.people_of import Desk, data_of, reply_of

pytestmark = pytest.mark.on_both


@pytest.fixture
def client_id(admin: Desk) -> str:
    """A client in Maharashtra of a firm there that issues invoices."""
    switch_on(admin)
    client_id = admin.add_client()
    live_in(admin, client_id, "27")
    return client_id


def _invoices(desk: Desk, **filters: str) -> list[dict[str, Any]]:
    return list(data_of(desk.get("/admin/invoices", **filters)))


def test_a_paid_fee_yields_a_numbered_invoice_with_the_taxes_of_one_state(
    admin: Desk, client_id: str
) -> None:
    row = charge(admin, client_id, 120_000)

    paid = data_of(pay(admin, client_id, row, modeOfPayment="CHEQUE", reference="004512"))

    year = clock.today().year % 100 - (clock.today().month < 4)
    number = f"INV/{year:02d}-{year + 1:02d}/0001"
    assert paid["invoice"]["number"] == number
    assert (paid["modeOfPayment"], paid["reference"]) == ("CHEQUE", "004512")
    (listed,) = _invoices(admin)
    assert (listed["value"], listed["tax"], listed["total"]) == (120_000, 21_600, 141_600)
    said = text_of_pdf(admin, paid["invoice"]["_id"])
    for part in (
        number, "Tax invoice and receipt", f"GSTIN {GSTIN}", "997156", "Maharashtra (27)",
        "CGST 9 % ₹10,800.00", "SGST 9 % ₹10,800.00", "₹1,41,600.00", "Cheque", "004512",
        "Rupees One Lakh Forty-One Thousand Six Hundred Only", "Kavya Menon", "INH000012345",
        "1 Apr 2025 to 31 Mar 2026, without tax: ₹1,20,000.00",
        "The limit for twelve months is ₹1,51,000.00",
    ):  # fmt: skip
        assert part in said
    assert "IGST" not in said


def test_a_client_of_another_state_bears_one_tax(admin: Desk, client_id: str) -> None:
    live_in(admin, client_id, "29")

    paid = data_of(pay(admin, client_id, charge(admin, client_id, 120_000)))

    said = text_of_pdf(admin, paid["invoice"]["_id"])
    assert "IGST 18 % ₹21,600.00" in said
    assert "CGST" not in said


def test_a_firm_without_a_gstin_gives_a_bill_without_tax_and_says_so(admin: Desk) -> None:
    switch_on(admin, gstin="")
    client_id = admin.add_client()

    paid = data_of(pay(admin, client_id, charge(admin, client_id, 120_000)))

    said = text_of_pdf(admin, paid["invoice"]["_id"])
    assert "Bill and receipt" in said
    assert "has no GSTIN. No tax is charged" in said
    assert "997156" not in said
    assert _invoices(admin)[0]["total"] == 120_000


def test_a_firm_that_issues_no_invoices_marks_fees_paid_as_ever(admin: Desk) -> None:
    client_id = admin.add_client()

    paid = data_of(pay(admin, client_id, charge(admin, client_id, 120_000)))

    assert paid["invoice"] is None
    assert _invoices(admin) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"modeOfPayment": "CASH"},
            "Fees are not accepted in cash. Choose another mode of payment.",
        ),
        ({"modeOfPayment": "BARTER"}, "Choose a mode of payment from the list."),
        ({"modeOfPayment": {}}, "Choose a mode of payment from the list."),
        ({"paidDate": "2099-01-01"}, "A fee cannot be paid on a future day."),
        ({"paidDate": "2025-03-31"}, "A fee cannot be paid before its period starts."),
    ],
)
def test_a_payment_that_cannot_be_is_refused_and_changes_nothing(
    admin: Desk, client_id: str, changes: dict[str, Any], said: str
) -> None:
    row = charge(admin, client_id, 120_000)

    answer = pay(admin, client_id, row, **changes)

    assert reply_of(answer) == (422, said)
    assert _invoices(admin) == []
    assert data_of(admin.get(fees_path(client_id))) == [row]


def test_without_state_or_mode_they_are_asked_for_and_never_guessed(admin: Desk) -> None:
    switch_on(admin, defaultMode=None)
    client_id = admin.add_client()
    row = charge(admin, client_id, 120_000)

    assert reply_of(pay(admin, client_id, row)) == (422, "Choose the mode of payment.")
    status, said = reply_of(pay(admin, client_id, row, modeOfPayment="UPI"))
    assert (status, "state is not known" in said) == (422, True)
    assert data_of(admin.get(fees_path(client_id))) == [row]

    live_in(admin, client_id, "27")
    paid = data_of(pay(admin, client_id, row, modeOfPayment="UPI"))
    assert paid["invoice"]["number"].endswith("/0001")


def test_the_payment_of_an_invoice_stays(admin: Desk, client_id: str) -> None:
    row = charge(admin, client_id, 120_000)
    paid = data_of(pay(admin, client_id, row))
    body = {"feeId": row["_id"]}

    refused = [
        admin.put(fees_path(client_id), body | {"status": "DUE"}),
        admin.put(fees_path(client_id), body | {"paidDate": "2026-04-11"}),
        admin.post(f"{fees_path(client_id)}/delete", body),
        admin.post(f"{fees_path(client_id)}/invoice", body),
    ]

    assert [answer.status_code for answer in refused] == [409] * 4
    assert all(paid["invoice"]["number"] in answer.json()["message"] for answer in refused)
    assert data_of(admin.get(fees_path(client_id))) == [paid]


def test_a_fee_paid_before_invoices_can_have_one(admin: Desk) -> None:
    client_id = admin.add_client()
    row = charge(admin, client_id, 120_000)
    pay(admin, client_id, row)
    path, body = f"{fees_path(client_id)}/invoice", {"feeId": row["_id"]}
    assert admin.post(path, body | {"modeOfPayment": "UPI"}).status_code == 409
    switch_on(admin)
    live_in(admin, client_id, "27")

    invoiced = data_of(admin.post(path, body))

    assert (invoiced["modeOfPayment"], invoiced["invoice"]["total"]) == ("UPI", 141_600)


def test_the_refund_of_the_unserved_days_is_a_credit_note_with_its_share_of_the_tax(
    admin: Desk, client_id: str
) -> None:
    row = charge(admin, client_id, 120_000)
    paid = data_of(pay(admin, client_id, row))
    shown = data_of(
        admin.get(f"{fees_path(client_id)}/refund", feeId=row["_id"], endedOn="2025-07-09")
    )

    refunded = data_of(refund(admin, client_id, row), 201)

    assert (shown["days"], shown["served"], shown["unserved"]) == (365, 100, 265)
    assert shown["amount"] == 87_123.29
    note = refunded["creditNote"]
    assert note["number"].startswith("CRN/")
    assert note["number"].endswith("/0001")
    assert (note["value"], note["total"]) == (87_123.29, 102_805.49)
    assert (refunded["fee"]["refunded"], refunded["fee"]["endedOn"]) == (87_123.29, "2025-07-09")
    assert earnings(admin) == 32_876.71
    said = text_of_pdf(admin, note["_id"])
    for part in (
        "Credit note", f"{paid['invoice']['number']} of", "100 of 365 days served", "No breakage fee",
        "CGST 9 % ₹7,841.10", "N123",
    ):  # fmt: skip
        assert part in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"endedOn": "2026-03-31"}, "leaves nothing to refund"),
        ({"endedOn": "2026-06-01"}, "leaves nothing to refund"),
        ({"endedOn": "2025-03-31"}, "leaves nothing to refund"),
        ({"paidOn": "2099-01-01"}, "cannot be paid on a future day"),
        ({"paidOn": "2026-04-09"}, "cannot be paid before the fee was paid"),
        ({"amount": 87_123.28}, "no breakage fee may be kept"),
        ({"amount": 120_000.01}, "₹0.01 more than the ₹1,20,000.00 that is left"),
        ({"modeOfPayment": "CASH"}, "not accepted in cash"),
    ],
)
def test_a_refund_that_cannot_be_is_refused_and_changes_nothing(
    admin: Desk, client_id: str, changes: dict[str, Any], said: str
) -> None:
    row = charge(admin, client_id, 120_000)
    paid = data_of(pay(admin, client_id, row))

    status, message = reply_of(refund(admin, client_id, row, **changes))

    assert status == 422
    assert said in message
    assert data_of(admin.get(fees_path(client_id))) == [paid]
    assert len(_invoices(admin)) == 1


def test_a_second_credit_note_over_the_sum_is_refused_and_one_to_the_paisa_ends_the_tax(
    admin: Desk, client_id: str
) -> None:
    row = charge(admin, client_id, 120_000)
    pay(admin, client_id, row)
    data_of(refund(admin, client_id, row), 201)

    over = reply_of(refund(admin, client_id, row, amount=32_876.72))
    nothing = reply_of(refund(admin, client_id, row))
    rest = data_of(refund(admin, client_id, row, amount=32_876.71), 201)

    assert over[0] == nothing[0] == 422
    assert "₹87,123.29 is credited already" in over[1]
    assert rest["fee"]["invoice"]["left"] == 0
    rows = _invoices(admin)
    assert sum(each["tax"] for each in rows if each["kind"] == "CREDIT_NOTE") == 21_600
    assert [each["number"][-4:] for each in rows] == ["0002", "0001", "0001"]
    assert earnings(admin) == 0


def test_a_fee_over_the_familys_limit_is_refused_where_the_firm_has_chosen_that(
    admin: Desk, client_id: str
) -> None:
    data_of(admin.put(SETTINGS, {"capBehaviour": "REFUSE"}))
    charge(admin, client_id, 100_000)
    days = {"startingDate": "2026-04-01", "finalDate": "2026-09-30"}
    body = days | {"startingValue": 1_000_000}

    over = admin.post(fees_path(client_id), body | {"finalValue": 1_255_000.05})
    data_of(admin.post(fees_path(client_id), body | {"finalValue": 1_255_000}), 201)

    assert reply_of(over) == (
        422,
        (
            "Family fees from 1 Oct 2025 to 30 Sep 2026: ₹1,00,000.00 + this fee ₹51,000.01 = "
            "₹1,51,000.01. The limit for twelve months is ₹1,51,000.00: ₹0.01 over. Charge less, or "
            "charge later."
        ),
    )
    assert len(data_of(admin.get(fees_path(client_id)))) == 2


def test_a_fee_covers_at_most_the_months_in_advance_that_the_rules_allow(
    admin: Desk, client_id: str
) -> None:
    today = clock.today()
    body = {"startingDate": str(today), "startingValue": 1_000_000, "finalValue": 1_100_000}
    year = today.replace(year=today.year + 1)

    far = admin.post(fees_path(client_id), body | {"finalDate": str(year)})

    assert far.status_code == 422
    assert "at most 12 months in advance" in far.json()["message"]
    assert data_of(admin.get(fees_path(client_id))) == []


@pytest.mark.parametrize(
    ("entered", "field", "said"),
    [
        ({"gstin": "27AAPFU0939F1ZA"}, "gstin", "check digit"),
        ({"upiId": "sahyadri@okhdfc"}, "upiId", "*.ra@valid*"),
        ({"creditPrefix": "INV"}, "creditPrefix", "a prefix of their own"),
        ({"invoicePrefix": "INVOICE"}, "invoicePrefix", "1 to 4"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    admin: Desk, entered: dict[str, str], field: str, said: str
) -> None:
    before = data_of(admin.get(SETTINGS))

    answer = admin.put(SETTINGS, entered)

    assert answer.status_code == 422
    assert said in answer.json()["message"]
    assert answer.json()["errors"][0]["field"] == field
    assert data_of(admin.get(SETTINGS)) == before


def test_a_clients_gstin_decides_the_state_and_a_wrong_one_is_refused(
    admin: Desk, client_id: str
) -> None:
    path = f"/admin/clients/client/{client_id}/billing"

    wrong = admin.put(path, {"gstin": "29AAPFU0939F1ZV"})
    other = admin.put(path, {"gstin": GSTIN, "stateCode": "29"})
    right = data_of(admin.put(path, {"gstin": GSTIN.lower(), "stateCode": "27"}))

    assert (wrong.status_code, other.status_code) == (422, 422)
    assert right == {"stateCode": "27", "gstin": GSTIN, "version": 2}


def test_the_pdf_is_stored_and_mailed_once_with_its_hash(
    admin: Desk, client_id: str, database: Database
) -> None:
    data_of(admin.put(SETTINGS, {"upiId": "sahyadri.ra@validhdfc", "bankLine": "HDFC Bank 0042"}))
    paid = data_of(pay(admin, client_id, charge(admin, client_id, 120_000)))["invoice"]
    before = admin.get(f"/admin/invoices/{paid['_id']}/pdf").content

    made = [jobs.make_files_due(database, clock.now()) for _ in range(2)]

    assert made == [1, 0]
    stored = admin.get(f"/admin/invoices/{paid['_id']}/pdf").content
    with database.reading() as session:
        file = session.execute(select(InvoiceFile)).scalar_one()
        row = session.execute(select(Invoice)).scalar_one()
        mails = session.execute(select(Mail).where(Mail.id == row.mail_id)).scalars().all()
    assert stored == before == file.content
    assert file.sha256 == hashlib.sha256(stored).hexdigest()
    assert row.sha256 == hashlib.sha256(row.content.encode()).hexdigest()
    (mail,) = mails
    assert (mail.recipient, mail.attachment) == ("kavya@home.example", stored)
    assert "We have received your payment of ₹1,41,600.00" in mail.text
    assert "sahyadri.ra@validhdfc" in text_of_pdf(admin, paid["_id"])


def test_an_invoice_cannot_be_changed_in_the_database(
    admin: Desk, client_id: str, database: Database
) -> None:
    pay(admin, client_id, charge(admin, client_id, 120_000))

    for statement in ("UPDATE invoices SET total = 1", "DELETE FROM invoices"):
        with pytest.raises(DBAPIError), database.transaction() as session:
            session.execute(text(statement))
    with database.reading() as session:
        assert session.execute(select(func.count()).select_from(Invoice)).scalar_one() == 1


def test_invoices_are_searched_filtered_sorted_and_exported(admin: Desk, client_id: str) -> None:
    row = charge(admin, client_id, 120_000)
    pay(admin, client_id, row)
    refund(admin, client_id, row)
    other = admin.add_client("Rohan 100% Rao", "rohan@home.example")
    live_in(admin, other, "29")
    pay(admin, other, charge(admin, other, 10_000))

    def numbers(**filters: str) -> list[str]:
        return [each["number"][:3] + each["number"][-4:] for each in _invoices(admin, **filters)]

    assert numbers() == ["INV0002", "CRN0001", "INV0001"]
    assert numbers(query="rohan") == numbers(query="100%") == ["INV0002"]
    assert numbers(query="crn/") == numbers(kind="CREDIT_NOTE") == ["CRN0001"]
    assert numbers(clientId=client_id, sort="total") == ["CRN0001", "INV0001"]
    assert numbers(**{"from": "2099-01-01"}) == []
    sheet = admin.get("/admin/invoices/export", query="rohan").content.decode("utf-8-sig")
    assert sheet.splitlines()[1].split(",")[-1] == "11800.00"


def test_rules_are_dated_and_those_in_force_stay(admin: Desk, client_id: str) -> None:
    path = "/settings/invoice-rules"
    rules = data_of(admin.get(path))
    assert [(each["effectiveOn"], each["advanceMonths"]) for each in rules] == [
        ("2025-04-02", 12), ("2025-01-08", 3), ("2017-07-01", None),
    ]  # fmt: skip
    new = {
        "effectiveOn": "2025-04-02", "advanceMonths": 6, "gstRate": 12, "sac": "997156",
        "upiPattern": "*.ra@valid*", "source": "A circular",
    }  # fmt: skip

    assert admin.put(path, new).status_code == 409
    assert admin.put(path, new | {"source": " "}).status_code == 422
    today = str(clock.today())
    in_force = data_of(admin.put(path, new | {"effectiveOn": today}))[0]

    assert (in_force["effectiveOn"], in_force["isInForce"]) == (today, True)
    paid = data_of(pay(admin, client_id, charge(admin, client_id, 100_000)))
    assert paid["invoice"]["total"] == 112_000
