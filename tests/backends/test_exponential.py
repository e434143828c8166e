"""``exp`` of the compiled toolkit: close to the true value, and the same bits compiled and as plain Python."""

import math
from random import Random
from typing import Any

import numpy as np

from cartagena.backends.cpu import entry
from cartagena.backends.cpu import exp as compiled_exp
from cartagena.backends.portable.toolkit import LARGEST, exp


@entry
def all_of(values: Any, out: Any) -> None:
    for number in range(values.size):
        out[number] = compiled_exp(values[number])


def some_values() -> list[float]:
    random = Random(3)
    spread = [random.uniform(-LARGEST, LARGEST) for _ in range(20_000)]
    small = [random.uniform(-1, 1) * 10.0 ** random.randrange(-12, 1) for _ in range(20_000)]
    return [*spread, *small, 0.0, 30.0, -30.0, LARGEST, -LARGEST, math.log(2) / 2, -math.log(2) / 2]


def test_exp_is_within_two_units_in_the_last_place() -> None:
    for value in some_values():
        true = math.exp(value)
        assert abs(exp(value) - true) <= 2 * math.ulp(true), value


def test_compiled_and_plain_exp_have_the_same_bits() -> None:
    values = np.array(some_values())
    out = np.zeros_like(values)
    all_of(values, out)
    assert out.tobytes() == np.array([exp(float(value)) for value in values]).tobytes()


def test_arguments_out_of_range_count_as_the_nearest_bound() -> None:
    assert exp(1e9) == exp(LARGEST)
    assert exp(-math.inf) == exp(-LARGEST) > 0
