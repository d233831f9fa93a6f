"""Why an approval cannot be asked for or decided."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class ApprovalNotFound(NotThere):
    message = "Approval not found"


class ApprovalNotNeeded(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This needs no approval."


class NobodyToApprove(ApiError):
    status = HTTPStatus.CONFLICT
    message = "No other administrator is active who could approve this."


class TooFewAdministrators(Invalid):
    message = "A second approval needs two active administrators. Add one first."


class OwnApproval(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "You asked for this yourself. Another administrator must decide."
    commit_on_error = True


class AlreadyDecided(ApiError):
    status = HTTPStatus.CONFLICT
    commit_on_error = True


class RunChanged(ApiError):
    status = HTTPStatus.CONFLICT
    message = "The run was changed after the approval was asked for. It must be asked for again."


class AskerGone(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Whoever asked for this may no longer do it. It must be asked for again."
    commit_on_error = True
