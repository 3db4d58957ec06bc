"""Checkpoints of network training, and the learning-rate schedule."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from core.training.torch_training import (  # noqa: E402
    LAST_FRACTION,
    WARM_UP_FRACTION,
    restore_checkpoint,
    save_checkpoint,
    set_learning_rate,
)


def test_a_checkpoint_restores_network_optimizer_and_epochs(tmp_path: Path) -> None:
    """Without a file nothing changes."""
    file = tmp_path / "net.checkpoint"
    network, new_network = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
    optimizer, new_optimizer = (torch.optim.Adam(net.parameters(), lr=0.1) for net in (network, new_network))
    assert restore_checkpoint(file, network, optimizer) == 0
    network(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    save_checkpoint(file, network, optimizer, 4, size=(3, 2))
    assert restore_checkpoint(file, new_network, new_optimizer) == 4
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), new_network.parameters(), strict=True))
    assert new_optimizer.state_dict()["state"].keys() == optimizer.state_dict()["state"].keys() != {}
    assert torch.load(file, weights_only=True)["size"] == (3, 2)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_the_learning_rate_rises_and_falls_to_a_fraction_of_the_peak() -> None:
    optimizer = torch.optim.Adam(torch.nn.Linear(1, 1).parameters(), lr=1.0)
    rates = []
    for progress in (0, WARM_UP_FRACTION / 2, WARM_UP_FRACTION, 0.25, 0.5, 0.75, 1):
        set_learning_rate(optimizer, 0.2, progress)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates[:3] == sorted(rates[:3])
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert rates[0] == 0
    assert rates[1] == pytest.approx(0.1, rel=0.01)
    assert (rates[4], rates[-1]) == pytest.approx((0.2 * (1 + LAST_FRACTION) / 2, 0.2 * LAST_FRACTION))
