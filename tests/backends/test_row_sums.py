"""Sums of rows by vector instructions: the numbers that NumPy finds, for any number of rows."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from cartagena.backends.cpu.compiler import OPTIONS, pointer
from cartagena.backends.cpu.vectors import rectified, sum_of_products, sum_of_rows

WIDTH = 8
RNG = np.random.default_rng(5)
TABLE = RNG.integers(-900, 900, (20, WIDTH)).astype(np.int16)

add_rows: Any = sum_of_rows(WIDTH, 3)
add_all: Any = sum_of_products(WIDTH, sparse=False)
add_some: Any = sum_of_products(WIDTH, sparse=True)
rectify: Any = rectified(WIDTH)


def sum_rows(table: Any, rows: Any, sums: Any, positive: Any) -> None:
    """Add rows, and write the sums above zero."""
    add_rows(pointer(table, 0), pointer(rows, 0), rows.size, pointer(sums, 0))
    rectify(pointer(sums, 0), pointer(positive, 0))


def sum_products(values: Any, rows: Any, dense: Any, sparse: Any) -> None:
    """Add rows times values in both ways."""
    add_all(pointer(values, 0), values.size, pointer(rows, 0), pointer(dense, 0))
    add_some(pointer(values, 0), values.size, pointer(rows, 0), pointer(sparse, 0))


# Compiled anew in every run, so that the code that writes the instructions runs too.
compiled_rows: Any = njit(**OPTIONS)(sum_rows)
compiled_products: Any = njit(**OPTIONS)(sum_products)


@pytest.mark.parametrize("number", [0, 1, 3, 7])
def test_rows_are_added_in_groups_without_a_loss(number: int) -> None:
    rows = RNG.integers(0, len(TABLE), number)
    sums, positive = np.arange(WIDTH, dtype=np.int32), np.full(WIDTH, -1, np.float32)
    compiled_rows(TABLE, rows, sums, positive)
    assert sums.tolist() == (np.arange(WIDTH) + TABLE[rows].sum(axis=0, dtype=np.int32)).tolist()
    assert positive.tolist() == np.maximum(sums, 0).tolist()


@pytest.mark.parametrize("number", [0, 1, 6])
def test_products_are_added_in_the_order_of_the_rows(number: int) -> None:
    values, rows = RNG.normal(size=number).astype(np.float32), RNG.normal(size=(number, WIDTH)).astype(np.float32)
    values[::2] = 0
    dense, sparse, expected = (np.ones(WIDTH, np.float32) for _ in range(3))
    compiled_products(values, rows, dense, sparse)
    for value, row in zip(values, rows, strict=True):
        expected += value * row
    assert dense.tolist() == sparse.tolist() == expected.tolist()
