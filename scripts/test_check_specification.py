"""The check of the specification finds what is missing: `make check` runs these beside it."""

import check_specification as check
import pytest

PAGE = check.PAGE.read_text(encoding="utf-8")


def test_the_page_as_it_stands_has_no_fault() -> None:
    assert list(check.faults_of(PAGE)) == []


def test_an_empty_page_lacks_every_route_call_and_text() -> None:
    texts = [line for line in check.TEXTS.read_text(encoding="utf-8").splitlines() if line]

    faults = list(check.faults_of(""))

    assert len(faults) == len(check.ROUTES) + len(check.CALLS) + len(texts)
    assert "no row for the route /home/fees" in faults
    assert "no row for the call PUT /users/edit" in faults
    assert "no row for the text Exchnage" in faults


@pytest.mark.parametrize("kind", ["Route", "Call", "Text"])
def test_a_row_that_is_deleted_is_missed(kind: str) -> None:
    lines = PAGE.splitlines()
    at = next(n for n, line in enumerate(lines) if f"| {kind} `" in line)
    row = check.rows_of(lines[at])[0][0]
    assert row.subject is not None

    faults = list(check.faults_of("\n".join(lines[:at] + lines[at + 1 :])))

    assert faults == [f"no row for the {kind.lower()} {row.subject[1]}"]


def fault_of(tests: str, what: str = "A promise") -> list[str]:
    return list(check.faults_of_row(check.Row("Part", what, tests)))


WEB = "web/src/features/auth/new-password.test.tsx"
SERVER = "server/tests/dashboard/test_dashboard.py"


def test_tests_are_found_by_their_titles_their_groups_and_their_tables() -> None:
    for name in (
        "both eyes show and hide what is typed",
        "%j and %j: %j, %j",
        "by the mailed link > success false with %j warns %j",
        "success false with %j warns %j",
    ):
        assert fault_of(f"`{WEB}::{name}`") == []
    assert fault_of(f"`{SERVER}::test_an_empty_firm_shows_zero`") == []
    assert fault_of("`server/tests/prices/test_sockets.py::test_long_polling_is_refused`") == []
    assert fault_of("`web/e2e/brokers.spec.ts::on a phone > without a token there is nothing to hand over`") == []


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("none", "no test for"),
        (f"`{WEB}::both eyes show`", "has no test"),
        (f"`{WEB}::expect`", "has no test"),
        (f"`{SERVER}::test_an_empty_firm`", "has no test"),
        (f"`{SERVER}::_path`", "has no test"),
        ("`web/src/nowhere.test.tsx::a test`", "there is no file"),
        (f"`{SERVER}::test_an_empty_firm_shows_zero`, and more", "names no test"),
    ],
)
def test_a_name_that_is_no_test_is_a_fault(tests: str, said: str) -> None:
    assert said in "\n".join(fault_of(tests))


def test_a_title_of_two_tests_needs_its_group() -> None:
    tests = [check.Test(("here", "it works"), True, ""), check.Test(("there", "it works"), True, "")]

    assert [test.is_called("it works") for test in tests] == [True, True]
    assert [test.is_called("there > it works") for test in tests] == [False, True]


def test_a_text_must_stand_in_the_test_by_itself() -> None:
    test = f"`{SERVER}::test_an_empty_firm_shows_zero`"

    assert fault_of(test, "Text `Passwords must match`") == [
        f"Text `Passwords must match`: the text is not in {SERVER}::test_an_empty_firm_shows_zero"
    ]
    assert check.holds('expect("Total Fees")', "Total Fees")
    assert check.holds(r"getByText(/Date\(DD\/MM\/YYYY\)/)", "Date(DD/MM/YYYY)")
    assert not check.holds('expect("Daysheet")', "Days")


def test_a_test_that_is_skipped_does_not_count(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_x.py").write_text("@pytest.mark.skip(reason='x')\ndef test_a(): ...\ndef test_b(): ...\n")
    monkeypatch.setattr(check, "ROOT", tmp_path)

    assert [test.runs for test in check.tests_of("test_x.py")] == [False, True]


def test_tests_of_the_web_that_are_skipped_do_not_count(tmp_path) -> None:
    source = "\n".join(
        [
            'test.skip("one", () => undefined)',
            'describe.skip("group", () => { test("two", () => undefined) })',
            'test.describe("group", () => { test("three", () => undefined) })',
            "for (const name of names) test(`four ${name}`, () => undefined)",
            'it.each([1, 2])("five %i", () => undefined)',
            '// test("six", () => undefined)',
            'const seven = "test(\\"seven\\", () => undefined)"',
        ]
    )
    path = tmp_path / "x.test.ts"
    path.write_text(source)

    assert [(test.titles, test.runs) for test in check.listed([str(path)])[str(path)]] == [
        (("one",), False),
        (("group", "two"), False),
        (("group", "three"), True),
        (("four ${name}",), True),
        (("five %i",), True),
    ]


def test_a_row_that_is_not_whole_is_a_fault() -> None:
    assert check.rows_of("| Part | What |")[1] == ["not a row of three cells: | Part | What |"]
