"""Arrays on a device that other libraries take without a copy.

Offers both ways there are: ``__cuda_array_interface__`` (CuPy, PyTorch) and DLPack (JAX, PyTorch, CuPy and others).
The structures are those of the DLPack standard, version 0, which every consumer reads.
"""

import ctypes
from typing import Any, Final

KINDS: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
CUDA: Final = 2
NAME: Final = b"dltensor"


class Device(ctypes.Structure):
    """Where an array lies."""

    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class Kind(ctypes.Structure):
    """What its numbers are."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    """An array."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("dimensions", ctypes.c_int32),
        ("kind", Kind),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    """An array and how to let it go."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter))

_lent: dict[int, tuple[Any, ...]] = {}


def _let_go(managed: Any) -> None:
    """The other library is done with the array."""
    _lent.pop(ctypes.addressof(managed.contents), None)


LET_GO: Final = Deleter(_let_go)

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
is_unused = ctypes.pythonapi.PyCapsule_IsValid
is_unused.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


def _forget(capsule: int) -> None:
    """A capsule that nobody took goes with its array; a taken one has another name."""
    if is_unused(capsule, NAME):
        _lent.pop(pointer_of(capsule, NAME), None)


FORGET: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget)


def capsule_of(owner: Any, data: int, device: int, shape: tuple[int, ...], kind: Any) -> Any:
    """A DLPack capsule of a contiguous array; ``owner`` stays alive as long as somebody uses it."""
    dimensions = len(shape)
    sizes = (ctypes.c_int64 * dimensions)(*shape)
    steps = [1] * dimensions
    for axis in range(dimensions - 2, -1, -1):
        steps[axis] = steps[axis + 1] * shape[axis + 1]
    strides = (ctypes.c_int64 * dimensions)(*steps)
    managed = Managed()
    managed.tensor = Tensor(
        data, Device(CUDA, device), dimensions, Kind(KINDS[kind.kind], kind.itemsize * 8, 1), sizes, strides, 0
    )
    managed.deleter = LET_GO
    _lent[ctypes.addressof(managed)] = (managed, owner, sizes, strides)
    return new_capsule(ctypes.addressof(managed), NAME, ctypes.cast(FORGET, ctypes.c_void_p))


class DeviceArray:
    """An array on a device: a thin cover over the compiler's own, which lacks DLPack."""

    def __init__(self, array: Any, device: int = 0) -> None:
        self.array = array
        self.device = device

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.array.__cuda_array_interface__

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.device

    def __dlpack__(self, **_: Any) -> Any:
        data = self.array.__cuda_array_interface__["data"][0]
        return capsule_of(self.array, data, self.device, self.shape, self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        return self.array[index]

    def copy_to_host(self) -> Any:
        """A NumPy array with the same numbers."""
        return self.array.copy_to_host()
