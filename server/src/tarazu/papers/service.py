"""The door to the papers of clients: KYC, the firm's texts and consents to them."""

from tarazu.papers.consents import (
    ConsentState,
    ConsentToText,
    GivenConsent,
    PageVisit,
    PaperConsent,
    consent_file,
    consents_of,
    give_on_page,
    record_on_paper,
    withdraw,
    withdraw_on_page,
)
from tarazu.papers.held import BEFORE_SERVICE, HeldPapers, held_papers
from tarazu.papers.kyc import Kyc, kyc_of, refuse_shared_pan, set_kyc
from tarazu.papers.recorded import (
    RecordedConsent,
    RecordedKyc,
    recorded_consents,
    recorded_kyc,
    recorded_texts,
)
from tarazu.papers.texts import VersionedText, add_text, shown_text, texts_on
