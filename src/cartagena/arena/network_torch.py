"""Train a network with PyTorch (extra ``train``), on a GPU if there is one. The same learning as in ``network_fit``."""

import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from cartagena.errors import PlayerError
from cartagena.players.compiled.network import UNITS, WIDTH
from cartagena.players.compiled.network_inputs import BLOCK, INPUTS, RIVAL, WHOLE
from cartagena.players.networks import Layers

from .game_chunks import TrainingSet
from .network_fit import Best, Effort, Tell, quiet, shares

EVERY: Final = 20
"""Steps between two looks at the clock."""
TOLD: Final = 200
"""Steps between two reports."""
HELD: Final = 20_000
"""Samples held back that a report looks at, of each set."""


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


class OnDevice:
    """A training set on the device."""

    def __init__(self, torch: Any, data: TrainingSet, device: Any) -> None:
        self.torch, self.seats = torch, data.seats
        self.rows = torch.from_numpy(data.rows).to(device)
        self.target = torch.from_numpy(data.target).to(device)
        self.learn = torch.from_numpy(np.nonzero(~data.held)[0]).to(device)
        self.held = torch.from_numpy(np.nonzero(data.held)[0][:HELD]).to(device)

    def counts(self, rows: Any, size: int) -> Any:
        """How often each input is active; column 0 stands for inputs that are not there, and is dropped."""
        found = self.torch.zeros(len(rows), size + 1, device=rows.device)
        found.scatter_add_(1, rows, self.torch.ones(1, 1, device=rows.device).expand_as(rows))
        return found[:, 1:]

    def scores(self, parts: Sequence[Any], chosen: Any) -> Any:
        """The scores of some samples, from the mover on."""
        rows, sums, inner, layer, outer, scores = parts
        torch, seats, size = self.torch, self.seats, len(chosen)
        active = self.rows[chosen].long() + 1
        own = self.counts(active[:, :seats].reshape(size * seats, -1), BLOCK)
        common = self.counts((active[:, seats] - WHOLE).clamp(min=0), INPUTS - WHOLE)
        both = own @ torch.cat([rows[:BLOCK], rows[RIVAL : RIVAL + BLOCK]], dim=1)
        both = both.reshape(size, seats, 2 * WIDTH)
        pairs = len(rows) > INPUTS
        looks = 1 if seats == 2 and not pairs else seats
        mine = both[:, :, :WIDTH] + (common @ rows[WHOLE:INPUTS] + sums)[:, None]
        its = both[:, :, WIDTH:]
        found = mine[:, :looks] + its.sum(dim=1, keepdim=True) - its[:, :looks]
        if pairs:
            each = [torch.relu(mine + its.roll(-away, 1) + rows[INPUTS + away]) for away in range(1, seats)]
            hidden = (sum(each[1:], each[0]) / (seats - 1))[:, :, :UNITS]
        else:
            hidden = torch.relu(found[:, :, :UNITS])
        told = found[:, :, UNITS:] + torch.relu(hidden @ inner + layer) @ outer + scores
        return told[:, 0] if looks == 1 else told[:, :, 0]

    def loss(self, parts: Sequence[Any], chosen: Any) -> Any:
        """The mean cross entropy, in nats."""
        chances = self.torch.log_softmax(self.scores(parts, chosen), dim=1)
        return -(self.target[chosen] * chances).sum(dim=1).mean()


def fit(
    layers: Layers, sets: Sequence[TrainingSet], effort: Effort, tell: Tell = quiet, wanted: str = "auto"
) -> Layers:
    """Train a network further."""
    torch = torch_or_fail()
    device = device_of(torch, wanted)
    torch.manual_seed(effort.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    data = [OnDevice(torch, part, device) for part in sets]
    parts = [torch.from_numpy(part.copy()).to(device).requires_grad_() for part in layers.all()]
    optimiser = torch.optim.Adam(parts, lr=effort.rate)
    random = np.random.default_rng(effort.seed)
    chance, best, over = shares(sets, [len(part.learn) for part in data]), Best(effort.patience), False
    begin, step, loss = time.monotonic(), 0, None
    while not over and (done := effort.progress(step, begin)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = effort.rate_at(done)
        for _ in range(min(EVERY, effort.steps - step)):
            part = data[int(random.choice(len(data), p=chance))]
            chosen = part.learn[torch.randint(len(part.learn), (effort.batch,), device=device)]
            loss = part.loss(parts, chosen)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            step += 1
        if device.type == "cuda":
            torch.cuda.synchronize()
        if loss is not None and step % TOLD == 0:
            held = held_loss(torch, data, parts)
            tell(step, float(loss.detach()), held)
            over = best.is_over(held, parts)
    return Layers(*(part.detach().cpu().numpy() for part in best.parts or parts))


def held_loss(torch: Any, data: Sequence[OnDevice], parts: Sequence[Any]) -> float:
    """The mean loss of the samples held back."""
    with torch.no_grad():
        found = [float(part.loss(parts, part.held)) for part in data if len(part.held)]
    return float(np.mean(found)) if found else float("nan")
