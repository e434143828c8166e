"""PyTorch (extra ``train``) for ``network_fit``, on a GPU if there is one."""

from collections.abc import Sequence
from typing import Any

from cartagena.errors import PlayerError

from .gradients import Array


def torch_or_fail() -> Any:
    """PyTorch. Raises PlayerError where it is not installed."""
    try:
        import torch
    except ImportError:
        raise PlayerError("PyTorch is not installed; install cartagena[train], or use --trainer numpy") from None
    return torch


def device_of(torch: Any, wanted: str = "auto") -> Any:
    """The device to train on: ``auto`` takes a GPU if there is one. Raises PlayerError for one that is not there."""
    there = torch.cuda.is_available()
    if wanted == "cuda" and not there:
        raise PlayerError("there is no GPU that PyTorch can use; train with --device cpu")
    return torch.device("cuda" if there and wanted != "cpu" else "cpu")


class TorchArrays:
    """``Arrays`` by PyTorch, on the device to train on."""

    report, held = 200, 20_000

    def __init__(self, torch: Any, device: Any) -> None:
        self.torch, self.device = torch, device
        torch.backends.cuda.matmul.allow_tf32 = True

    def load(self, array: Array) -> Any:
        return self.torch.from_numpy(array).to(self.device)

    def start(self, parts: Sequence[Array]) -> list[Any]:
        found = [self.load(part).requires_grad_() for part in parts]
        self.optimiser = self.torch.optim.Adam(found)
        return found

    def counts(self, rows: Any, size: int) -> Any:
        found = self.torch.zeros(len(rows), size + 1, device=self.device)  # column 0 counts what is not there
        found.scatter_add_(1, rows.long() + 1, self.torch.ones(1, 1, device=self.device).expand_as(rows))
        return found[:, 1:]

    def step(self, loss: Any, rate: float) -> None:
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()

    def read(self, parts: Sequence[Any]) -> list[Array]:
        return [part.detach().cpu().numpy().copy() for part in parts]
