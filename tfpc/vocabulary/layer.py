"""What a layer is: a word that makes one tensor of another, with weights."""

from __future__ import annotations

from typing import ClassVar

from tfpc.types.fragment import Fragment
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.word import Mismatch, Word


class Layer(Word):
    """A layer of a model.

    random: it draws in training; activation: what its output has gone through last,
    `softmax`, `sigmoid`, ..., or None if it is linear. whole_numbers: it takes whole
    numbers as they are; all other layers take floats.
    """

    family: ClassVar[str] = "layer"
    random: ClassVar[bool] = False
    whole_numbers: ClassVar[bool] = False

    @property
    def output_activation(self) -> str | None:
        """The name of the activation that the output has gone through last."""
        return None

    @property
    def keeps_activation(self) -> bool:
        """Whether it only reshapes or selects, so that scores stay what they were."""
        return False

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """The output's type; shapes have the batch in front, which stays as it is."""
        raise NotImplementedError

    def parameters(self, tensor: Tensor) -> int:
        """How many numbers its weights are, trained or not, for that input."""
        return 0

    def code(self, name: str, stream: int) -> Fragment:
        """The layer itself, `keras.layers.Dense(10, name="dense")`, not its use.

        name: its name in the model; stream: the number of its random stream, for
        layers that draw. In scope are SEED, BATCH and `clock`, the step counter.
        """
        raise NotImplementedError
