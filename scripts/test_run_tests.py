"""The closing lines of a run of the tests."""

from pathlib import Path

import run_tests

REPORT = """<testsuites><testsuite>
<testcase classname="tests.fees" name="test_a_fee"><failure message="assert 1 == 2">
def test_a_fee():
E   assert 1 == 2
</failure></testcase>
<testcase classname="tests.fees" name="test_a_fee"><error message="no database"/></testcase>
<testcase classname="tests.fees" name="test_redis"><skipped message="no Redis"/></testcase>
<testcase classname="tests.fees" name="test_good"/>
</testsuite></testsuites>"""


def test_each_failed_test_is_named_with_its_reason(tmp_path: Path) -> None:
    report = tmp_path / "server.xml"
    report.write_text(REPORT)
    count = run_tests.Count()
    count.add_part("server", 1, report)
    assert count.failed == [
        "tests.fees: test_a_fee\n    assert 1 == 2\n    def test_a_fee():\n    E   assert 1 == 2",
        "tests.fees: test_a_fee\n    no database",
    ]
    assert count.line(60) == "1 passed, 2 failed, 1 skipped (1 × no Redis), 1.0 minutes"


def test_a_runner_that_ends_with_an_error_but_no_failed_test_is_named(tmp_path: Path) -> None:
    count = run_tests.Count()
    count.add_part("web", 1, tmp_path / "never-written.xml")
    assert count.line(60) == "0 passed, 0 failed, 0 skipped, web ended with an error, 1.0 minutes"
