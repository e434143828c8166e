"""Sums of rows of numbers by vector instructions.

Numba does not turn short loops over bare pointers into vector code. These functions ask LLVM for it: a row is one value
of a vector type, and the sum stays in registers. LLVM divides the vector into what the machine has (AVX, NEON, wasm's
SIMD, or single numbers). Every unit is added up in the order of the rows, without any freedom for the compiler, so
that the result is the same to the bit on every machine and in plain Python.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types

from cartagena.backends.arrays import FloatArray, IntArray
from cartagena.backends.numba_internals import cgutils

from .compiler import Builder, Context, Signature, Typed, Values, either

WORD = ir.IntType(64)
Type: TypeAlias = types.Type
Sum: TypeAlias = Callable[..., None]


def at(builder: Builder, base: ir.Value, offset: ir.Value, vector: ir.VectorType) -> ir.Value:
    """A pointer to the vector that starts ``offset`` numbers behind ``base``."""
    return builder.bitcast(builder.gep(base, [offset]), vector.as_pointer())


def size_of(element: ir.Type) -> int:
    """The size of a number in bytes, which is all that its address is a multiple of."""
    return int(element.width // 8) if isinstance(element, ir.IntType) else 4 if element == ir.FloatType() else 8


def load(builder: Builder, base: ir.Value, offset: ir.Value, vector: ir.VectorType) -> ir.Value:
    return builder.load(at(builder, base, offset, vector), align=size_of(vector.element))


def store(builder: Builder, value: ir.Value, base: ir.Value) -> None:
    builder.store(value, at(builder, base, WORD(0), value.type), align=size_of(value.type.element))


def spread(builder: Builder, value: ir.Value, vector: ir.VectorType) -> ir.Value:
    """A vector that has the value in all of its units."""
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.IntType(32)(0))
    return builder.shuffle_vector(
        one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    )


def sum_of_rows(width: int, group: int) -> Sum:
    """``(table, rows, number, sums)``: add these rows of a table of whole numbers to the ``sums`` of 32 bits.

    ``group`` rows at a time are added with the bits of the table's numbers, which takes half as long for 16 bits as for
    32. The sum of a group must not overflow. All sums are exact, so their order does not matter.
    """

    def typed(_context: Context, table: Type, rows: Type, _number: Type, sums: Type) -> Typed:
        def generate(context: Context, builder: Builder, _signature: Signature, given: Values) -> ir.Value:
            table, rows, number, sums = given
            narrow, wide = (ir.VectorType(pointer.type.pointee, width) for pointer in (table, sums))
            total, few = cgutils.alloca_once(builder, wide), cgutils.alloca_once(builder, narrow)
            builder.store(load(builder, sums, WORD(0), wide), total)
            with cgutils.for_range_slice(builder, WORD(0), number, WORD(group), intp=WORD) as (first, _):
                behind = builder.add(first, WORD(group))
                end = builder.select(builder.icmp_signed("<", behind, number), behind, number)
                builder.store(ir.Constant(narrow, [0] * width), few)
                with cgutils.for_range(builder, end, start=first, intp=WORD) as loop:
                    row = builder.load(builder.gep(rows, [loop.index]))
                    more = load(builder, table, builder.mul(row, WORD(width)), narrow)
                    builder.store(builder.add(builder.load(few), more), few)
                added = builder.load(few)
                added = added if narrow == wide else builder.sext(added, wide)
                builder.store(builder.add(builder.load(total), added), total)
            store(builder, builder.load(total), sums)
            return context.get_dummy_value()

        return types.void(table, rows, types.int64, sums), generate

    def uncompiled(table: IntArray, rows: IntArray, number: int, sums: IntArray) -> None:
        for row in rows[:number].tolist():
            sums[:width] += table[row * width : (row + 1) * width]

    return either(typed, uncompiled)


def sum_of_products(width: int, sparse: bool) -> Sum:
    """``(values, number, rows, sums)``: add each value times its row of numbers to the ``sums``, of the same kind.

    ``sparse`` skips values that are zero, which pays where many are and the branch is not by chance.
    """

    def typed(_context: Context, values: Type, _number: Type, rows: Type, sums: Type) -> Typed:
        def generate(context: Context, builder: Builder, _signature: Signature, given: Values) -> ir.Value:
            values, number, rows, sums = given
            vector = ir.VectorType(sums.type.pointee, width)
            total = cgutils.alloca_once(builder, vector)
            builder.store(load(builder, sums, WORD(0), vector), total)

            def add(index: ir.Value, value: ir.Value) -> None:
                row = load(builder, rows, builder.mul(index, WORD(width)), vector)
                more = builder.fmul(spread(builder, value, vector), row)
                builder.store(builder.fadd(builder.load(total), more), total)

            with cgutils.for_range(builder, number, intp=WORD) as loop:
                value = builder.load(builder.gep(values, [loop.index]))
                if sparse:
                    with builder.if_then(builder.fcmp_unordered("!=", value, value.type(0.0))):
                        add(loop.index, value)
                else:
                    add(loop.index, value)
            store(builder, builder.load(total), sums)
            return context.get_dummy_value()

        return types.void(values, types.int64, rows, sums), generate

    def uncompiled(values: FloatArray, number: int, rows: FloatArray, sums: FloatArray) -> None:
        for index in range(number):
            if values[index] != 0.0 or not sparse:
                sums[:width] += values[index] * rows[index * width : (index + 1) * width]

    return either(typed, uncompiled)


def rectified(width: int) -> Sum:
    """``(sums, values)``: write the sums that are above zero as numbers of single precision, 0 for the others."""

    def typed(_context: Context, sums: Type, values: Type) -> Typed:
        def generate(context: Context, builder: Builder, _signature: Signature, given: Values) -> ir.Value:
            whole, real = (ir.VectorType(pointer.type.pointee, width) for pointer in given)
            found = load(builder, given[0], WORD(0), whole)
            nothing = ir.Constant(whole, [0] * width)
            above = builder.select(builder.icmp_signed(">", found, nothing), found, nothing)
            store(builder, builder.sitofp(above, real), given[1])
            return context.get_dummy_value()

        return types.void(sums, values), generate

    def uncompiled(sums: Any, values: Any) -> None:
        values[:width] = sums[:width].clip(0)

    return either(typed, uncompiled)


def rectified_pairs(width: int) -> Sum:
    """``(own, its, row, total)``: add the sums of own, its and a row of 16 bits that are above zero to ``total``."""

    def typed(_context: Any, own: Any, its: Any, row: Any, total: Any) -> Any:
        def generate(context: Any, builder: Builder, _signature: Any, given: Any) -> Any:
            wide, narrow = (ir.VectorType(given[place].type.pointee, width) for place in (0, 2))
            one, other, before = (load(builder, given[place], WORD(0), wide) for place in (0, 1, 3))
            more = builder.sext(load(builder, given[2], WORD(0), narrow), wide)
            found = builder.add(builder.add(one, other), more)
            nothing = ir.Constant(wide, [0] * width)
            above = builder.select(builder.icmp_signed(">", found, nothing), found, nothing)
            store(builder, builder.add(before, above), given[3])
            return context.get_dummy_value()

        return types.void(own, its, row, total), generate

    def uncompiled(own: Any, its: Any, row: Any, total: Any) -> None:
        total[:width] += (own[:width] + its[:width] + row[:width]).clip(0)

    return either(typed, uncompiled)
