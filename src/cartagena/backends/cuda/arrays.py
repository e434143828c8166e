"""Arrays on a device that other libraries take without a copy.

They offer ``__cuda_array_interface__`` (CuPy, PyTorch) and DLPack (JAX, PyTorch, CuPy and others). The structures are
those of the DLPack standard, version 0, which every consumer reads.
"""

import ctypes
from typing import Any, Final, Protocol

import numpy as np
from numba import cuda
from numpy.typing import NDArray

KINDS: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
CUDA: Final = 2
NAME: Final = b"dltensor"


class Device(ctypes.Structure):
    """Where an array is: ``DLDevice``."""

    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class Kind(ctypes.Structure):
    """The type of its entries: ``DLDataType``."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    """An array: ``DLTensor``."""

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
    """An array and how to release it: ``DLManagedTensor``."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter))

_lent: dict[int, tuple[object, ...]] = {}


def _let_go(managed: "ctypes._Pointer[Managed]") -> None:
    """Release an array that the other library no longer uses."""
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
    """Release the array of a capsule that was never consumed. A consumed one has another name."""
    if is_unused(capsule, NAME):
        _lent.pop(pointer_of(capsule, NAME), None)


FORGET: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget)


def capsule_of(array: "DeviceArray", data: int) -> object:
    """Return a DLPack capsule of an array. The array stays alive until the capsule's consumer releases it."""
    dimensions = len(array.shape)
    sizes = (ctypes.c_int64 * dimensions)(*array.shape)
    strides = (ctypes.c_int64 * dimensions)(*(stride // array.dtype.itemsize for stride in array.strides))
    kind = Kind(KINDS[array.dtype.kind], array.dtype.itemsize * 8, 1)
    managed = Managed()
    managed.tensor = Tensor(data, Device(CUDA, array.device), dimensions, kind, sizes, strides, 0)
    managed.deleter = LET_GO
    _lent[ctypes.addressof(managed)] = (managed, array, sizes, strides)
    return new_capsule(ctypes.addressof(managed), NAME, ctypes.cast(FORGET, ctypes.c_void_p))


def consumer_stream(stream: int | None) -> "cuda.cudadrv.driver.Stream":
    """Return the stream that DLPack means by a number: None and 1 the legacy default, 2 the one of the thread."""
    if stream is None or stream == 1:
        return cuda.legacy_default_stream()
    if stream == 2:
        return cuda.per_thread_default_stream()
    if stream > 2:
        return cuda.external_stream(stream)
    raise ValueError(f"a DLPack stream on CUDA is None, -1 or a number from 1, not {stream}.")


def make_wait(stream: int | None) -> None:
    """Make a consumer's stream wait for all work on our stream. -1 means that the consumer needs no order."""
    if stream != -1:
        consumer = consumer_stream(stream)
        done = cuda.event()
        done.record()
        done.wait(consumer)


class RawArray(Protocol):
    """What is used of the compiler's own device arrays."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    size: int
    dtype: np.dtype[np.generic]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def reshape(self, *shape: int) -> "RawArray": ...
    def view(self, kind: type[np.generic]) -> "RawArray": ...
    def copy_to_device(self, values: NDArray[np.generic]) -> None: ...
    def copy_to_host(self) -> NDArray[np.int64]: ...


class DeviceArray:
    """An array on a device: a thin cover over the compiler's own, which lacks DLPack.

    ``transposed`` shows an array that is stored column by column with its rows first.
    """

    def __init__(self, array: RawArray, device: int = 0, *, transposed: bool = False) -> None:
        self.array = array
        self.device = device
        self.transposed = transposed

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)[:: -1 if self.transposed else 1]

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one entry to the next, along each axis."""
        return tuple(self.array.strides)[:: -1 if self.transposed else 1]

    @property
    def flat(self) -> RawArray:
        """The compiler's own array as one row, without a copy."""
        return self.array.reshape(self.array.size)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        return self.array.dtype

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        shown = dict(self.array.__cuda_array_interface__)
        return {**shown, "shape": self.shape, "strides": self.strides} if self.transposed else shown

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,  # version 0 is always allowed
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Hand the array over. The consumer's stream waits until everything written before is there."""
        if copy or dl_device not in {None, self.__dlpack_device__()}:
            raise BufferError("the array is handed over where it is, without a copy.")
        make_wait(stream)
        return capsule_of(self, self.array.__cuda_array_interface__["data"][0])

    def __len__(self) -> int:
        return self.shape[0]

    def copy_to_host(self) -> NDArray[np.int64]:
        """Return a NumPy array with the same numbers."""
        host = self.array.copy_to_host()
        return host.T if self.transposed else host
