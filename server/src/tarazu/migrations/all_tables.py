"""Loads every module that has tables, so that the metadata knows them all."""

import tarazu.advice.tables
import tarazu.approvals.tables
import tarazu.audit.tables
import tarazu.auth.tables
import tarazu.benchmarks.tables
import tarazu.book_runs.tables
import tarazu.brokers.tables
import tarazu.client_page.tables
import tarazu.clients.tables
import tarazu.fees.tables
import tarazu.firm.tables
import tarazu.follow_up.tables
import tarazu.imports.tables
import tarazu.inspection.tables
import tarazu.instruments.tables
import tarazu.invoices.tables
import tarazu.kit.audit_log
import tarazu.kit.encryption
import tarazu.kit.idempotency
import tarazu.kit.jobs
import tarazu.kit.leases
import tarazu.kit.mail
import tarazu.kit.signing
import tarazu.kit.table_versions
import tarazu.model_portfolios.tables
import tarazu.orders.tables
import tarazu.papers.tables
import tarazu.people.tables
import tarazu.portfolio.tables
import tarazu.prices.tables
import tarazu.registers.tables
import tarazu.restrictions.tables
import tarazu.sync.tables
import tarazu.tax.tables
import tarazu.teams.tables
import tarazu.track_record.tables  # noqa: F401
