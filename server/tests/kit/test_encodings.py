"""Which compressed forms a caller reads."""

import pytest

from tarazu.kit.encodings import accepted


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("", set()),
        ("gzip, deflate, br, zstd", {"gzip", "deflate", "br", "zstd"}),
        ("GZIP;q=0.5,br;q=1.0", {"gzip", "br"}),
        ("gzip;q=0, br; q=0.000 , deflate;q=0.001", {"deflate"}),
        ("gzip; q = 0", set()),
        ("*", set()),
        (" , ;q=1", set()),
    ],
)
def test_codings_are_those_named_and_not_refused(header: str, named: set[str]) -> None:
    assert accepted(header) == named
