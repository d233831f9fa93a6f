"""The numbers of all advisory locks of PostgreSQL, in one place.

Two kinds of work with the same number would wait for each other.
"""

from enum import IntEnum, unique


@unique
class AdvisoryLock(IntEnum):
    """The lock that `acquire_lock` waits for; add a number here for a new kind of work."""

    AUDIT_TRAIL = 7_270_001
    MIGRATIONS = 7_270_002
    KEYS = 7_270_003
    SEALED_ADVICE = 7_270_004
    STAFF = 7_270_011
    EMAILS = 7_270_012
    FEES = 7_270_013
    CHARGES = 7_270_014
    SETTINGS = 7_270_015
    FIRST_ACCOUNT = 7_270_021
    INSTRUMENT_LISTS = 7_270_031
    SYNC_RUNS = 7_270_032
    CORPORATE_ACTIONS = 7_270_033
    TAX_RATES = 7_270_034
    REGISTERS = 7_270_035
    PAPERS = 7_270_036
    RESTRICTIONS = 7_270_041
    MODELS = 7_270_042
    BOOK_RUNS = 7_270_043
    OBLIGATIONS = 7_270_051
    APPROVALS = 7_270_052
    TEAMS = 7_270_053
