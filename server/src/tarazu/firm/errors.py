"""Errors of the firm's record, its calendar and its charges."""

from http import HTTPStatus
from typing import ClassVar

from tarazu.kit.errors import ApiError, Invalid, TooLarge


class PastHolidayKept(Invalid):
    message = "A holiday that has passed is kept: figures were computed with it."


class UnfitCharges(Invalid):
    message = "The table of charges is not complete."


class PictureTooLarge(TooLarge):
    message = "The file is larger than 2 MB."


class NoPicture(Invalid):
    message = "The file is not a PNG, JPEG or WebP picture."


class DamagedPicture(Invalid):
    message = "The picture cannot be read: the file is damaged."


class PictureTooWide(Invalid):
    pass


class UnfitSpan(Invalid):
    """A period of a certificate has one end, or ends before it begins."""


class ApprovalRequired(ApiError):
    status = HTTPStatus.FORBIDDEN
    code = "APPROVAL_REQUIRED"
    message = "A second administrator must approve this. Ask for the approval."


class PerformanceRefused(Invalid):
    """The rules do not allow past performance to be shown; that it was asked for is in the trail."""

    commit_on_error: ClassVar[bool] = True


class ChargesInForce(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Charges that are in force already are kept. Enter the new ones from a later day."
