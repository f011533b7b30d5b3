"""A service that keeps failing is left alone, and asked by one call whether it is back."""

import threading

import pytest

from tripleo_ui.services.breaker import FAILURES, Breaker, Breakers, CircuitOpen
from tripleo_ui.services.errors import Conflict, Unavailable


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def breaker(clock):
    return Breaker("neutron", clock)


def fail(breaker, error=None):
    with pytest.raises(Unavailable), breaker.guarding("list ports"):
        raise error or Unavailable("neutron", "list ports", "no connection")


def refused(breaker):
    with pytest.raises(CircuitOpen) as caught, breaker.guarding("list ports"):
        raise AssertionError("the call was made")
    return caught.value


def test_calls_go_through_until_so_many_in_a_row_have_failed(breaker):
    for _number in range(FAILURES - 1):
        fail(breaker)
    with breaker.guarding("list ports"):
        pass
    for _number in range(FAILURES):
        assert not breaker.open
        fail(breaker)

    error = refused(breaker)
    assert (error.service, error.operation) == ("neutron", "list ports")
    assert 0 < error.retry_after <= 2


def test_answer_that_refuses_is_an_answer(breaker):
    for _number in range(FAILURES - 1):
        fail(breaker)
    with pytest.raises(Conflict), breaker.guarding("create port"):
        raise Conflict("neutron", "create port", "it exists")
    fail(breaker)
    assert not breaker.open


def test_one_call_probes_after_a_pause_that_grows(breaker, clock):
    for _number in range(FAILURES):
        fail(breaker)
    clock.now += 2.1
    with breaker.guarding("probe"):
        refused(breaker)  # another thread's call, while the probe is under way
    with breaker.guarding("list ports"):
        pass

    for _number in range(FAILURES):
        fail(breaker)
    clock.now += 2.1
    fail(breaker)
    clock.now += 2.1
    refused(breaker)
    clock.now += 2
    with breaker.guarding("probe"):
        pass
    assert not breaker.open


def test_probe_that_breaks_for_another_reason_lets_the_next_one_in(breaker, clock):
    for _number in range(FAILURES):
        fail(breaker)
    clock.now += 3
    with pytest.raises(KeyboardInterrupt), breaker.guarding("probe"):
        raise KeyboardInterrupt
    with breaker.guarding("probe"):
        pass


def test_probes_of_many_threads_are_one(breaker, clock):
    for _number in range(FAILURES):
        fail(breaker)
    clock.now += 3
    made, start, end = [], threading.Barrier(8), threading.Event()

    def call():
        start.wait(5)
        try:
            with breaker.guarding("probe"):
                made.append(1)
                end.wait(5)
        except CircuitOpen:
            return

    threads = [threading.Thread(target=call) for _number in range(8)]
    for thread in threads:
        thread.start()
    while sum(thread.is_alive() for thread in threads) > 1:
        pass
    end.set()
    for thread in threads:
        thread.join(5)
    assert made == [1]


def test_each_service_of_each_region_has_its_own():
    breakers = Breakers()
    for _number in range(FAILURES):
        fail(breakers.of("one", "neutron"))
    assert breakers.away() == [("one", "neutron")]
    assert not breakers.of("two", "neutron").open
    assert breakers.of("one", "neutron") is breakers.of("one", "neutron")
