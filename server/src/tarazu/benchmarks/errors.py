"""Errors of benchmarks."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, NotThere


class BenchmarkNotFound(NotThere):
    message = "Benchmark not found. Import its values first."


class BenchmarkInUse(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This is the firm's benchmark. Choose another one, or none, before you delete it."


class OtherKind(ApiError):
    """Values of one kind of index come for a benchmark of the other kind."""

    status = HTTPStatus.CONFLICT
    message = "This benchmark is of another kind."
