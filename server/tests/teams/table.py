"""Every call that staff may make, by what it answers of clients; written by hand, not from the routes."""

from tarazu.kit.auth_route import Reach

_CLIENT = "/api/v1/admin/clients/client/{client_id}"

OF_ONE_CLIENT = {
    *(
        f"GET {_CLIENT}/{call}"
        for call in (
            *("accounting", "accounting/export", "billing", "broker-statement", "connection"),
            "dividends",
            *("consents", "consents/{consent_id}/file", "fees", "fees/export", "fees/refund"),
            *("gains", "gains/export", "gains/statement.pdf", "holdings", "holdings/export", "kyc"),
            *("lots", "lots/export", "order-book", "order-book/export", "performance"),
            *("performance/export", "portfolio", "profile", "reminders", "report.pdf"),
            *("restrictions", "restrictions/export", "starting-value", "xirr", "xirr/export"),
        )
    ),
    *(
        f"POST {_CLIENT}/{call}"
        for call in (
            *("accept-money", "accounting/transaction", "accounting/transaction/delete"),
            *("connect-link", "connection/confirm", "connection/end", "connection/forget-id"),
            *("connection/refuse", "consents", "consents/{consent_id}/withdraw", "fees"),
            *("fees/delete", "fees/invoice", "fees/refund", "lots", "starting-capital"),
            *("starting-date", "starting-value", "sync"),
        )
    ),
    *(
        f"PUT {_CLIENT}/{call}"
        for call in (
            *("accounting/transaction", "billing", "cash", "fees", "kyc", "lots/{entry_id}"),
            *("reminders", "starting-capital", "starting-date", "starting-value", "tax-class"),
        )
    ),
    f"DELETE {_CLIENT}/lots/{{entry_id}}",
    "GET /api/v1/admin/advice/clients/{client_id}",
    "GET /api/v1/admin/advice/clients/{client_id}/export",
    "GET /api/v1/admin/remarks/client/{client_id}",
}

LISTS = {
    f"GET /api/v1/{path}"
    for path in (
        *("admin/advice/undelivered", "admin/approvals", "admin/clients", "admin/clients/export"),
        *("admin/clients/broker-ids-to-confirm", "admin/clients/totals", "admin/dashboard/movers"),
        *("admin/dashboard/stats", "admin/dashboard/stocks-distribution", "admin/dashboard/work"),
        *("admin/dashboard/stocks-distribution/export", "admin/follow-up", "admin/invoices"),
        *("admin/follow-up/export", "admin/follow-up/questions", "admin/follow-up/stocks"),
        *("admin/follow-up/questions/export", "admin/follow-up/stocks/export"),
        *("admin/follow-up/yesterday", "admin/invoices/export", "admin/models"),
        *("admin/models/candidates", "admin/models/drift", "admin/models/drift/export"),
        *("admin/models/export", "admin/models/{model_id}", "admin/models/{model_id}/subscribers"),
        *("admin/models/{model_id}/subscribers/export", "admin/readiness", "admin/sync"),
        *("admin/readiness/export", "clients", "clients/export", "fees", "fees/export"),
        *("admin/prices/sources", "fees/stats"),
    )
}
"""Lists and sums, of the clients that the caller sees."""

OF_NAMED_CLIENTS = {
    "GET /api/v1/admin/advice/{advice_id}/execution",
    "GET /api/v1/admin/advice/{advice_id}/letter.pdf",
    "GET /api/v1/admin/advice/{advice_id}/verify",
    "GET /api/v1/admin/approvals/{approval_id}",
    "GET /api/v1/admin/imports/{import_id}",
    "GET /api/v1/admin/invoices/{invoice_id}/pdf",
    "GET /api/v1/admin/models/followed",
    "POST /api/v1/admin/approvals",
    "POST /api/v1/admin/approvals/{approval_id}/withdraw",
    "POST /api/v1/admin/clients/import",
    "POST /api/v1/admin/imports/tradebook",
    "POST /api/v1/admin/readiness/send-links",
    "POST /api/v1/admin/remarks",
    "POST /api/v1/admin/sync/changes/{change_id}/seen",
    "POST /api/v1/admin/taken-away",
    "POST /api/v1/clients/add",
    "POST /api/v1/clients/delete",
    "PUT /api/v1/admin/remarks",
    "PUT /api/v1/clients/edit",
}
"""Calls that name a client, or something of one, in the body, the query or by its own id."""

OF_NO_CLIENT = {
    f"{method} /api/v1/{path}"
    for method, path in (
        ("GET", "admin/benchmarks"),
        ("GET", "admin/book-limits"),
        ("GET", "admin/broker"),
        ("GET", "admin/disclosures"),
        ("GET", "admin/disclosures/export"),
        ("GET", "admin/invoices/options"),
        ("GET", "admin/invoices/states"),
        ("GET", "admin/models/{model_id}/versions/export"),
        ("GET", "auth/passkeys"),
        ("POST", "auth/passkeys"),
        ("POST", "auth/passkeys/begin"),
        ("DELETE", "auth/passkeys/{passkey_id}"),
        ("GET", "auth/sessions"),
        ("GET", "auth/step-up"),
        ("POST", "auth/step-up"),
        ("POST", "auth/step-up/passkey"),
        ("POST", "auth/step-up/passkey/begin"),
        ("DELETE", "auth/sessions/{session_id}"),
        ("GET", "brokers"),
        ("GET", "brokers/{broker_id}"),
        ("GET", "instruments/search"),
        ("POST", "admin/disclosures"),
        ("POST", "admin/disclosures/{entry_id}/end"),
        ("POST", "admin/imports/highs-of-2018"),
        ("POST", "admin/imports/prices"),
        ("PUT", "admin/disclosures/{entry_id}"),
        ("PUT", "admin/tax/highs-of-2018"),
    )
}

OF_ALL_CLIENTS = {
    f"{method} /api/v1/admin/{path}"
    for method, path in (
        ("GET", "calls/record"),
        ("GET", "calls/record/export"),
        ("GET", "corporate-actions"),
        ("GET", "corporate-actions/export"),
        ("GET", "dashboard/daily-aum"),
        ("GET", "dashboard/daily-aum/export"),
        ("GET", "models/{model_id}/factsheet.html"),
        ("GET", "models/{model_id}/factsheet.pdf"),
        ("GET", "models/{model_id}/track-record"),
        ("POST", "clients/sample"),
        ("POST", "sync"),
    )
}
"""What cannot be said of some clients alone: refused."""

TABLE = (
    dict.fromkeys(OF_ONE_CLIENT, Reach.CLIENT)
    | dict.fromkeys(LISTS | OF_NAMED_CLIENTS, Reach.VISIBLE)
    | dict.fromkeys(OF_NO_CLIENT, Reach.NONE)
    | dict.fromkeys(OF_ALL_CLIENTS, Reach.FIRM)
)
