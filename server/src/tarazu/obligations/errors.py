"""What can be wrong with obligations and their evidence."""

from tarazu.kit.errors import Invalid, NotThere, TooLarge


class ObligationNotFound(NotThere):
    message = "Obligation not found"


class InstanceNotFound(NotThere):
    message = "This obligation is not due at that time. Reload and choose one that is listed."


class EvidenceNotFound(NotThere):
    message = "Evidence not found"


class EvidenceTooEarly(Invalid):
    message = "Its period has not ended yet. Record the evidence afterwards."


class NoEvidence(Invalid):
    message = "Choose a file, or write a note with a name."


class NoteWithoutName(Invalid):
    message = "Enter the name of the person who vouches for the note."


class FileTooLarge(TooLarge):
    message = "The file is larger than 10 MB. Choose a smaller one."


class WrongKindOfFile(Invalid):
    message = "Evidence is a PDF, a PNG or JPEG picture, an Excel workbook, XML, CSV or plain text."


class UnfitObligation(Invalid):
    """A rule or terms that cannot be computed with; the text says why."""


class VersionTooEarly(Invalid):
    message = "A new version holds from today at the earliest: what was due before stays as it was."


class NothingToPrepare(Invalid):
    message = "The product makes no file for this obligation."


class NoReportOfVersion(Invalid):
    message = "This version of the product comes without an accessibility report."
