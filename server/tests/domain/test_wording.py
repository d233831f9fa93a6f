"""Words that an advertisement may not use, and where they are."""

from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.wording import flagged_words

WORDS = ("assured", "guaranteed", "best", "No. 1", "risk-free", "100%")


def found(text: str) -> list[str]:
    return [flag.word for flag in flagged_words(text, WORDS)]


def test_words_are_found_whatever_their_case_and_hyphens() -> None:
    assert found("The BEST, risk free and Risk-Free: guaranteed 100%!") == [
        "BEST",
        "risk free",
        "Risk-Free",
        "guaranteed",
        "100%",
    ]
    assert found("India's No.1 and No. 1") == ["No.1", "No. 1"]


def test_a_part_of_a_longer_word_is_none() -> None:
    assert found("Bestseller, unassured, asbest") == []


@given(st.text(max_size=60), st.sampled_from(WORDS), st.text(max_size=60))
def test_a_flag_names_the_place_of_its_word(before: str, word: str, after: str) -> None:
    text = f"{before} {word} {after}"
    flags = flagged_words(text, WORDS)

    assert all(text[flag.start : flag.end] == flag.word for flag in flags)
    assert any(flag.start <= len(before) + 1 < flag.end for flag in flags)
