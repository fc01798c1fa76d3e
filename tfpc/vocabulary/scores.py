"""What a model ends in, as losses and metrics see it."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.types.tensor import Tensor

# Activations that make probabilities of scores.
PROBABILITIES = ("softmax", "sigmoid", "hard_sigmoid")


@dataclass(frozen=True, slots=True)
class Scores:
    """tensor: the output, batch first; activation: what it has gone through last."""

    tensor: Tensor
    activation: str | None

    @property
    def are_probabilities(self) -> bool:
        """Whether the output has gone through a softmax or a sigmoid."""
        return self.activation in PROBABILITIES

    @property
    def size(self) -> int | None:
        """How many scores an example has."""
        return self.tensor.shape[-1] if self.tensor.shape else None
