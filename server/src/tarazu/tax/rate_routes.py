"""Routes of the dated rates of tax, for an ADMIN."""

import uuid

from tarazu.domain.tax.rates import Line
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.tax import service
from tarazu.tax.schemas import EnteredRates, TaxRateTable, TaxRateVersion
from tarazu.tax.service import NewRates
from tarazu.tax.sheets import RATES

router = authorized_router("/settings")


@router.get("/tax-rates")
def show_tax_rates(session: OpenSession, _: Admin) -> Reply[TaxRateTable]:
    return reply(TaxRateTable.model_validate(service.known_rates(session, clock.today())))


@list_export(router, "/tax-rates/export", "Tax Rates", RATES)
def export_tax_rates(session: OpenSession, _: Admin) -> Exported[Line]:
    versions = service.known_rates(session, clock.today()).versions
    return Exported([line for version in versions for line in version.lines])


@router.post("/tax-rates")
def enter_tax_rates(
    body: EnteredRates, session: OpenSession, caller: Admin
) -> Reply[TaxRateVersion]:
    new = NewRates(body.effective_on, body.source, {row.item: row.value for row in body.rates})
    version = service.add_rates(session, caller, clock.now(), new)
    return reply(TaxRateVersion.model_validate(version), "Tax rates saved")


@router.delete("/tax-rates/{version_id}")
def remove_tax_rates(version_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.remove_rates(session, caller, clock.now(), version_id)
    return done("Tax rates removed")
