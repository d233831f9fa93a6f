"""Whatever is done to a firm, its figures are those of a plain model, to the paisa."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.reliability.firm_machine import FirmMachine
from tests.reliability.new_firms import new_firms_on

pytestmark = pytest.mark.long

# The short form; the long one asks for 200 runs of 30 steps.
RUNS = {"sqlite": 6, "postgres": 2}
STEPS = 14


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_every_figure_is_that_of_the_model(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    opened = new_firms_on(kind, request, tmp_path)
    machine = type("TheFirm", (FirmMachine,), {"new_firm": staticmethod(opened)})
    is_long = "MODEL_RUNS" in os.environ

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=int(os.environ.get("MODEL_RUNS", RUNS[kind])),
            stateful_step_count=int(os.environ.get("MODEL_STEPS", STEPS)),
            # A fault is made small only where there is time for it.
            phases=list(Phase) if is_long else [Phase.explicit, Phase.generate],
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
