"""The door to the registers of the firm."""

from tarazu.registers.advertisements import (
    ScreenedAdvertisement,
    add_advertisement,
    edit_advertisement,
    list_advertisements,
    release_advertisement,
    screen_wording,
)
from tarazu.registers.certificates import (
    CertificateOfStaff,
    CertificateState,
    SenderCertificate,
    add_certificate,
    certificate_file,
    certificate_series,
    certificate_warnings,
    edit_certificate,
    list_certificates,
    sender_certificate,
)
from tarazu.registers.complaints import (
    ChannelCounts,
    ComplaintOnClock,
    PeriodCounts,
    PublicComplaints,
    add_complaint,
    complaint_channels,
    complaint_table,
    edit_complaint,
    list_complaints,
    public_complaints,
    resolve_complaint,
)
from tarazu.registers.days import (
    ExpiringCertificate,
    complaints_received,
    expiring_certificates,
    handle_changes,
    unapproved_advertisements,
    unreported_incidents,
)
from tarazu.registers.declarations import (
    Declaration,
    StaffInterest,
    add_declaration,
    declared_trades,
    edit_declaration,
    end_holding,
    interests_in,
    list_declarations,
    trading_windows,
)
from tarazu.registers.files import StoredFile, keep_file, store_file, stored_file
from tarazu.registers.notices import (
    AiSentence,
    IncidentOnClock,
    IncidentState,
    add_handle,
    add_incident,
    add_tool,
    ai_sentence,
    edit_handle,
    edit_incident,
    edit_tool,
    list_handles,
    list_incidents,
    list_tools,
    report_incident,
    use_register_sentence,
)
from tarazu.registers.rules import KnownRule, Rules, enter_rule, known_rules
from tarazu.registers.shipped import FORMS, SHIPPED, Rule, RuleForm
