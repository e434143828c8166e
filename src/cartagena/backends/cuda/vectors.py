"""Sums of rows of numbers by the threads of a warp: the functions of ``cpu.vectors`` for CUDA devices.

A thread adds up the units that are its own, in the order of the rows, so the results are those of the processor to the
bit. The threads meet before, because each has written all of what is read here, and after.
"""

from typing import Any

from numba import cuda

from cartagena.backends.cpu.vectors import Sum

from .compiler import rule
from .pointers import LANES, meet


def sum_of_rows(width: int, _group: int) -> Sum:
    """``(table, rows, number, sums)``: add these rows of a table of whole numbers to the ``sums`` of 32 bits."""

    @rule
    def add_rows(table: Any, rows: Any, number: int, sums: Any) -> None:
        meet()
        for unit in range(2 * cuda.threadIdx.x, width, 2 * LANES):
            one, two = sums[unit], sums[unit + 1]
            for index in range(number):
                at = rows[index] * width + unit
                one += table[at]
                two += table[at + 1]
            sums[unit], sums[unit + 1] = one, two
        meet()

    return add_rows


def sum_of_products(width: int, sparse: bool) -> Sum:
    """``(values, number, rows, sums)``: add each value times its row of numbers to the ``sums``, of the same kind."""

    @rule
    def add_products(values: Any, number: int, rows: Any, sums: Any) -> None:
        meet()
        for unit in range(cuda.threadIdx.x, width, LANES):
            total = sums[unit]
            for index in range(number):
                if not sparse or values[index] != 0.0:
                    total += values[index] * rows[index * width + unit]
            sums[unit] = total
        meet()

    return add_products


def rectified(width: int) -> Sum:
    """``(sums, values)``: write the sums that are above zero as numbers of single precision, 0 for the others."""

    @rule
    def rectify(sums: Any, values: Any) -> None:
        meet()
        for unit in range(cuda.threadIdx.x, width, LANES):
            values[unit] = max(sums[unit], 0)
        meet()

    return rectify


def rectified_pairs(width: int) -> Sum:
    """``(own, its, row, total)``: add the sums of own, its and a row of 16 bits that are above zero to ``total``."""

    @rule
    def add_pair(own: Any, its: Any, row: Any, total: Any) -> None:
        meet()
        for unit in range(cuda.threadIdx.x, width, LANES):
            total[unit] += max(own[unit] + its[unit] + row[unit], 0)
        meet()

    return add_pair
