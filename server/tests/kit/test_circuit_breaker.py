"""The circuit breaker: when it opens, whom it lets through, when it closes."""

from tarazu.kit.circuit_breaker import CircuitBreaker


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_it_opens_after_failures_in_a_row():
    clock = Clock()
    breaker = CircuitBreaker(3, 30.0, clock=clock)
    breaker.record_failure()
    breaker.record_failure()
    breaker.record_success()
    breaker.record_failure()
    breaker.record_failure()
    assert breaker.acquire() == 0

    breaker.record_failure()

    clock.seconds += 10
    assert breaker.acquire() == 20


def test_after_the_pause_one_more_failure_opens_it_again():
    clock = Clock()
    breaker = CircuitBreaker(2, 30.0, clock=clock)
    breaker.record_failure()
    breaker.record_failure()
    clock.seconds += 30
    assert breaker.acquire() == 0
    assert breaker.acquire() == 0

    breaker.record_failure()

    assert breaker.acquire() == 30


def test_after_the_pause_one_caller_probes_and_a_success_closes_it():
    clock = Clock()
    breaker = CircuitBreaker(1, 1.0, probe_timeout=4.0, clock=clock)
    breaker.record_failure()
    clock.seconds += 1

    assert breaker.acquire() == 0
    assert breaker.acquire() == 4.0

    breaker.record_success()
    assert breaker.acquire() == 0
    assert breaker.acquire() == 0
