"""Errors of the follow-up."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class QuestionNotFound(NotThere):
    message = "Question not found"


class AlreadyReplied(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This question was answered before."


class NothingDeclined(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Nothing was declined, so there is nothing to take back."


class UnknownLines(Invalid):
    message = "The advice has no such line."


class TooManyQuestions(ApiError):
    status = HTTPStatus.CONFLICT
    message = "You have asked many questions about this advice. Please call or write to the firm."


class NothingLeft(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Nothing is left of this advice: no follow-up is needed."


class NoAdviceChosen(Invalid):
    message = "Choose the advice to follow up."


class TooManyChosen(Invalid):
    message = "At most 10,000 advices can be followed up at once. Narrow the filters."
